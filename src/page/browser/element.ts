/** The element of an id, which the page has. */
export function the<T extends HTMLElement>(id: string, kind: abstract new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`the page has no #${id}`);
}

/** A new element with a text, which never becomes markup. */
export function made(tag: string, text: string, className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}

export function on(id: string, event: string, heard: (event: Event) => void): void {
  the(id, HTMLElement).addEventListener(event, heard);
}
