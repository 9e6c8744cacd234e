/** What a table has under a name that came from outside; what every object inherits (`constructor`, `toString`) is not in it. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
