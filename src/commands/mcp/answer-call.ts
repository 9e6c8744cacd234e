import type { CallToolResult } from '@modelcontextprotocol/server';
import { PodcheckError, reasonOf } from '../../base/errors.ts';
import { PLAIN } from '../../report/format/text-style.ts';
import type { CommandContext } from '../context.ts';
import { quotedReport } from './quoted-report.ts';
import type { FixedOptions, Tool, Words } from './tool.ts';

/** Milliseconds until a call is ended: clients wait for a minute. */
export const CALL_MILLISECONDS = 45_000;

/** The answer to one call. What goes wrong is an answer too, in the words that a person would read on stderr. */
export async function answerCall(
  tool: Tool,
  words: Words,
  { options, context, milliseconds = CALL_MILLISECONDS }: { options: FixedOptions; context: CommandContext; milliseconds?: number },
): Promise<CallToolResult> {
  const late = AbortSignal.timeout(milliseconds);
  const notes: string[] = [];
  try {
    const { data, text } = await endedBy(late, tool.answer(words, options, quiet(context, late, notes)));
    return { content: [{ type: 'text', text: quotedReport([...notes, text].join('')) }], structuredContent: data };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: quotedReport(failureText(error, late, milliseconds)) }] };
  }
}

/** Work that does not heed the signal goes on unheard. */
async function endedBy<T>(late: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  const ended = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason as Error), { once: true });
  });
  ended.catch(() => undefined);
  return Promise.race([work, ended]);
}

/** A context in which nobody sits at a terminal: stdin and stdout belong to the protocol. */
function quiet(context: CommandContext, late: AbortSignal, notes: string[]): CommandContext {
  const { typing: _typing, liveStages: _live, ...others } = context;
  return {
    ...others,
    write: () => undefined,
    note: (text) => void notes.push(text),
    look: PLAIN,
    signal: AbortSignal.any([context.signal, late]),
    stdin: nothing,
    stdinIsTerminal: false,
    progress: (_, work) => work(() => undefined),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  await Promise.resolve();
  yield* [];
}

function failureText(error: unknown, late: AbortSignal, milliseconds: number): string {
  if (late.aborted)
    return `error: no answer within ${String(milliseconds / 1000)} s\nhint: ask about one object or one namespace, or check the connection to the cluster\n`;
  if (error instanceof PodcheckError) return `error: ${error.message}\n${error.hint === '' ? '' : `hint: ${error.hint}\n`}`;
  return `podcheck failed, and that is a bug in podcheck: ${reasonOf(error)}\n`;
}
