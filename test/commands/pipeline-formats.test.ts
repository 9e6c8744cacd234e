import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { qualityProblems, sarifProblems } from '../support/sarif-schema.ts';
import { parseXml } from '../support/xml.ts';

const DESCRIBE = readFileSync('src/catalog/examples/missing-configmap.txt', 'utf8');

describe.each(['diagnose', 'scan'])('podcheck %s --from FILE', (command) => {
  const saved = (): string => `${folderWith({ 'web.txt': DESCRIBE })}/web.txt`;
  const run = async (format: string, from: string): Promise<string> => {
    const { code, out, err } = await podcheck([command, '--from', from, '-o', format]);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    return out;
  };

  it('-o sarif names the file and the version', async () => {
    const file = saved();
    const log = JSON.parse(await run('sarif', file)) as { runs: readonly [{ tool: object; results: readonly object[] }] };
    expect(sarifProblems(log)).toEqual([]);
    expect(log.runs[0].tool).toMatchObject({ driver: { name: 'podcheck' } });
    expect(log.runs[0].results[0]).toMatchObject({
      ruleId: 'volumes/configmap-not-found',
      locations: [{ physicalLocation: { artifactLocation: { uri: `file://${file}` } } }],
    });
  });

  it('-o sarif has no file for what is read from no file of its own', async () => {
    expect(await run('sarif', 'example:missing-configmap')).not.toContain('physicalLocation');
  });

  it('-o junit, github and gitlab name it, too', async () => {
    const file = saved();
    const root = parseXml(await run('junit', file));
    expect(root.attributes).toMatchObject({ failures: '1' });
    expect(root.children[0]?.attributes).toMatchObject({ name: file });
    expect(await run('github', file)).toContain(`::error file=${file},title=`);
    const report = JSON.parse(await run('gitlab', file)) as readonly object[];
    expect(qualityProblems(report)).toEqual([]);
    expect(report[0]).toMatchObject({ check_name: 'volumes/configmap-not-found', location: { path: file } });
  });
});
