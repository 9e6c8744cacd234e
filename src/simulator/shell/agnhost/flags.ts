import { own } from '../../../base/own-property.ts';

/** The flags of a command line: `--name=value`, `--name value`, `-name`, `--name`; one that is given again counts last. */
export function flagsOf(args: readonly string[]): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (let index = 0; index < args.length; index++) {
    const [, name = '', value] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(args[index] ?? '') ?? [];
    if (name === '') continue;
    const next = args[index + 1];
    if (value !== undefined) flags[name] = value;
    else if (next !== undefined && !next.startsWith('-')) {
      flags[name] = next;
      index++;
    } else flags[name] = 'true';
  }
  return flags;
}

export function flag(flags: Readonly<Record<string, string>>, name: string, otherwise = ''): string {
  return own(flags, name) ?? otherwise;
}
