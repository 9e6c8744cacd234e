import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/**
 * Where a YAML text names a key twice in one map, as Go's strict decoder says it: `line 9: key "foo" already set in map`. A text that is no
 * YAML has none. It takes time that grows with the square of the text: bound it. Source: go.yaml.in/yaml/v2 (decode.go, mappingSlice).
 */
export function duplicateKeys(text: string): readonly string[] {
  const lineCounter = new LineCounter();
  const found: string[] = [];
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, lineCounter, prettyErrors: false, logLevel: 'silent' });
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name))
          found.push(`line ${lineCounter.linePos(key.range?.[0] ?? 0).line}: key ${JSON.stringify(name)} already set in map`);
        seen.add(name);
      }
    },
  });
  return found;
}
