import { append } from '../../src/base/lists.ts';

/** A kubectl command as words and options; options of one letter stand under that letter. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

/** Words as a shell splits them: single and double quotes. Options that take a value take it, and it stands without quotes. */
export function parseCommand(line: string): CommandLine {
  const tokens = shellWords(line);
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    if (token === '--') {
      append(words, tokens.slice(index + 1));
      break;
    }
    if (!token.startsWith('-') || token === '-') words.push(token);
    else {
      const equals = token.indexOf('=');
      const name = token.replace(/^-+/, '').split('=')[0] ?? '';
      if (equals >= 0) options.set(name, token.slice(equals + 1));
      else if (WITH_VALUE.has(name)) options.set(name, tokens[++index] ?? '');
      else options.set(name, 'true');
    }
  }
  return { words, options };
}

const WITH_VALUE: ReadonlySet<string> = new Set([
  'n',
  'namespace',
  'f',
  'filename',
  'o',
  'p',
  'l',
  'selector',
  'kubeconfig',
  'raw',
  'c',
  'type',
  'subresource',
  'as',
  'as-group',
  'context',
  'token',
  'replicas',
  'timeout',
  'grace-period',
  'image',
  'field-manager',
  'to-revision',
  'server',
  's',
]);

function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let some = false;
  for (const letter of line) {
    if (quote !== '') {
      if (letter === quote) quote = '';
      else word += letter;
    } else if (letter === "'" || letter === '"') [quote, some] = [letter, true];
    else if (letter === ' ') {
      if (word !== '' || some) words.push(word);
      [word, some] = ['', false];
    } else word += letter;
  }
  if (word !== '' || some) words.push(word);
  return words;
}
