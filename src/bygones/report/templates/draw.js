const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)');
const NARROW = 640, PRINTED = 660, LETTER = 6.8, APART = 15;
const printing = () => root.classList.contains('printing'), narrow = () => innerWidth < NARROW && !printing();
const axesOf = layout => Object.keys(layout).filter(key => /^[xy]axis/.test(key));

const themed = (layout, data) => {
  const css = getComputedStyle(root), pick = name => css.getPropertyValue(name).trim(), small = narrow();
  const lines = { gridcolor: pick('--rule'), linecolor: pick('--rule'), zerolinecolor: pick('--rule') };
  const longest = Math.max(0, ...data.map(trace => (trace.meta || '').length));
  const axes = Object.fromEntries(axesOf(layout).map(key => [key, Object.assign({}, lines, layout[key])]));
  const inked = key => (layout[key] || []).map(one => Object.assign({ font: { color: pick('--ink'), size: 12 } }, one));
  const size = printing() ? { width: PRINTED } : {};
  return Object.assign({}, layout, axes, size, {
    annotations: inked('annotations'), shapes: (layout.shapes || []).map(one => marked(one, pick('--soft'))),
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', showlegend: false, hovermode: 'closest',
    font: { color: pick('--ink'), size: small ? 11 : 13, family: 'system-ui, sans-serif' },
    margin: Object.assign({ l: 55, r: small || !longest ? 12 : 22 + LETTER * longest, t: 14, b: layout.xaxis.title?.text ? 45 : 30 }, layout.margin),
    dragmode: small ? false : 'zoom', hoverlabel: { font: { family: 'system-ui, sans-serif' } },
  });
};
const marked = (shape, color) => Object.assign({}, shape, { line: { color, width: 1, dash: '3px 3px' } });
const lightened = (key, value) => /color$/.test(key) ? value.replace(/^#[0-9a-f]{6}/, c => LIGHTER[c] || c) : value;

// Names at the ends of lines, kept apart; each points at the last point that is in view.
const label = place => {
  const { xaxis, yaxis, margin } = place._fullLayout;
  const ends = narrow() ? [] : place.data.flatMap(trace => {
    if (!trace.meta || trace.visible === 'legendonly') return [];
    const inside = k => {
      const [across, down] = [xaxis.d2p(trace.x[k]), yaxis.d2p(trace.y[k])];
      return across >= -1 && across <= xaxis._length + 1 && down >= -1 && down <= yaxis._length + 1;
    };
    const last = trace.x.findLastIndex((_, k) => trace.y[k] !== null && inside(k));
    if (last < 0) return [];
    return [{ trace, across: xaxis.d2p(trace.x[last]), at: yaxis.d2p(trace.y[last]) }];
  }).sort((one, other) => one.at - other.at);
  ends.forEach((end, k) => { end.to = k ? Math.max(end.at, ends[k - 1].to + APART) : end.at; });
  let most = yaxis._length + margin.b / 2;
  for (const end of ends.toReversed()) { end.to = Math.min(end.to, most); most = end.to - APART; }
  const named = ends.map(({ trace, across, at, to }) => ({
    xref: 'paper', x: across / xaxis._length, yref: 'paper', y: 1 - at / yaxis._length,  // an axis would make room for it
    ax: Math.round(xaxis._length - across) + 14, ay: Math.round(to - at), xanchor: 'left', text: trace.meta,
    showarrow: true, arrowhead: 0, arrowwidth: 1, arrowcolor: trace.line.color, standoff: 3,
    font: { color: trace.line.color, size: 12 }, borderpad: 0,
  }));
  const annotations = [...place.fixed, ...named], wanted = JSON.stringify(annotations);
  if (wanted === place.labelled) return;
  place.labelled = wanted;
  Plotly.relayout(place, { annotations });
};

const draw = () => document.querySelectorAll('.chart').forEach(place => {
  const written = place.nextElementSibling.textContent, lighter = dark.matches && !printing();
  const { data, layout } = JSON.parse(written, lighter ? lightened : undefined);
  const hidden = new Set([...buttons(place)].filter(one => one.ariaPressed === 'false').map(one => one.dataset.group));
  data.forEach(trace => { trace.visible = hidden.has(trace.legendgroup) ? 'legendonly' : true; });
  const shown = themed(layout, data), first = !place.data;
  shown.height = layout.height || (printing() ? 280 : narrow() ? 300 : 380);
  place.style.height = `${shown.height}px`;
  place.fixed = shown.annotations;
  place.labelled = null;
  Plotly.react(place, data, shown, { responsive: true, displayModeBar: false });
  if (first) place.on('plotly_afterplot', () => label(place));
  label(place);
  for (const button of buttons(place)) {
    const { line, marker } = data.find(trace => trace.legendgroup === button.dataset.group);
    button.firstElementChild.style.color = (line || marker).color;
  }
});

const buttons = place => place.closest('figure').querySelectorAll('.legend button');
const toggle = button => {
  const place = button.closest('figure').querySelector('.chart'), on = button.ariaPressed === 'false';
  const own = place.data.flatMap((trace, k) => trace.legendgroup === button.dataset.group ? [k] : []);
  button.ariaPressed = String(on);
  Plotly.restyle(place, { visible: on ? true : 'legendonly' }, own);
};
document.querySelectorAll('.legend button').forEach(each => each.addEventListener('click', () => toggle(each)));

const print = on => () => {
  root.classList.toggle('printing', on);
  draw();
  if (!on) document.querySelectorAll('.chart').forEach(place => Plotly.Plots.resize(place));
};
draw();
dark.addEventListener('change', draw);
matchMedia(`(max-width: ${NARROW - 1}px)`).addEventListener('change', draw);
addEventListener('beforeprint', print(true));
addEventListener('afterprint', print(false));
