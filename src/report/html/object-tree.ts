import type { Link } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { objectWords } from '../format/object-words.ts';
import type { Html } from './markup.ts';
import { html } from './markup.ts';

/** What is at fault: it is drawn as that, and so is what is missing. */
export interface Fault {
  readonly object: ObjectRef | undefined;
}

/** The objects around a cause as a tree of boxes, from the topmost owner; nothing where no links are known. */
export function objectTree(links: readonly Link[], { object }: Fault): Html | undefined {
  const [first] = links;
  if (first === undefined) return undefined;
  const below = new Map<string, Link[]>();
  for (const link of links) below.set(formatRef(link.from), [...(below.get(formatRef(link.from)) ?? []), link]);
  const targets = new Set(links.map(({ to }) => formatRef(to)));
  const root = links.find(({ from }) => !targets.has(formatRef(from)))?.from ?? first.from;
  const guilty = object === undefined ? '' : formatRef(object);
  const seen = new Set<string>();
  const branch = (ref: ObjectRef, link: Link | undefined): Html => {
    const key = formatRef(ref);
    const children = seen.has(key) ? [] : (below.get(key) ?? []);
    seen.add(key);
    const isCause = key === guilty;
    const said = [link?.how, ...(isCause ? ['cause'] : []), ...(link?.missing === true ? ['does not exist'] : [])].filter(
      (word) => word !== undefined,
    );
    const look = ['object', ...(isCause ? ['cause'] : []), ...(link?.missing === true ? ['missing'] : [])].join(' ');
    return html`<li><span class="${look}">${objectWords(ref)}</span> <span class="muted">${said.join(', ')}</span>${children.length === 0 ? undefined : html`<ul>${children.map((child) => branch(child.to, child))}</ul>`}</li>
`;
  };
  return html`<section><h2>Objects</h2>
<ul class="tree">${branch(root, undefined)}</ul></section>`;
}
