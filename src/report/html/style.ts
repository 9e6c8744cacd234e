/** Colours by what they mean. Every one but `line` can be text on `bg` and on `panel`. */
export const PALETTES = {
  light: {
    bg: '#ffffff',
    panel: '#f3f4f6',
    text: '#1b1f24',
    muted: '#57606a',
    line: '#808891',
    passed: '#116329',
    blocked: '#b3261e',
    waiting: '#7a4f01',
    unknown: '#6639ba',
    link: '#0a4fa3',
  },
  dark: {
    bg: '#0f1318',
    panel: '#1a2027',
    text: '#e6e9ee',
    muted: '#a3adb8',
    line: '#7d8894',
    passed: '#56d364',
    blocked: '#ff8a80',
    waiting: '#e3b341',
    unknown: '#c297ff',
    link: '#79b8ff',
  },
} as const;

function variables(palette: Readonly<Record<string, string>>): string {
  return `:root{${Object.entries(palette)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')}}`;
}

/** The one style of all pages. Nothing in it scrolls by itself, so that a keyboard reaches everything; it prints in the light colours. */
export const STYLE = [
  ':root{color-scheme:light dark}',
  variables(PALETTES.light),
  `@media(prefers-color-scheme:dark){${variables(PALETTES.dark)}}`,
  `@media print{:root{color-scheme:light}${variables(PALETTES.light)}section,li,tr,pre{break-inside:avoid}}`,
  'body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}',
  'main{max-width:60rem;margin:0 auto;padding:1rem}',
  'h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}',
  'a{color:var(--link)}.muted,figcaption,th{color:var(--muted)}figure{margin:0}',
  'code,pre{font:.875rem/1.5 ui-monospace,monospace}',
  'pre{background:var(--panel);margin:.25rem 0;padding:.5rem .75rem;white-space:pre-wrap;border-left:.25rem solid var(--line)}',
  'pre.command{border-color:var(--passed);user-select:all}',
  'table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}th{font-weight:600}',
  '.lanes,.tree,.tree ul{list-style:none;padding:0;margin:.5rem 0}',
  '.lane{display:grid;grid-template-columns:13rem 7rem 1fr;gap:0 .75rem;padding:.2rem 0;border-bottom:1px solid var(--panel)}',
  '.lane svg,.lane .why{grid-column:1/-1}.lane svg{width:100%;height:.75rem;fill:currentColor}',
  '.axis{fill:var(--panel)}.usual{fill:none;stroke:var(--text);stroke-width:1.5;vector-effect:non-scaling-stroke}',
  '.tree ul{margin:0 0 0 1rem;padding-left:1rem;border-left:2px solid var(--line)}.tree li{margin:.4rem 0}',
  '.object{display:inline-block;background:var(--panel);border:2px solid var(--line);border-radius:.4rem;padding:.1rem .6rem}',
  '.cause{border-color:var(--blocked)}.missing{border-style:dashed;background:none}',
  '@media(min-width:40rem){th{white-space:nowrap}}',
  '@media(max-width:40rem){.lane{grid-template-columns:1fr auto}.lane .muted{grid-column:1/-1}}',
  '.passed{color:var(--passed)}.blocked{color:var(--blocked)}.waiting{color:var(--waiting)}.unknown{color:var(--unknown)}.not-reached{color:var(--muted)}',
].join('\n');
