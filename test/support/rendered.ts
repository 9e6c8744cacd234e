import MarkdownIt from 'markdown-it';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { parse } from 'parse5';

const markdown = new MarkdownIt({ html: true, linkify: false }).enable('table');
/** What inline pictures have; none of it loads anything. */
const DRAWN = ['viewBox', 'preserveAspectRatio', 'aria-hidden', 'x', 'y', 'width', 'height'];
/** What a report is made of, and nothing that acts or loads. */
const ELEMENTS = new Set([
  'html',
  'head',
  'body',
  'meta',
  'title',
  'style',
  'h1',
  'h2',
  'h3',
  'p',
  'ul',
  'ol',
  'li',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'pre',
  'code',
  'strong',
  'em',
  'br',
  'hr',
  'main',
  'section',
  'figure',
  'figcaption',
  'span',
  'a',
  'svg',
  'rect',
]);
const ATTRIBUTES = new Set(['lang', 'charset', 'name', 'content', 'start', 'http-equiv', 'scope', ...DRAWN]);

/** What a browser would make of a page: its elements in their order, and everything that is not plain. */
export interface Rendered {
  readonly elements: readonly string[];
  readonly active: readonly string[];
}

export function renderedMarkdown(text: string): Rendered {
  return renderedHtml(markdown.render(text));
}

export function renderedHtml(text: string): Rendered {
  const [elements, active]: [string[], string[]] = [[], []];
  visit(parse(text), elements, active);
  return { elements, active };
}

function visit(node: DefaultTreeAdapterTypes.Node, elements: string[], active: string[]): void {
  if ('tagName' in node) {
    elements.push(node.tagName);
    if (!ELEMENTS.has(node.tagName)) active.push(`<${node.tagName}>`);
    for (const { name, value } of node.attrs)
      if (
        !ATTRIBUTES.has(name) &&
        !(name === 'style' && /^text-align:\w+$/.test(value)) &&
        !(name === 'class' && /^(?:language-\w+|[a-z -]+)$/.test(value)) &&
        !(name === 'href' && /^https:\/\/[\w./#?=&-]+$/.test(value))
      )
        active.push(`<${node.tagName} ${name}="${value}">`);
  }
  if (node.nodeName === '#comment') active.push('a comment');
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, elements, active);
}
