import { describe, expect, it } from 'vitest';
import { objectLines } from '../../src/report/format/object-text.ts';
import { diffLines } from '../../src/runbook/object-diff.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    containers: [
      {
        name: 'web',
        env: [
          { name: 'DB_PASSWORD', value: 'Tr0ub4dor' },
          { name: 'MODE', value: 'dark' },
        ],
        args: ['--token', 'Tr0ub4dor'],
      },
    ],
  },
};

describe('an object that is shown', () => {
  it('hides values of variables whose names say that they open something, and behind flags', () => {
    const text = objectLines(POD).join('\n');
    expect(text).not.toContain('Tr0ub4dor');
    expect(text).toContain('name: DB_PASSWORD');
    expect(text).toContain('value: dark');
  });
});

describe('a difference that is shown', () => {
  it('hides what opens something, and says that it changed', () => {
    const [container] = POD.spec.containers;
    const after = {
      ...POD,
      spec: {
        containers: [
          {
            ...container,
            env: [
              { name: 'DB_PASSWORD', value: 'Tr0ub4dor2' },
              { name: 'MODE', value: 'light' },
            ],
          },
        ],
      },
    };
    const lines = diffLines(POD, after);
    expect(lines).toContain('- spec.containers[web].env[DB_PASSWORD].value: ***');
    expect(lines).toContain('+ spec.containers[web].env[MODE].value: light');
    expect(lines.join('\n')).not.toContain('Tr0ub4dor');
  });
});
