/** The page: what is typed and clicked goes to the Worker, what the Worker tells is shown. */
import { formatDuration } from '../../base/duration.ts';
import { formatInstant } from '../../base/instant.ts';
import { counted } from '../../base/counted.ts';
import { parseInteger } from '../../base/number.ts';
import type { Asked, Choice, Told } from '../messages.ts';
import { PLACES } from '../picture.ts';
import type { Picture } from '../picture.ts';
import { made, on, the } from './element.ts';
import { print } from './output-log.ts';
import { PodPicture } from './pod-picture.ts';

const PATIENCE_MILLISECONDS = 10_000;
const log = the('log', HTMLElement);
const input = the('line', HTMLInputElement);
const editor = the('editor', HTMLDialogElement);
const draft = the('draft', HTMLTextAreaElement);
const moment = the('moment', HTMLInputElement);
const picture = new PodPicture(the('picture', HTMLCanvasElement));
const history: string[] = [];
let [past, furthest, spoken, editing, answers] = [0, 0, 0, '', 0];
let speed = 1;
let isHeld = false;
let worker = begin();

function begin(): Worker | undefined {
  try {
    const made = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    made.addEventListener('message', ({ data }: MessageEvent<Told>) => heard(data));
    made.addEventListener('error', () =>
      trouble('The simulator could not be loaded. Serve this folder over HTTP: `podcheck sim serve --page`.'),
    );
    return made;
  } catch {
    trouble('This browser has no Web Workers, or forbids them: the simulator needs one.');
    return undefined;
  }
}

function ask(asked: Asked): void {
  worker?.postMessage(asked);
  const before = answers;
  setTimeout(() => {
    if (answers === before && worker !== undefined) the('stuck', HTMLElement).hidden = false;
  }, PATIENCE_MILLISECONDS);
}

function trouble(says: string): void {
  print(log, says, 'blocked');
  the('trouble', HTMLElement).textContent = says;
}

function heard(told: Told): void {
  answers++;
  the('stuck', HTMLElement).hidden = true;
  switch (told.tell) {
    case 'ready':
      return ready(told.choices);
    case 'opened':
      return opened(told);
    case 'answer':
      return answered(told);
    case 'picture':
      return shown(told.picture);
    case 'completions':
      return completed(told.line, told.words);
    case 'broken':
      the('broken', HTMLElement).textContent = `line ${told.line}, column ${told.column}: ${told.says}`;
      return select(told.line, told.column);
    case 'saved':
      return editor.close();
    case 'link':
      return linked(told.link);
    case 'trouble':
      return trouble(told.says);
  }
}

