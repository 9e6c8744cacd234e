/**
 * The path of an archive's entry within the archive; undefined for one to pass over: what leads out of it, dotfiles, what macOS
 * puts beside each file.
 */
export function entryPath(name: string): string | undefined {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || name.endsWith('/')) return undefined;
  return parts.some((part) => part.startsWith('.') || part === '__MACOSX') ? undefined : parts.join('/');
}
