import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import { withoutTail } from '../../base/text.ts';
import type { Line } from './clean-lines.ts';
import { cleanLines } from './clean-lines.ts';
import type { CodeBlock } from './code-block.ts';
import type { Command } from './command.ts';
import { parseCommand } from './command.ts';
import { indentOf } from './describe/sections.ts';
import { eventRow } from './loose/event-row.ts';
import { isLogHeading } from './loose/log-heading.ts';
import type { PromptStyle } from './prompts.ts';
import { promptOn, promptStyle } from './prompts.ts';

/** A command with what it printed; without a command, text that stands for itself. */
export interface Segment {
  readonly command?: Command;
  /** Line the segment begins on. */
  readonly line: number;
  readonly output: readonly Line[];
  /** What the here-document of the command held. */
  readonly heredoc?: { readonly text: string; readonly line: number };
  readonly exitCode?: number;
  /** When the command ran, where the transcript says so. */
  readonly at?: Instant;
  /** It is a block of code, with the last words before it. */
  readonly block?: CodeBlock;
}

/** Outputs of more lines lose lines after the first ones, so that a log of any length keeps its end. */
const MAX_OUTPUT_LINES = 1_000_000;
const MAX_LOG_LINES = 20_000;
/** What kubectl says of a log stands before it. */
const FIRST_LINES = 100;
const FENCE = /^\s*(?:`{3,}|~{3,})\s*(?:[\w+-]+\s*)?$/;
/** No program logs these: people paste one output behind the other, without the second command. */
const OF_OBJECTS =
  /^(?:Events:\s{0,8}$|Name:\s{8,40}[a-z0-9][\w.-]{0,252}\s{0,8}$|(?:NAMESPACE\s{1,80})?NAME\s{1,80}READY\s{1,80}STATUS\s)/;
/** Lines a recorder of sessions puts between commands. */
const STAMP = /^# (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)(?: |$)/;
const STREAM = /^\[(?:stdout|stderr)\](?: (.*))?$/;
const EXIT = /^\[exit(?: code|code)?\]:? ?(\d{1,3})$|^\[exit(?: code)?:? (\d{1,3})\]$/i;

/** Cuts a transcript at the commands in it. */
export function segmentsOf(text: string): readonly Segment[] {
  const cutter = new Cutter(promptStyle(sampleOf(text)));
  for (const line of cleanLines(text)) cutter.take(line);
  return cutter.finish();
}

function* sampleOf(text: string): Generator<string> {
  for (const line of cleanLines(text)) yield line.text;
}

interface Draft {
  command?: Command;
  line: number;
  output: Line[];
  heredoc?: { text: string; line: number };
  exitCode?: number;
  at?: Instant;
  block?: CodeBlock;
}

/** An answer that a page shows on the line of its command. */
const ANSWER = /\s(?:Error from server(?: \(\w{1,40}\))?: |Unable to connect to the server: |The connection to the server ).*/;

class Cutter {
  readonly #style: PromptStyle;
  readonly #segments: Draft[] = [];
  #current: Draft = { line: 1, output: [] };
  /** The end word of a here-document whose lines are being read. */
  #heredoc: { readonly end: string; readonly lines: string[]; line: number } | undefined;
  /** A command that goes on on the next line. */
  #typed: { text: string; readonly line: number; readonly host?: string } | undefined;
  #at: Instant | undefined;
  /** How far the command that is being read is indented: its output is as far. */
  #margin = 0;
  /** The block of code that is being read. */
  #block: CodeBlock | undefined;

  constructor(style: PromptStyle) {
    this.#style = style;
  }

  take(line: Line): void {
    if (this.#typed !== undefined) this.#goOn(this.#typed, line.text);
    else if (this.#heredoc !== undefined) this.#readHeredoc(this.#heredoc, line);
    else if (!this.#isMark(line) && !(line.text.includes('`') && this.#fenced(line))) this.#takeText(line);
  }

  finish(): readonly Segment[] {
    if (this.#typed !== undefined) this.#begin(this.#typed.text, this.#typed.line, this.#typed.host);
    this.#endHeredoc();
    this.#push();
    return this.#segments;
  }

  #takeText(line: Line): void {
    const prompt = promptOn(line.text, this.#style);
    if (prompt === undefined || isSentence(line.text)) {
      if (this.#isBehindOutput(line.text)) this.#part(line.number);
      const { output } = this.#current;
      output.push(
        this.#margin > 0 && indentOf(line.text) >= this.#margin ? { number: line.number, text: line.text.slice(this.#margin) } : line,
      );
      if (output.length > this.#limit) output.splice(FIRST_LINES, this.#limit / 2);
      return;
    }
    const { host } = prompt;
    const answer = ANSWER.exec(prompt.command);
    const command = answer === null ? prompt.command : prompt.command.slice(0, answer.index);
    const margin = line.text.length - line.text.trimStart().length;
    if (command.endsWith('\\')) this.#typed = { text: command.slice(0, -1), line: line.number, ...(host === undefined ? {} : { host }) };
    else this.#begin(command, line.number, host);
    if (answer !== null) this.#current.output.push({ number: line.number, text: answer[0].trimStart() });
    this.#margin = margin;
  }

  /** A gap and the heading of a log end what kubectl printed of objects; what begins a describe or a list of pods ends a log. */
  #isBehindOutput(text: string): boolean {
    const { command, output } = this.#current;
    if (command?.verb === 'logs' || command?.verb === 'log') return OF_OBJECTS.test(text);
    return command !== undefined && output.at(-1)?.text.trim() === '' && isLogHeading(text);
  }

  get #limit(): number {
    const { tool, verb } = this.#current.command ?? {};
    return tool === 'journalctl' || verb === 'logs' ? MAX_LOG_LINES : MAX_OUTPUT_LINES;
  }

  /** Joins a command that was typed over several lines. */
  #goOn(typed: { text: string; readonly line: number; readonly host?: string }, text: string): void {
    const more = text.replace(/^\s*(?:> ?)?/, '');
    if (more.endsWith('\\')) typed.text += more.slice(0, -1);
    else {
      this.#typed = undefined;
      this.#begin(typed.text + more, typed.line, typed.host);
    }
  }

  #begin(text: string, line: number, host: string | undefined): void {
    this.#push();
    const command = parseCommand(withoutColon(text.trim()), host);
    this.#current = { command, line, output: [], ...(this.#at === undefined ? {} : { at: this.#at }) };
    if (command.heredoc !== undefined) this.#heredoc = { end: command.heredoc, lines: [], line: line + 1 };
  }

  #readHeredoc(heredoc: { readonly end: string; readonly lines: string[] }, line: Line): void {
    const text = line.text.replace(/^> /, '');
    if (text.trim() === heredoc.end) this.#endHeredoc();
    else heredoc.lines.push(text);
  }

  #endHeredoc(): void {
    if (this.#heredoc !== undefined) this.#current.heredoc = { text: this.#heredoc.lines.join('\n'), line: this.#heredoc.line };
    this.#heredoc = undefined;
  }

  /** A mark of code that shares its line with what it marks. */
  #fenced(line: Line): boolean {
    const marked = marksAround(line.text);
    if (marked === undefined) return false;
    if (marked.opens) this.#cut(line.number);
    this.#takeText({ number: line.number, text: marked.inside });
    if (marked.closes) this.#cut(line.number + 1);
    return true;
  }

  #cut(number: number): void {
    if (this.#current.output.length > 0 || this.#current.command === undefined) this.#part(number);
  }

  #part(number: number): void {
    this.#push();
    this.#current = { line: number, output: [] };
  }

  /** Lines that are not output: stream marks, exit codes, times, the fences of Markdown. */
  #isMark({ text, number }: Line): boolean {
    if (FENCE.test(text)) {
      this.#block =
        this.#block === undefined
          ? { intro: this.#current.output.findLast((line) => line.text.trim() !== '')?.text.trim() ?? '' }
          : undefined;
      const { command, output } = this.#current;
      // What a sentence announced as the output of a command may stand in a paragraph of its own.
      if (command !== undefined && output.every((line) => line.text.trim() === '')) output.length = 0;
      else {
        this.#push();
        this.#current = { line: number + 1, output: [], ...(this.#block === undefined ? {} : { block: this.#block }) };
      }
      return true;
    }
    if (text.startsWith('[')) return this.#isBracketMark(text, number);
    const stamp = STAMP.exec(text);
    if (stamp === null) return false;
    this.#at = parseInstant(stamp[1]) ?? this.#at;
    this.#push();
    this.#current = { line: number + 1, output: [] };
    return true;
  }

  #isBracketMark(text: string, number: number): boolean {
    const exit = EXIT.exec(text);
    const code = parseInteger(exit?.[1] ?? exit?.[2]);
    if (code !== undefined) this.#current.exitCode = code;
    const stream = STREAM.exec(text);
    if (stream?.[1] !== undefined) this.#current.output.push({ number, text: stream[1] });
    return exit !== null || stream !== null;
  }

  #push(): void {
    const { output } = this.#current;
    this.#margin = 0;
    while (output.at(-1)?.text.trim() === '') output.pop();
    if (this.#current.command !== undefined || output.length > 0) this.#segments.push(this.#current);
    this.#current = { line: 0, output: [] };
  }
}

