/**
 * Warnings as headers of an answer, each once: cut short once they are too long together, and the last of them left out then.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go (AddWarning).
 */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const all = [...new Set(warnings)];
  let total = 0;
  for (const text of all) total += text.length;
  if (total <= MAX_LENGTH) return all.map(headerOf);
  const headers: string[] = [];
  let written = 0;
  for (const text of all) {
    if (written >= MAX_LENGTH) break;
    const cut = text.slice(0, MAX_WARNING_LENGTH);
    headers.push(headerOf(cut));
    written += cut.length;
  }
  return headers;
}

const MAX_LENGTH = 4096;
const MAX_WARNING_LENGTH = 256;

function headerOf(text: string): string {
  return `299 - ${JSON.stringify(text)}`;
}
