import { RE2JS, RE2JSException } from 're2js';

/** A regular expression as Go has it: the time it takes grows with the text, never faster. */
export interface LinearPattern {
  /** Whether it fits anywhere in the text. */
  test(text: string): boolean;
  /** What fits first, and from where; undefined when nothing does. `from` counts in characters of the text. */
  find(text: string, from?: number): { readonly index: number; readonly text: string } | undefined;
}

/** The pattern, or Go's words of what is wrong with it. Source: Go's regexp (Compile). */
export function linearPattern(pattern: string): LinearPattern | { readonly trouble: string } {
  try {
    const compiled = RE2JS.compile(pattern);
    return {
      test: (text) => compiled.matcher(text).find(),
      find: (text, from = 0) => {
        const matcher = compiled.matcher(text);
        return matcher.find(from) ? { index: matcher.start(), text: matcher.group() ?? '' } : undefined;
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) return { trouble: withExpression(error.message, pattern) };
    throw error;
  }
}

/** Go always says where: at the end, which is nothing, or in the whole. Source: Go's regexp/syntax (Error, parse). */
function withExpression(words: string, pattern: string): string {
  if (words.endsWith('`')) return words;
  return `${words}: \`${words.endsWith('at end of expression') ? '' : pattern}\``;
}