/** A heading that is a command may end with a colon. */
function withoutColon(command: string): string {
  return /[\w-]:$/.test(command) ? command.slice(0, -1) : command;
}

/** People begin sentences with a command as well: `kubectl get events:`, `kubectl says: Warning …`. */
function isSentence(text: string): boolean {
  return /\b(?:kubectl|oc) [a-z ]{3,40}:\s*$/.test(text) || (/\b(?:Normal|Warning)\s/.test(text) && eventRow(text) !== undefined);
}

/** Three marks at the beginning or the end of a line, or one at the beginning that no other one answers. */
function marksAround(text: string): { readonly inside: string; readonly opens: boolean; readonly closes: boolean } | undefined {
  const trimmed = text.trim();
  const [opens, closes] = [trimmed.startsWith('```'), trimmed.endsWith('```')];
  if (!opens && !closes)
    return trimmed.lastIndexOf('`') === 0 && trimmed.length > 1
      ? { inside: text.replace('`', ''), opens: false, closes: false }
      : undefined;
  const inside = withoutTail(opens ? trimmed.replace(/^`{3,10}/, '') : text.trimEnd(), '`');
  return inside.trim() === '' || inside.includes('`') || (opens && !closes && /^[\w+-]{1,20}$/.test(inside.trim()))
    ? undefined
    : { inside, opens, closes };
}
