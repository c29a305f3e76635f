// The pages of the live service: forms that speak the JSON API, and parts that follow what others enter.
const main = document.querySelector('#main'), news = document.querySelector('#news');
const api = () => `/api/journals/${encodeURIComponent(main.dataset.journal)}`;
const all = (query, within = main) => [...within.querySelectorAll(query)];
const say = (text, look = '') => { news.textContent = text; news.className = `news ${look}`; };

// A name for a request that is entered once, however often it is sent.
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');

class Refused extends Error {
  constructor(said, field) { super(said); this.field = field; }
}

const numberOf = (field, what) => {
  const text = field.value.trim().replace(/\s/g, '').replace(/^[−–]/, '-');
  if (!text) throw new Refused(`${what} is empty: give a number.`, field);
  if (/^-?\d{1,3},\d{3}$/.test(text)) throw new Refused(`${what} is ${text}, which can be read in two ways: write ${text.replace(',', '')} or ${text.replace(',', '.')}.`, field);
  const found = Number(/^-?\d+,\d+$/.test(text) ? text.replace(',', '.') : text);
  if (!Number.isFinite(found)) throw new Refused(`${what} is ${field.value.trim()}: give a number, such as 12.5.`, field);
  return found;
};

const problem = (form, said, field) => {
  const place = form.querySelector('.problem');
  if (!place) { say(said, 'lost'); return; }  // others have made the form go
  all('[aria-invalid]', form).forEach(each => { each.removeAttribute('aria-invalid'); each.removeAttribute('aria-describedby'); });
  place.textContent = said;
  place.hidden = !said;
  if (!said) return;
  if (field) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', place.id);
  }
  (field ?? place).focus();
};

const LARGEST = 8e6;  // bytes that the service takes; a proxy would cut off what is larger without a sentence

// Send a form once: its key stays until the answer is known, so that sending it again enters nothing twice.
const send = async (form, path, body, { match = false, type = 'application/json' } = {}) => {
  form.dataset.key ||= newKey();
  const headers = { 'Content-Type': type, 'Idempotency-Key': form.dataset.key };
  if (match) headers['If-Match'] = `"${form.dataset.hash || main.dataset.hash}"`;
  const content = type === 'application/json' ? new Blob([JSON.stringify(body)]) : body;
  if (content.size > LARGEST) throw new Refused('This is too large: files of up to 6 MB can be sent.', form.file);
  let answer, found;
  try {
    answer = await fetch(path, { method: 'POST', headers, body: content });
    found = await answer.json();
  } catch {
    throw new Refused('The connection was lost, and it is not known whether this was entered. Send it again: it is entered once.');
  }
  if (answer.status < 500) delete form.dataset.key;
  if (answer.ok) return { found, again: answer.status === 200 };
  if (answer.status === 412) {
    delete form.dataset.hash;
    await refresh();
    throw new Refused('Somebody has entered something since. Look at what is new on this page, and send it again if it still holds.');
  }
  const lacks = form.id === 'begin' && /needs the problem's (horizon|cost_range)/.exec(found.error)?.[1];
  if (lacks) throw new Refused(`This learner needs the ${lacks === 'horizon' ? 'number of rounds' : 'range'}: give it, or choose another learner, such as AdaHedge.`, form[lacks === 'horizon' ? 'horizon' : 'range']);
  const said = String(found.error ?? `the service answered ${answer.status}`).replace('with clip=True', 'with the box under More').replace('with time=', 'as the column of the dates');
  const sentence = said.replace(/^[a-z](?=[a-z]* )/, letter => letter.toUpperCase());  // not the name of a file
  throw new Refused(`${sentence}${/[.!?]$/.test(said) ? '' : '.'}`);
};

const enter = (form, body, match = true) => send(form, `${api()}/entries`, body, { match });

// A file as JSON can have it.
const packed = file => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve({ filename: file.name, content: reader.result.replace(/^[^,]*,?/, '') });
  reader.onerror = () => reject(new Refused(`${file.name} cannot be read: choose it again.`));
  reader.readAsDataURL(file);
});

// What a decision would do.
const words = weights => {
  const shown = Object.entries(weights).filter(([, share]) => share >= 0.005).sort((one, other) => other[1] - one[1]);
  const share = value => `${value < 0.0995 ? +(100 * value).toFixed(1) : Math.round(100 * value)} %`;
  return shown.slice(0, 4).map(([name, value]) => `${share(value)} ${name}`).join(', ') + (shown.length > 4 ? ' and others' : '');
};
const amount = value => value.toLocaleString('en', Math.abs(value) >= 1000 ? { maximumFractionDigits: Math.abs(value) < 1e5 ? 1 : 0 } : { maximumSignificantDigits: 4 });

