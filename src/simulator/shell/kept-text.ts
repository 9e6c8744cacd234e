/** Gathers what a command writes for another one, and drops what is too much. */
export function keptText(): { readonly add: (text: string) => void; readonly text: () => string } {
  const texts: string[] = [];
  let length = 0;
  return {
    add: (text) => {
      if (length < MAX_TEXT) texts.push(text.slice(0, MAX_TEXT - length));
      length += text.length;
    },
    text: () => texts.join(''),
  };
}

/** Characters that are kept of an output or a file. */
export const MAX_TEXT = 1_000_000;
