/**
 * Where a JSON text names a field twice (`spec.containers[0].image`), each place once, in the order of the text; JSON.parse takes the
 * last without a word. The text must be JSON. Source: sigs.k8s.io/json (decode.go, saveStrictError), which stops at a hundred.
 */
export function duplicateFields(text: string): readonly string[] {
  const found = new Set<string>();
  const open: Open[] = [];
  for (let index = 0; index < text.length && found.size < MOST; index++) {
    const inner = open.at(-1);
    switch (text[index]) {
      case '{':
        open.push({ fields: new Set(), at: '', named: false });
        break;
      case '[':
        open.push({ fields: undefined, at: 0, named: false });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (inner === undefined) break;
        if (typeof inner.at === 'number') inner.at++;
        inner.named = false;
        break;
      case '"': {
        const end = endOfString(text, index);
        if (inner?.fields !== undefined && !inner.named) {
          const field = JSON.parse(text.slice(index, end)) as string;
          Object.assign(inner, { at: field, named: true });
          if (inner.fields.has(field)) found.add(pathOf(open));
          inner.fields.add(field);
        }
        index = end - 1;
        break;
      }
      default:
    }
  }
  return [...found];
}

const MOST = 100;

/** An object or array that is not closed yet. */
interface Open {
  /** The names so far; undefined for an array. */
  readonly fields: Set<string> | undefined;
  /** Which field or item it is at. */
  at: string | number;
  /** Whether the name of the present field has been read, so that what comes is its value. */
  named: boolean;
}

/** Behind its closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function pathOf(open: readonly Open[]): string {
  let path = '';
  for (const { at } of open) path += typeof at === 'number' ? `[${at}]` : path === '' ? at : `.${at}`;
  return path;
}
