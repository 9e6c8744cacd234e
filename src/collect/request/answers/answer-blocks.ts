import type { Vocabulary } from '../../survey/vocabulary.ts';

/** One piece of what a client printed: an object it reports done, or words that say what failed. */
export type AnswerBlock =
  | { readonly kind: 'done'; readonly resource: string; readonly name: string; readonly how: string; readonly dryRun: boolean }
  | { readonly kind: 'failed' | 'warning'; readonly text: string };

const OUTPUT_LIMIT = 200_000;
const BLOCK_LIMIT = 8000;

/** `pod/web created`, `deployment.apps/web configured (server dry run)`: nothing else stands in brackets. Source: staging/src/k8s.io/cli-runtime/pkg/printers/name.go. */
const DONE = /^(?<resource>[a-z][\w.-]*)\/(?<name>[\w.:-]+) (?<how>[a-z][a-z -]*)(?: \((?<note>[^()]*)\))?$/;
/** `pod "web" deleted`, since 1.33 `… deleted from shop namespace`. */
const DELETED = /^(?<resource>[a-z][\w.-]*) "(?<name>[^"]+)" (?:force )?deleted(?: from \S+ namespace)?(?: \((?<note>[^()]*)\))?$/;
const WARNING = /^Warning: /;
/** Lines of client-go's log that kubectl prints before its own words. */
const NOISE = /^[EWI]\d{4} \d\d:\d\d/;

/** Splits an output into what was done and what failed; tables and other text that is neither are left out. */
export function answerBlocks(output: string, vocabulary: Vocabulary): readonly AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  let open: { kind: 'failed' | 'warning'; lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push({ kind: open.kind, text: open.lines.join('\n').trimEnd().slice(0, BLOCK_LIMIT) });
    open = undefined;
  };
  for (const line of output.slice(0, OUTPUT_LIMIT).split('\n')) {
    if (NOISE.test(line)) continue;
    const done = doneIn(line);
    const failed = vocabulary.begins('failed-answer', line);
    if (done !== undefined) {
      close();
      blocks.push(done);
    } else if (failed || WARNING.test(line)) {
      close();
      open = { kind: failed ? 'failed' : 'warning', lines: [line] };
    } else open?.lines.push(line);
  }
  close();
  return blocks;
}

function doneIn(line: string): AnswerBlock | undefined {
  const text = line.trimEnd();
  const { resource, name, how = 'deleted', note } = (DONE.exec(text) ?? DELETED.exec(text))?.groups ?? {};
  return resource === undefined || name === undefined ? undefined : { kind: 'done', resource, name, how, dryRun: note !== undefined };
}