function ready(choices: readonly Choice[]): void {
  const list = the('scenario', HTMLSelectElement);
  const groups = new Map<string, HTMLElement>();
  for (const { id, title } of choices) {
    const name = id.slice(0, id.indexOf('/'));
    const group = groups.get(name) ?? document.createElement('optgroup');
    if (group instanceof HTMLOptGroupElement) group.label = name;
    groups.set(name, group);
    const option = made('option', `${id.slice(name.length + 1)}: ${title}`.slice(0, 120));
    if (option instanceof HTMLOptionElement) option.value = id;
    group.append(option);
  }
  list.replaceChildren();
  for (const group of groups.values()) list.append(group);
  list.value = 'volumes/configmap-not-found';
  const [wanted = '', seed] = decoded(location.hash.slice(1)).split('@');
  if (seed !== undefined) the('seed', HTMLInputElement).value = seed;
  if (/^#v\d+\./.test(location.hash)) ask({ do: 'link', link: location.hash });
  else if (choices.some(({ id }) => id === wanted)) open(wanted, false);
  else if (wanted !== '') trouble(`There is no scenario "${wanted.slice(0, 100)}".`);
  else open(list.value, false);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function open(id: string, drill: boolean): void {
  ask({ do: 'open', id, seed: seedIn(the('seed', HTMLInputElement).value.trim()), drill });
}

/** Seeds that look like numbers are numbers, as on the command line. */
function seedIn(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? (parseInteger(text) ?? text) : text;
}

function opened(told: Told & { readonly tell: 'opened' }): void {
  the('scenario', HTMLSelectElement).value = told.id;
  the('title', HTMLElement).textContent = told.drill ? `Drill, seed ${String(told.seed)}` : `${told.id}, seed ${String(told.seed)}`;
  the('trouble', HTMLElement).textContent = '';
  furthest = 0;
  log.replaceChildren();
  print(log, told.intro);
  setSpeed(1);
}

function answered({ line, output, code, edit }: Told & { readonly tell: 'answer' }): void {
  print(log, `$ ${line}`, 'typed');
  if (output !== '') print(log, output, code === 0 ? '' : 'failed');
  if (edit === undefined) return;
  editing = line;
  draft.value = edit.text;
  the('name', HTMLElement).textContent = edit.name;
  the('broken', HTMLElement).textContent = '';
  editor.showModal();
  draft.focus();
}

function shown(now: Picture): void {
  picture.show(now);
  furthest = Math.max(furthest, now.elapsed);
  if (!isHeld) {
    moment.max = String(Math.ceil(furthest / 1000));
    moment.value = String(Math.round(now.elapsed / 1000));
  }
  the('clock', HTMLElement).textContent =
    `${formatDuration(now.elapsed / 1000)}, ${formatInstant(now.now)}${now.isPlayed ? '' : ', scenario is playing'}`;
  const at = performance.now();
  if (at - spoken < 1000) return;
  spoken = at;
  the('summary', HTMLElement).textContent = summary(now);
}

function summary({ dots }: Picture): string {
  const counts = PLACES.flatMap((place, at) => {
    const here = dots.filter((dot) => dot.place === at);
    const bad = here.filter(({ standing }) => standing === 'bad').length;
    return here.length === 0 ? [] : [`${here.length} ${place}${bad === 0 || place === 'failed' ? '' : ` (${bad} blocked)`}`];
  });
  return `${counted(dots.length, 'pod')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`;
}

function setSpeed(next: number): void {
  speed = next === 0 ? speed : next;
  ask({ do: 'speed', speed: next });
  const pause = the('pause', HTMLButtonElement);
  pause.textContent = next === 0 ? 'Play' : 'Pause';
  for (const button of document.querySelectorAll<HTMLElement>('[data-speed]'))
    button.setAttribute('aria-pressed', String(button.dataset['speed'] === String(next)));
}

function completed(line: string, words: readonly string[]): void {
  if (input.value !== line) return;
  const start = line.slice(0, line.length - (line.split(/\s/).at(-1) ?? '').length);
  let common = words[0] ?? '';
  for (const word of words) while (!word.startsWith(common)) common = common.slice(0, -1);
  if (words.length === 1) input.value = `${start}${common} `;
  else if (common !== '') input.value = start + common;
  if (words.length > 1) print(log, words.join('  '), 'muted');
}

function select(line: number, column: number): void {
  const lines = draft.value.split('\n');
  let at = column - 1;
  for (const before of lines.slice(0, line - 1)) at += before.length + 1;
  draft.focus();
  draft.setSelectionRange(at, at + 1);
}

function linked(link: string): void {
  globalThis.history.replaceState(null, '', link);
  print(log, `${location.href}\n(${String(link.length)} characters; it is in the address bar)`, 'muted');
}

function send(line: string): void {
  if (line.trim() === '') return;
  history.push(line);
  past = history.length;
  if (line.trim() === 'clear') return log.replaceChildren();
  ask({ do: 'line', line });
}

on('prompt', 'submit', (event) => {
  event.preventDefault();
  send(input.value);
  input.value = '';
});
input.addEventListener('keydown', (event) => {
  if (event.key === 'Tab' && !event.shiftKey && input.value !== '') {
    event.preventDefault();
    ask({ do: 'complete', line: input.value });
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    past = Math.max(0, Math.min(history.length, past + (event.key === 'ArrowUp' ? -1 : 1)));
    input.value = history[past] ?? '';
    event.preventDefault();
  }
});
on('open', 'click', () => open(the('scenario', HTMLSelectElement).value, the('drill', HTMLInputElement).checked));
on('pause', 'click', (event) => setSpeed((event.target as HTMLElement).textContent === 'Pause' ? 0 : speed));
on('step', 'click', () => {
  setSpeed(0);
  ask({ do: 'step' });
});
on('finish', 'click', () => ask({ do: 'finish' }));
on('share', 'click', () => ask({ do: 'share' }));
on('save', 'click', () => ask({ do: 'save', line: editing, text: draft.value }));
on('cancel', 'click', () => editor.close());
on('again', 'click', () => {
  worker?.terminate();
  the('stuck', HTMLElement).hidden = true;
  worker = begin();
});
for (const button of document.querySelectorAll<HTMLElement>('[data-speed]'))
  button.addEventListener('click', () => setSpeed(JSON.parse(button.dataset['speed'] ?? '1') as number));
for (const button of document.querySelectorAll<HTMLElement>('[data-jump]'))
  button.addEventListener('click', () => send(`sleep ${button.dataset['jump'] ?? '10s'}`));
moment.addEventListener('pointerdown', () => (isHeld = true));
moment.addEventListener('change', () => {
  isHeld = false;
  setSpeed(0);
  ask({ do: 'back', to: moment.valueAsNumber * 1000 });
});
on('picture', 'click', (event) => {
  const dot = event instanceof MouseEvent ? picture.at(event.clientX, event.clientY) : undefined;
  if (dot === undefined) return;
  input.value = `kubectl describe pod ${dot.name} -n ${dot.namespace}`;
  input.focus();
});
// For who measures how many pictures are drawn.
Object.defineProperty(globalThis, 'picturesDrawn', { get: () => picture.drawn });
