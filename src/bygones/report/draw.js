const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)');
const NARROW = 640, PRINTED = 660;
const themed = (layout, [width, height], narrow) => {
  const css = getComputedStyle(root), pick = name => css.getPropertyValue(name).trim();
  const axis = { gridcolor: pick('--rule'), linecolor: pick('--rule'), zerolinecolor: pick('--rule') };
  const below = { y: -0.24, yanchor: 'top' }, above = { y: 1.02, yanchor: 'bottom' };
  return Object.assign({}, layout, {
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', width, height,
    modebar: { orientation: 'v', bgcolor: 'rgba(0,0,0,0)', color: pick('--soft'), activecolor: pick('--ink') },
    font: { color: pick('--ink'), size: narrow ? 11 : 13 }, margin: { l: 55, r: 10, t: 10, b: 45 },
    hovermode: 'closest', legend: Object.assign({ orientation: 'h', x: 0, tracegroupgap: 0 }, narrow ? below : above),
    xaxis: Object.assign({}, layout.xaxis, axis), yaxis: Object.assign({}, layout.yaxis, axis),
  });
};
const lightened = (key, value) => /color$/.test(key) ? value.replace(/^#[0-9a-f]{6}/, c => LIGHTER[c] || c) : value;
const draw = () => document.querySelectorAll('.chart').forEach(place => {
  const printing = root.classList.contains('printing'), narrow = innerWidth < NARROW && !printing;
  const written = place.nextElementSibling.textContent, lighter = dark.matches && !printing;
  const { data, layout } = JSON.parse(written, lighter ? lightened : undefined);
  const names = data.filter(trace => trace.showlegend !== false).map(trace => trace.name.length);
  const rows = names.length / Math.max(1, Math.floor((printing ? 600 : 280) / (50 + 6 * Math.max(...names))));
  const height = 290 + 20 * Math.ceil(rows);
  place.style.height = printing || narrow ? `${height}px` : '';
  const shown = themed(layout, printing ? [PRINTED, height] : [], narrow);
  Plotly.react(place, data, shown, { responsive: true, displaylogo: false });
});
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
