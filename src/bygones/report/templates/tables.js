// Tables: a click on a heading sorts by it, upwards, downwards, and as it was; empty cells come last.
const number = text => parseFloat(text.replace(/[,\s]/g, ''));
const compare = (one, other, numeric) => {
  if (!one || !other) return (one ? 0 : 1) - (other ? 0 : 1);
  return numeric ? number(one) - number(other) : one.localeCompare(other);
};
const NEXT = { none: 'ascending', ascending: 'descending', descending: 'none' };

document.querySelectorAll('figure.table').forEach(figure => {
  const body = figure.querySelector('tbody'), rows = [...body.rows], heads = [...figure.querySelectorAll('th')];
  heads.forEach((head, k) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.ariaLabel = `Sort by ${head.textContent}`;
    head.append(button);
    head.ariaSort = 'none';
    head.addEventListener('click', () => {
      const way = NEXT[head.ariaSort], numeric = head.classList.contains('number');
      heads.forEach(each => { each.ariaSort = each === head ? way : 'none'; });
      const text = row => row.cells[k].textContent;
      const order = (one, other) => {
        const full = text(one) && text(other);
        return compare(text(one), text(other), numeric) * (full && way === 'descending' ? -1 : 1);
      };
      body.append(...(way === 'none' ? rows : rows.toSorted(order)));
    });
  });
  const wide = figure.querySelector('.wide'), cue = figure.querySelector('.cue');
  const look = () => {
    const left = wide.scrollWidth - wide.clientWidth - wide.scrollLeft;
    cue.hidden = wide.scrollWidth <= wide.clientWidth + 1;
    wide.classList.toggle('more', left > 1);
    wide.classList.toggle('moved', wide.scrollLeft > 1);
  };
  wide.addEventListener('scroll', look, { passive: true });
  new ResizeObserver(look).observe(wide);
});

// The contents stand open beside the text where there is room.
const contents = document.querySelector('.contents'), roomy = matchMedia('(min-width: 70rem)');
const unfold = () => { if (contents) contents.open = roomy.matches; };
unfold();
roomy.addEventListener('change', unfold);
contents?.addEventListener('click', event => { if (event.target.closest('a') && !roomy.matches) contents.open = false; });
