/** Why a file of a folder is no evidence of the state to be diagnosed, though it may look like it; undefined for all others. */
export function reasonToLeaveOut(path: string, paths: ReadonlySet<string>): string | undefined {
  const slash = path.lastIndexOf('/');
  const file = path.slice(slash + 1);
  for (const [pattern, reason] of LEFT_OUT) if (pattern.test(file)) return reason;
  const twin = `${path.slice(0, slash + 1)}transcript.txt`;
  return file === 'commands.txt' && paths.has(twin) ? 'transcript.txt has the same commands' : undefined;
}

const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^(?:expected|truth)\.json$|^scenario\.md$|^labels\.ya?ml$/, 'it contains the answer'],
  [/^after-fix\.json$/, 'it shows the state after the fix'],
  [/^watch\.jsonl$/, 'it shows all states over time'],
  [/^(?:readme|source|licen[cs]e)(?:\.[a-z]+)?$/i, 'it is about the evidence'],
];
