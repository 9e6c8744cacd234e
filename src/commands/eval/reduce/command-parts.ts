import { segmentsOf } from '../../../clusters/transcript/segments.ts';

/** A command of a transcript with what it printed, as the lines of the text they are. */
export interface CommandPart {
  readonly shows: 'listing' | 'describe' | 'events' | 'logs' | 'yaml' | 'other';
  readonly lines: readonly string[];
}

const LISTING_OUTPUTS: ReadonlySet<string> = new Set(['', 'wide']);

/** Cuts a text at the commands in it; what stands before the first of them is no part. */
export function commandParts(text: string): readonly CommandPart[] {
  const lines = text.split('\n');
  const segments = segmentsOf(text).filter(({ command }) => command !== undefined);
  return segments.map(({ command, line }, index) => ({
    shows: command === undefined ? 'other' : shownBy(command),
    lines: lines.slice(line - 1, (segments[index + 1]?.line ?? lines.length + 1) - 1),
  }));
}

function shownBy({ tool, verb, args, flags }: NonNullable<ReturnType<typeof segmentsOf>[number]['command']>): CommandPart['shows'] {
  if (tool === 'cat') return args.concat(verb).some((name) => /\.ya?ml$/.test(name)) ? 'yaml' : 'other';
  if (tool !== 'kubectl') return 'other';
  if (verb === 'describe' || verb === 'logs') return verb;
  if (verb === 'events') return 'events';
  if (verb !== 'get') return 'other';
  const output = flags.get('o') ?? flags.get('output') ?? '';
  if (!LISTING_OUTPUTS.has(output)) return output === 'yaml' ? 'yaml' : 'other';
  return /^ev(?:ents?)?$/.test(args[0] ?? '') ? 'events' : 'listing';
}
