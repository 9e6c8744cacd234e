import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { shippedScenario } from '../../src/catalog/bundled-data.ts';
import { assert } from '../../src/base/assert.ts';
import { played } from '../support/scenario-runs.ts';
import { podcheck } from '../support/command-line.ts';

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

async function printed(...flags: readonly string[]): Promise<readonly Role[]> {
  const { code, out, err } = await podcheck(['rbac', ...flags]);
  expect([code, err]).toEqual([0, '']);
  return parseAllDocuments(out).map((document) => document.toJS() as Role);
}

function resourcesOf(roles: readonly Role[]): readonly string[] {
  return roles.flatMap(({ rules = [] }) => rules.flatMap(({ resources }) => resources));
}

describe('podcheck rbac', () => {
  it('gives rights to read, and none to Secrets', async () => {
    const roles = await printed();
    expect(roles.map(({ kind }) => kind)).toEqual(['ClusterRole']);
    expect(resourcesOf(roles)).toEqual(expect.arrayContaining(['pods', 'pods/log', 'nodes', 'deployments']));
    expect(resourcesOf(roles)).not.toContain('secrets');
    expect(new Set(roles.flatMap(({ rules = [] }) => rules.flatMap(({ verbs }) => verbs)))).toEqual(new Set(['get', 'list']));
  });

  it('gives more where it is asked to, and less', async () => {
    expect(resourcesOf(await printed('--secrets'))).toContain('secrets');
    expect(resourcesOf(await printed('--certificates'))).toContain('certificates');
    expect(resourcesOf(await printed('--no-logs'))).not.toContain('pods/log');
    const [role] = await printed('--watch');
    expect(role?.rules?.find(({ resources }) => resources.includes('pods'))?.verbs).toEqual(['get', 'list', 'watch']);
  });

  it('gives the right to change what a watch keeps, by name', async () => {
    const roles = await printed('--watch', '--state-namespace', 'ops', '--replicas', '2', '--bind', 'serviceaccount:ops/podcheck');
    expect(roles.map(({ kind }) => kind)).toEqual(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);
    expect(roles[2]).toMatchObject({ metadata: { namespace: 'ops' } });
    for (const rule of roles[2]?.rules ?? [])
      expect(rule).toMatchObject({ resourceNames: ['podcheck-watch-0', 'podcheck-watch-1'], verbs: ['get', 'patch'] });
    expect(resourcesOf(roles.slice(2))).toEqual(['configmaps', 'leases']);
  });

  it('gives rights in some namespaces, and elsewhere only to what is in none', async () => {
    const roles = await printed('--scope', 'shop,till,shop', '--bind', 'serviceaccount:ops/podcheck');
    expect(roles.map(({ kind, metadata: { namespace } }) => `${kind} ${namespace ?? ''}`)).toEqual([
      'ClusterRole ',
      'ClusterRoleBinding ',
      'Role shop',
      'RoleBinding shop',
      'Role till',
      'RoleBinding till',
    ]);
    expect(resourcesOf(roles.slice(0, 1))).not.toContain('pods');
  });

  it.each([[[]], [['-n', 'shop', '--bind', 'user:jane']], [['--scope', 'shop,till', '--watch', '--bind', 'group:oncall']]])(
    'is accepted by the API server: %j',
    async (flags) => {
      const scenario = await shippedScenario('healthy/pod');
      assert(scenario !== undefined, 'the scenario is gone');
      const cluster = played(scenario);
      const namespaces = ['shop', 'till'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
      const applied = cluster.apply([...namespaces, ...(await printed(...flags))] as never);
      expect(applied.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    },
  );

  it.each([
    [['--bind', 'jane'], 'is not a subject'],
    [['--bind', 'serviceaccount:podcheck'], 'is not a subject'],
    [['--scope', 'shop,Shop'], '"Shop" is not a valid namespace'],
    [['--scope', 'shop', '-n', 'till'], '-n and --scope cannot be used together'],
    [['--name', 'a b'], '"a b" is not a valid name'],
    [['-o', 'table'], 'unknown output format'],
  ])('%j is refused', async (flags, message) => {
    const { code, err } = await podcheck(['rbac', ...flags]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
