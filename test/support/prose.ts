/*
 * What can be counted about a text for people. Values that are filled in, commands and code do not count as words: how long they are is
 * not the author's choice.
 */

/** Words of the longest sentence. */
export function longestSentence(text: string): number {
  return Math.max(0, ...sentencesOf(text).map(wordsOf));
}

/** Sentences end with a point, a question mark or an exclamation mark before a blank. */
export function sentencesOf(text: string): readonly string[] {
  return plainOf(text)
    .split(/(?<=[.!?][)"'\]]?)\s+/)
    .filter((sentence) => /[A-Za-z]/.test(sentence));
}

function wordsOf(sentence: string): number {
  return sentence
    .split(/[\s—]+/)
    .filter((token) => /^[("']*[A-Za-z][a-z'’-]*[)"'.,;:!?]*$/.test(token) || /^[("']*[A-Z]{2,}s?[)"'.,;:!?]*$/.test(token)).length;
}

/** Optional parts are there; values and what stands in backticks are left out. */
function plainOf(text: string): string {
  return text
    .replaceAll(/\[\[|\]\]/g, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/\{\{[^{}]*\}\}/g, '')
    .replaceAll(/\s+/g, ' ');
}

/** `1 pods`, or a bare value before a plural that can be one: `{{ count }} pods`. */
export function wrongNumber(text: string): string | undefined {
  return (
    /(?<![\w/.:-])1 (?!(?:is|was|has|less|plus|this|its|as|s|ms)\b)[a-z]+(?<!s)s\b/.exec(text)?.[0] ??
    new RegExp(String.raw`\{\{ *\w+ *\}\} (?:${COUNTED})\b`).exec(text)?.[0]
  );
}

const COUNTED =
  'pods|nodes|replicas|containers|devices|volumes|seconds|minutes|times|retries|restarts|claims|endpoints|services|objects|attempts|failures|CPUs|of cpu';
