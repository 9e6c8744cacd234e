/** What a capture may take: any text, text up to the end of its line, or one token of a narrower form; a constant is like DATABASE_URL. */
export const CAPTURE_FORMS = ['text', 'line', 'word', 'name', 'constant', 'number', 'path'] as const;
export type CaptureForm = (typeof CAPTURE_FORMS)[number];

/** One `{{ … }}` of a template. Without a name it only passes over text. */
export interface Capture {
  readonly name?: string;
  readonly form: CaptureForm;
}

/**
 * A wording taken apart: literal pieces with captures between them, `pieces[0] captures[0] pieces[1] …`; there is one piece more than there
 * are captures, and only the first and the last may be empty.
 */
export interface Template {
  readonly pieces: readonly string[];
  readonly captures: readonly Capture[];
  /** Literal characters in all pieces: the more of them, the more particular the template. */
  readonly literal: number;
}

/** A template longer than this is no wording. */
const TEMPLATE_LIMIT = 4096;
/** Fewer literal characters than this would be found in almost any text. */
const LEAST_LITERAL = 4;

const CAPTURE = /\{\{([^{}]{0,100})\}\}/;
const INSIDE = /^\s*(?:(\.\.\.)|([A-Za-z]\w*)(?:\s*:\s*([a-z]+))?)\s*$/;

/**
 * Takes a wording apart. `{{ name }}` captures the shortest text up to the next literal piece, `{{ name: number }}` one token of that form,
 * `{{ ... }}` passes over text. Says in a sentence what is wrong with it otherwise.
 */
export function parseTemplate(source: string): Template | { readonly problem: string } {
  if (source.length > TEMPLATE_LIMIT)
    return { problem: `a wording has at most ${String(TEMPLATE_LIMIT)} characters, this one has ${String(source.length)}` };
  const parts = source.split(CAPTURE);
  const captures: Capture[] = [];
  for (let index = 1; index < parts.length; index += 2) {
    const capture = parseCapture(parts[index] ?? '');
    if ('problem' in capture) return capture;
    captures.push(capture);
  }
  const pieces = parts.filter((_, index) => index % 2 === 0);
  const literal = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const problem = problemOf(pieces, captures, literal);
  return problem === undefined ? { pieces, captures, literal } : { problem };
}

function parseCapture(inside: string): Capture | { readonly problem: string } {
  const [, dots, name, form = 'text'] = INSIDE.exec(inside) ?? [];
  if (dots !== undefined) return { form: 'text' };
  if (name === undefined) return { problem: `{{${inside}}} is not a valid capture: write {{ name }}, {{ name: form }} or {{ ... }}` };
  const known = CAPTURE_FORMS.find((each) => each === form);
  return known === undefined ? { problem: `{{${inside}}}: unknown form; one of ${CAPTURE_FORMS.join(', ')}` } : { name, form: known };
}

function problemOf(pieces: readonly string[], captures: readonly Capture[], literal: number): string | undefined {
  if (pieces.slice(1, -1).includes('')) return 'two captures need text between them';
  if (literal < LEAST_LITERAL) return `a wording needs at least ${String(LEAST_LITERAL)} literal characters`;
  if (pieces.some((piece) => piece.includes('{{') || piece.includes('}}'))) return 'unmatched {{ or }}';
  if (pieces[0] === '' && (captures[0]?.form === 'text' || captures[0]?.form === 'line'))
    return `a capture at the start of a wording needs a form: ${CAPTURE_FORMS.slice(2).join(', ')}`;
  const names = captures.flatMap(({ name }) => name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? undefined : `{{ ${twice} }} occurs twice`;
}
