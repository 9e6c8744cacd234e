/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const TOKEN =
  /<\?xml [^?]*\?>|<(?<close>\/)?(?<name>[A-Za-z][\w.-]*)(?<attributes>(?:\s+[\w.:-]+="[^"<]*")*)\s*(?<empty>\/)?>|(?<text>[^<]+)/gy;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface Open extends Element {
  readonly children: Element[];
  text: string;
}

/** The root element of a document; throws where XML 1.0 would not let it be one. Only what a report has is known: no CDATA, no comments. */
export function parseXml(text: string): Element {
  const stray = /(?![\t\n\r])[\u0000-\u001F\uFFFE\uFFFF]|\p{Cs}/u.exec(text);
  if (stray !== null) throw new Error(`not a character of XML: ${JSON.stringify(stray[0])}`);
  const top: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    take(match, open);
  }
  const [root, ...more] = top.children;
  if (end < text.length || open.length > 1) throw new Error(`not well-formed at ${JSON.stringify(text.slice(end, end + 40))}`);
  if (root === undefined || more.length > 0 || top.text.trim() !== '') throw new Error('not one root element');
  return root;
}

function take({ groups = {} }: RegExpExecArray, open: Open[]): void {
  const { close, name, attributes = '', empty, text } = groups;
  const top = open.at(-1);
  if (top === undefined) throw new Error('closed too often');
  if (text !== undefined) top.text += unescaped(text);
  else if (close !== undefined) {
    if (name !== top.name || open.length < 2) throw new Error(`</${name}> closes <${top.name}>`);
    open.pop();
  } else if (name !== undefined) {
    const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' };
    top.children.push(element);
    if (empty === undefined) open.push(element);
  }
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([\w.:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescaped(value)] as const);
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`an attribute twice: ${text}`);
  return Object.fromEntries(pairs);
}

function unescaped(text: string): string {
  if (text.includes(']]>')) throw new Error(']]> in text');
  return text.replaceAll(/&([^;]{0,10};?)/g, (whole, name: string) => {
    const character = ENTITIES[name.replace(';', '')];
    if (character === undefined || !name.endsWith(';')) throw new Error(`no entity: ${whole}`);
    return character;
  });
}
