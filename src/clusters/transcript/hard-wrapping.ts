/** Columns of terminals, at least and at most. */
const NARROWEST = 40;
const WIDEST = 240;
/** Usual widths of terminals. Another width counts only with several cut lines. */
const USUAL: ReadonlySet<number> = new Set([80, 100, 120, 132]);
const CUTS = 3;

/**
 * The width at which a terminal broke every line of a text, in the middle of words; undefined when nothing says so. Then no line is longer,
 * and
 * those of just that width go on in the next line. Rows of a table have one width as well, but the next row has its columns where they have
 * theirs.
 */
export function wrappedAt(lines: readonly string[]): number | undefined {
  let width = 0;
  for (const line of lines) width = Math.max(width, line.length);
  if (width < NARROWEST || width > WIDEST) return undefined;
  const full = lines.flatMap((line, index) =>
    line.length === width && index + 1 < lines.length ? [{ line, next: lines[index + 1] ?? '' }] : [],
  );
  const cut = new Set(full.filter(({ line, next }) => isCut(line, next)).map(({ line }) => line));
  return cut.size >= (USUAL.has(width) ? 1 : CUTS) && cut.size >= new Set(full.map(({ line }) => line)).size * 0.7 ? width : undefined;
}

function isCut(line: string, next: string): boolean {
  // The rest of a line has its indentation only by chance; the next field of an object has it always.
  const indent = /^ */.exec(next)?.[0].length ?? 0;
  if (next.trim() === '' || isBeginning(next) || (indent > 0 && /^ */.exec(line)?.[0].length === indent)) return false;
  const columns = columnsOf(next);
  return columnsOf(line).filter((column) => columns.includes(column)).length < 2;
}

/** Where words begin behind a gap of a table. */
function columnsOf(line: string): readonly number[] {
  return [...line.matchAll(/ {2}(?=\S)/g)].map(({ index }) => index + 2);
}

/** A line that begins something however long the one above is: a command, a describe, the title line of a table, an entry of a log. */
function isBeginning(line: string): boolean {
  return /^\s{0,12}(?:[$#] \S|##\[|Name: {2,}\S|NAME(?:SPACE)? {2,}[A-Z]|[A-Z][a-z]{2} [ \d]\d \d\d:|\d{4}-\d\d-\d\d[T ]|[IWEF]\d{4} |time="|\{")/.test(
    line,
  );
}

interface NumberedText {
  readonly number: number;
  readonly text: string;
}

/** The lines as they were before a terminal of so many columns broke them; each has the number of its first part. */
export function* withoutWrapping(lines: Iterable<NumberedText>, width: number, longest: number): Generator<NumberedText> {
  let whole: NumberedText | undefined;
  let goesOn = false;
  for (const line of lines) {
    if (whole !== undefined && goesOn && line.text.trim() !== '' && !isBeginning(line.text)) {
      if (whole.text.length < longest) whole = { number: whole.number, text: whole.text + line.text };
    } else {
      if (whole !== undefined) yield whole;
      whole = line;
    }
    goesOn = line.text.length === width;
  }
  if (whole !== undefined) yield whole;
}