const chosen = form => {
  const one = form.one.selectedOptions[0];
  if (!one.hasAttribute('data-mix')) {
    if (!form.one.value) throw new Refused('No option is chosen: choose one, or a mix of several.', form.one);
    return form.one.value;
  }
  const fields = all('[name=share]', form).filter(field => field.value.trim());
  if (!fields.length) throw new Refused('The mix is empty: give each option its percent, 100 in all.', form.querySelector('[name=share]'));
  const shares = fields.map(field => [field.dataset.option, numberOf(field, field.dataset.option), field]);
  const negative = shares.find(([, share]) => share < 0);
  if (negative) throw new Refused(`${negative[0]} has less than 0 percent: give 0 or more.`, negative[2]);
  const sum = shares.reduce((total, [, share]) => total + share, 0);
  if (Math.abs(sum - 100) > 0.051) throw new Refused(`The mix adds up to ${+sum.toFixed(2)} percent: make it 100.`, fields[0]);
  return Object.fromEntries(shares.map(([name, share]) => [name, share / sum]));
};

let asked = 0;
const preview = async form => {
  const place = form.querySelector('.preview'), turn = ++asked, mixing = form.one.selectedOptions[0].hasAttribute('data-mix');
  form.querySelector('.mix').hidden = !mixing;
  if (mixing) {
    const sum = all('[name=share]', form).reduce((total, field) => total + (Number(field.value.replace(',', '.')) || 0), 0);
    const said = form.querySelector('.sum');
    said.textContent = `${+sum.toFixed(2)} % of 100 %`;
    said.classList.toggle('off', Math.abs(sum - 100) > 0.051);
  }
  let value;
  try { value = chosen(form); } catch { place.replaceChildren(); return; }
  await new Promise(resolve => setTimeout(resolve, 250));
  if (turn !== asked || !place.isConnected) return;
  let status;
  try {
    const body = JSON.stringify({ kind: form.kind.value, value });
    const answer = await fetch(`${api()}/preview`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    status = await answer.json();
    if (!answer.ok) status = { said: status.error };
  } catch { return; }  // the form itself says so when it is sent
  if (turn !== asked || !place.isConnected) return;
  place.replaceChildren(...effects(form.kind.value, status));
};

const effects = (kind, status) => {
  const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  if (status.said) return [element('p', status.said)];
  const of = column => Object.fromEntries(status.options.map(each => [each.name, each[column]]));
  const { promise, room, feared, trust, guarantee, ended } = status.promise;
  const found = [element('h4', 'What this would do')];
  if (kind === 'proposed') found.push(element('p', `The decision: ${words(of('decision'))}. The guard follows the proposal ${Math.round(100 * trust)} % of the way.`));
  found.push(element('p', `The state: ${words(of('state'))}.`));
  if (ended) found.push(element('p', 'Nothing is promised any more, whatever is done.'));
  else if (promise !== null && feared > room) found.push(element('p', `The promise, regret of at most ${amount(promise)}, may be lost: this takes up to ${amount(feared)} of its room, and ${amount(Math.max(0, room))} is left.`));
  else if (promise !== null) found.push(element('p', `The promise stays, regret of at most ${amount(promise)}: this takes up to ${amount(feared)} of its room of ${amount(room)}.`));
  else if (guarantee !== null) found.push(element('p', `Regret is guaranteed to be at most ${amount(guarantee)}.`));
  else found.push(element('p', 'Nothing is promised afterwards.'));
  return found;
};

// Each form: what it sends, and what is said when that was entered.
const FORMS = {
  observe: async form => {
    const costs = Object.fromEntries(all('[name=cost]', form).map(field => [field.dataset.option, numberOf(field, field.dataset.option)]));
    const period = form.period.value.trim();
    if (!period) throw new Refused('The period is empty: give a date or any text.', form.period);
    const { again } = await enter(form, { kind: 'observed', value: costs, period, clip: form.clip.checked }, false);
    return again ? `${period} has these already: nothing has changed.` : `Entered what ${period} has brought.`;
  },
  decide: async form => {
    const value = chosen(form), kind = form.kind.value;
    await enter(form, { kind, value });
    return kind === 'proposed' ? 'Entered the proposal.' : 'Entered what is really done.';
  },
  commit: async form => {
    const period = form.period.value.trim();
    if (!period) throw new Refused('The period is empty: give a date or any text.', form.period);
    await enter(form, { kind: 'committed', period });
    return `The decision of ${period} stands.`;
  },
  undo: async form => {
    const { found } = await enter(form, { kind: 'undone' });
    return `Took entry ${found.undoes} back.`;
  },
  rename: async form => {
    await enter(form, { kind: 'renamed', value: form.option.value, name: form.elements.name.value.trim() });
    return `${form.option.value} has a new name.`;
  },
  join: async form => {
    await enter(form, { kind: 'joined', value: form.elements.name.value.trim() });
    return `${form.elements.name.value.trim()} is an option now.`;
  },
  retire: async form => {
    await enter(form, { kind: 'retired', value: form.option.value });
    return `${form.option.value} was retired.`;
  },
  table: async form => {
    const file = form.file.files[0];
    if (!file) throw new Refused('No file is chosen: choose one.', form.file);
    const query = new URLSearchParams({ filename: file.name });
    if (form.time.value.trim()) query.set('time', form.time.value.trim());
    const path = `${api()}/table?${query}`;
    const { found: { events } } = await send(form, path, file, { type: 'application/octet-stream' });
    if (!events.length) return `${file.name} has no period that is new: nothing has changed.`;
    return `Entered ${events.length} period${events.length > 1 ? 's' : ''}, ${events[0].period} to ${events.at(-1).period}.`;
  },
  begin: async form => {
    const data = new FormData(form), from = data.get('from'), name = data.get('name').trim();
    if (!name) throw new Refused('The name is empty: give one.', form.elements.name);
    const words = data.get('memory'), number = form.querySelector(`[data-memory="${words}"] input`);
    const body = { name, memory: words + (number ? number.value.replace(/\s/g, '') : ''), learner: data.get('learner') };
    if (form.horizon.value.trim()) body.horizon = numberOf(form.horizon, 'The number of rounds');
    if (body.horizon < 1 || body.horizon % 1) throw new Refused('The number of rounds is not a whole one: give one, such as 52, or none.', form.horizon);
    if (form.range.value.trim()) body.cost_range = numberOf(form.range, 'The range');
    if (body.cost_range <= 0) throw new Refused('The range is not above 0: give the most by which costs of one round differ.', form.range);
    if (from !== 'bundled') body.gains = Boolean(data.get('gains'));
    if (from === 'names') {
      body.options = data.get('options').split('\n').map(line => line.trim()).filter(Boolean);
      if (body.options.length < 2) throw new Refused('There are fewer than two options: give one per line.', form.options);
    } else if (from === 'file') {
      if (!form.file.files[0]) throw new Refused('No file is chosen: choose one.', form.file);
      body.table = await packed(form.file.files[0]);
      if (form.held.files[0]) body.held = await packed(form.held.files[0]);
      if (form.time.value.trim()) body.time = form.time.value.trim();
      body.missing = data.get('missing');
    } else {
      body.gains = form.bundled.selectedOptions[0].hasAttribute('data-gains');
      body.table = await (await fetch(`/static/${data.get('bundled')}.csv`)).text();
    }
    await send(form, '/api/journals', body);
    location.assign(`/journals/${encodeURIComponent(name)}`);
    return 'The journal begins.';
  },
};

const sent = async form => {
  const button = form.querySelector('button');
  if (button.ariaDisabled === 'true') return;  // a double click
  button.ariaDisabled = 'true';
  asked++;  // a preview that is under way would be too late
  problem(form, '');
  try {
    const done = await FORMS[form.id](form);
    for (const each of new Set([form, document.getElementById(form.id)])) {  // it may have been replaced meanwhile
      each.reset();
      delete each.dataset.touched;
      delete each.dataset.hash;
    }
    if (main.dataset.journal) await refresh(true).catch(() => {});  // the stream will tell
    say(done, 'fresh');
    if (main.dataset.journal) (form.id === 'observe' && main.querySelector('[name=cost]') || main).focus();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const here = form.isConnected ? form : document.getElementById(form.id);
    problem(here, error.message, error.field?.isConnected ? error.field : null);
  } finally {
    button.ariaDisabled = null;
  }
};

document.addEventListener('submit', event => {
  if (!FORMS[event.target.id]) return;
  event.preventDefault();
  sent(event.target);
});
document.addEventListener('input', ({ target }) => {
  const form = target.form;
  if (!FORMS[form?.id]) return;
  if (form.id !== 'begin') {
    form.dataset.touched = 'yes';
    form.dataset.hash ||= main.dataset.hash;
  }
  delete form.dataset.key;  // it asks for something else now
  if (form.id === 'decide') preview(form);
  if (form.id === 'begin') unfold(form);
});
// A row that was copied from a spreadsheet fills the fields that follow.
document.addEventListener('paste', event => {
  const { target } = event, cells = event.clipboardData.getData('text').trim().split(/[\t\r\n;]+/);
  if (target.name !== 'cost' || cells.length < 2) return;
  event.preventDefault();
  const fields = all('[name=cost]', target.form);
  cells.forEach((cell, k) => { const field = fields[fields.indexOf(target) + k]; if (field) field.value = cell.trim(); });
  target.dispatchEvent(new Event('input', { bubbles: true }));
});

// The form for a new journal shows what belongs to what is chosen.
const unfold = form => {
  const data = new FormData(form);
  all('[data-for]', form).forEach(part => { part.hidden = !part.dataset.for.split(' ').includes(data.get('from')); });
  all('[data-memory]', form).forEach(part => { part.hidden = part.dataset.memory !== data.get('memory'); });
};
const begin = document.querySelector('#begin');
if (begin) unfold(begin);  // a browser keeps what was chosen before a reload

// A form is sent by the script alone.
const enable = within => all('button', within).forEach(button => { button.disabled = false; });
enable(main);

// What somebody has typed and opened, and where the focus is, stays when the page follows what others enter.
const mark = field => JSON.stringify([field.form?.id, field.name, field.dataset.option, /radio/.test(field.type) && field.value]);
const remembered = () => ({
  open: all('details[id]').filter(each => each.open).map(each => each.id),
  forms: all('form').filter(form => form.dataset.touched).map(form => ({
    id: form.id, data: { ...form.dataset }, said: form.querySelector('.problem')?.textContent,
    fields: all('input, select', form).map(field => [mark(field), field.type === 'file' ? field : field.checked ?? null, field.value, field.selectedIndex]),
  })),
  focus: document.activeElement?.form ? mark(document.activeElement) : null,
  place: document.activeElement?.id || document.activeElement?.closest('details[id]')?.id,
  inside: main.contains(document.activeElement),
  selection: document.activeElement?.selectionStart,
});
const restore = kept => {
  kept.open.forEach(id => { const found = document.getElementById(id); if (found) found.open = true; });
  for (const { id, data, said, fields } of kept.forms) {
    const form = document.getElementById(id);
    if (!form) continue;
    Object.assign(form.dataset, data);
    const there = new Map(all('input, select', form).map(field => [mark(field), field]));
    for (const [name, checked, value] of fields) {
      const field = there.get(name);
      if (checked instanceof Element) field?.replaceWith(checked);
      else if (field && /radio|checkbox/.test(field.type)) field.checked = checked;
      else if (field && !field.readOnly) field.value = value;
    }
    if (said) { form.querySelector('.problem').textContent = said; form.querySelector('.problem').hidden = false; }
    if (id === 'decide' && form.one) preview(form);
  }
  if (!kept.inside) return;
  const found = kept.focus && all('input, select, button').find(field => mark(field) === kept.focus);
  const fold = kept.place && document.getElementById(kept.place);
  const to = found || fold?.querySelector('summary') || fold;
  if (!to) return;
  to.focus({ preventScroll: true });
  if (found && kept.selection != null && found.setSelectionRange) found.setSelectionRange(kept.selection, kept.selection);
};

let turn = Promise.resolve();
const refresh = (own = false) => { turn = turn.then(() => follow(own), () => follow(own)); return turn; };
const follow = async own => {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (answer.redirected) { location.reload(); return; }  // the token holds no more
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html'), next = page.querySelector('#main');
  if (next.dataset.hash ? next.dataset.hash === main.dataset.hash : next.innerHTML === main.innerHTML) return;
  const kept = remembered();
  enable(next);
  main.replaceChildren(...next.childNodes);
  Object.assign(main.dataset, next.dataset);
  document.title = page.title;
  restore(kept);
  if (!own && main.dataset.news) say(`New: ${main.dataset.news}`, 'fresh');
};

// Hear of what others enter. The browser connects again by itself; where it gives up, this does.
const listen = (pause = 1000) => {
  const stream = new EventSource(main.dataset.stream);
  let wait = pause;
  stream.onopen = () => {
    wait = 1000;
    if (news.classList.contains('lost')) say('Connected again.');
    refresh().catch(() => {});
  };
  stream.onmessage = ({ data }) => { if (JSON.parse(data).hash !== main.dataset.hash) refresh().catch(() => {}); };
  stream.onerror = () => {
    say('The connection is lost; this page may be out of date. Trying again …', 'lost');
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => listen(Math.min(60_000, 2 * wait)), wait);
  };
  addEventListener('pagehide', () => stream.close(), { once: true });
};
if (main.dataset.stream) listen();
addEventListener('pageshow', event => { if (event.persisted) location.reload(); });
