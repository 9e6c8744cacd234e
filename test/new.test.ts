import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRule } from '../src/catalog/parse-rule.ts';
import { parseScenario } from '../src/catalog/parse-scenario.ts';
import type { Problem } from '../src/catalog/yaml-problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'podcheck-new-'));
mkdirSync(join(folder, '.build'));
cpSync('.build/new.mjs', join(folder, '.build/new.mjs'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function create(id: string): { readonly code: number; readonly out: string } {
  try {
    return { code: 0, out: execFileSync(process.execPath, [join(folder, '.build/new.mjs'), id], { encoding: 'utf8', stdio: 'pipe' }) };
  } catch (error) {
    const { status, stderr } = error as { readonly status: number; readonly stderr: string };
    return { code: status, out: stderr };
  }
}

describe('a new failure mode', () => {
  it('begins with a rule and a scenario that can be read as they are', () => {
    expect(create('volumes/map-not-there').code).toBe(0);
    const problems: Problem[] = [];
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
    expect(parseRule('rule.yaml', read('rules/volumes/map-not-there.yaml'), 'volumes/map-not-there', problems)).toBeDefined();
    expect(
      parseScenario('scenario.yaml', read('rules/volumes/map-not-there.scenario.yaml'), 'volumes/map-not-there', problems),
    ).toBeDefined();
    expect(problems).toEqual([]);
  });

  it('is never written over one that is there', () => {
    create('volumes/taken');
    expect(create('volumes/taken')).toMatchObject({ code: 2 });
  });

  it.each(['volumes', 'volume/x', 'volumes/Bad_Name', 'volumes/a/b', '../volumes/x'])(
    'is refused for the name %s, with the stages there are',
    (id) => {
      const { code, out } = create(id);
      expect(code).toBe(2);
      expect(out).toContain('mutating-admission');
      expect(existsSync(join(folder, 'rules', id))).toBe(id === 'volumes');
    },
  );
});
