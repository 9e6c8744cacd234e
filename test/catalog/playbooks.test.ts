import { describe, expect, it } from 'vitest';
import { loadPlaybooks, parsePlaybook } from '../../src/catalog/load-playbooks.ts';
import { loadRules } from '../../src/catalog/load-rules.ts';
import type { Problem } from '../../src/catalog/yaml-cursor.ts';

const { playbooks, problems } = await loadPlaybooks('playbooks');
const { rules } = await loadRules('rules');

describe('the playbooks', () => {
  it('are all readable', () => {
    expect(problems).toEqual([]);
    expect(playbooks.length).toBeGreaterThan(0);
  });

  it('are there for every rule that names one, and every one is named', () => {
    const named = new Set(rules.flatMap(({ playbook }) => playbook ?? []));
    expect([...named].toSorted()).toEqual(playbooks.map(({ name }) => name));
  });

  it('each have a command to look with', () => {
    expect(playbooks.filter(({ steps }) => steps.every(({ run }) => run === undefined))).toEqual([]);
  });
});

describe('a playbook file', () => {
  it.each([
    ['an unknown field', 'title: T\nuse: U\nsteps: [{ say: S }]\nescalate: E\nowner: me\n', 5, /unknown field "owner"/],
    ['a missing field', 'title: T\nuse: U\nsteps: [{ say: S }]\n', 1, /"escalate" is missing/],
    ['no steps', 'title: T\nuse: U\nsteps: []\nescalate: E\n', 3, /at least one step/],
    ['a step without words', 'title: T\nuse: U\nsteps: [{ run: ls }]\nescalate: E\n', 3, /"say" is missing/],
  ])('is refused for %s, with its line', (_, source, line, message) => {
    const found: Problem[] = [];
    expect(parsePlaybook('crash-loop.yaml', source, 'crash-loop', found)).toBeUndefined();
    expect(found[0]?.line).toBe(line);
    expect(found[0]?.message).toMatch(message);
  });
});
