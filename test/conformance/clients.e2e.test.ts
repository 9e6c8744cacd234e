import { execFileSync } from 'node:child_process';
import { CoreV1Api, KubeConfig, makeInformer, Watch } from '@kubernetes/client-node';
import type { V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bench } from './kubectl.ts';
import { deployment, isProgram, openBench } from './kubectl.ts';
import type { RowId } from './matrix.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  bench.shop('clients', [
    deployment('web'),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { colour: 'red' } },
  ]);
});
afterAll(() => bench.close());

function config(): KubeConfig {
  const loaded = new KubeConfig();
  loaded.loadFromString(bench.serving.kubeconfig);
  return loaded;
}

describe('@kubernetes/client-node', () => {
  row('clients', 'lists, creates, and is told of what changes by an informer', async () => {
    const api = config().makeApiClient(CoreV1Api);
    const seen: string[] = [];
    const informer = makeInformer(config(), '/api/v1/namespaces/clients/configmaps', () =>
      api.listNamespacedConfigMap({ namespace: 'clients' }),
    );
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, (object: V1ConfigMap) => void seen.push(`${verb} ${object.metadata?.name ?? ''}`));
    informer.on('error', (error: unknown) => void seen.push(`error ${String(error)}`));
    await informer.start();
    await api.createNamespacedConfigMap({ namespace: 'clients', body: { metadata: { name: 'made' }, data: { a: '1' } } });
    await api.deleteNamespacedConfigMap({ namespace: 'clients', name: 'made' });
    while (!seen.includes('delete made')) await new Promise((resolve) => setTimeout(resolve, 20));
    await informer.stop();
    expect(seen).toEqual(expect.arrayContaining(['add settings', 'add made', 'delete made']));
    expect(seen.join()).not.toContain('error');
  });

  row('clients', 'watches from where its list ended', async () => {
    const api = config().makeApiClient(CoreV1Api);
    const { metadata } = await api.listNamespacedConfigMap({ namespace: 'clients' });
    const events: string[] = [];
    const abort = await new Watch(config()).watch(
      '/api/v1/namespaces/clients/configmaps',
      { resourceVersion: metadata?.resourceVersion, allowWatchBookmarks: true },
      (type: string, object: V1ConfigMap) => void events.push(`${type} ${object.metadata?.name ?? ''}`),
      () => undefined,
    );
    await api.createNamespacedConfigMap({ namespace: 'clients', body: { metadata: { name: 'later' } } });
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    expect(events).toEqual(['ADDED later']);
  });
});

/** These need no kubectl. */
function row(id: RowId, title: string, run: () => Promise<void>): void {
  it(`${id}: ${title}`, run);
}

/** Built from test/oracle/client. */
const GO_CLIENT = process.env['PODCHECK_TEST_GO_CLIENT'] ?? '';

describe('client-go', () => {
  const lacks = isProgram(GO_CLIENT) ? '' : ' (not run: test/oracle/client is not built)';
  it.skipIf(lacks !== '')(`lists, watches, applies and elects a leader, in JSON and in protobuf${lacks}`, async () => {
    bench.shop('go');
    const { code, out, err } = await bench.run(GO_CLIENT, ['go']);
    const typed = [
      'synced *v1.ConfigMap true',
      'added typed map[a:1]',
      'updated typed map[a:1 b:2]',
      'updated typed map[b:2]',
      'updated typed map[b:2 c:3] 2',
      'listed typed true',
      'deleted typed map[b:2 c:3]',
      'not found: true',
    ];
    expect({ code, out: out.trim().split('\n'), err: withoutLog(err) }).toEqual({
      code: 0,
      out: ['application/json', ...typed, 'application/vnd.kubernetes.protobuf', ...typed, 'untyped is ready', 'first led', 'second led'],
      err: '',
    });
  });
});

/** Built from test/conformance/popeye. */
const POPEYE = process.env['PODCHECK_TEST_POPEYE'] ?? '';

describe('popeye', () => {
  const lacks = isProgram(POPEYE) ? '' : ' (not run: test/conformance/popeye is not built)';
  it.skipIf(lacks !== '')(`reads every kind that it knows, and finds what is wrong with a workload${lacks}`, async () => {
    bench.shop('popeye', [deployment('web')]);
    const { code, out, err, requests } = await bench.run(POPEYE, ['-A', '-o', 'json', '--force-exit-zero']);
    const { popeye } = JSON.parse(out) as { popeye: { errors?: unknown; sections: readonly Section[] } };
    expect({ code, err, errors: popeye.errors }).toEqual({ code: 0, err: '' });
    expect(requests.filter((request) => request.code >= 400)).toEqual([]);
    const said = (wanted: string, name: string): readonly string[] =>
      (popeye.sections.find(({ linter }) => linter === wanted)?.issues[name] ?? []).map(({ message }) => message);
    expect(said('cluster', 'Version')).toEqual(['[POP-406] K8s version OK']);
    expect(said('deployments', 'popeye/web')).toContain('[POP-106] No resources requests/limits defined');
    expect(popeye.sections.map(({ linter }) => linter)).toEqual(expect.arrayContaining(LINTERS));
  });
});

interface Section {
  readonly linter: string;
  readonly issues: Readonly<Record<string, readonly { readonly message: string }[]>>;
}

const LINTERS = [
  'clusterroles',
  'cronjobs',
  'daemonsets',
  'horizontalpodautoscalers',
  'ingresses',
  'jobs',
  'networkpolicies',
  'nodes',
  'pods',
];

/** How often a screen is looked at before it is given up. */
const SCREENS = 500;

/** Built from test/conformance/k9s; it needs a terminal. */
const K9S = process.env['PODCHECK_TEST_K9S'] ?? '';

describe('k9s', () => {
  const lacks = !isProgram(K9S) ? 'test/conformance/k9s is not built' : runs('tmux', '-V') ? '' : 'tmux is not on this machine';
  it.skipIf(lacks !== '')(`shows pods, what becomes of them, and another kind${lacks === '' ? '' : ` (not run: ${lacks})`}`, async () => {
    bench.shop('k9s', [deployment('web')]);
    const tmux = (...words: readonly string[]): ReturnType<Bench['run']> =>
      bench.run('tmux', words, { env: { TMUX_TMPDIR: bench.folder, TERM: 'xterm-256color' } });
    const shows = async (...texts: readonly string[]): Promise<void> => {
      let screen = '';
      for (let tries = 0; tries < SCREENS; tries++) {
        screen = (await tmux('capture-pane', '-p')).out;
        if (texts.every((text) => screen.includes(text))) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${texts.join(', ')} is not shown:\n${screen}`);
    };
    await tmux('new-session', '-d', '-x', '160', '-y', '40', `'${K9S}' -n k9s -c pods --logoless`);
    try {
      await shows('pods(k9s)[2]', 'web-', 'Running');
      bench.serving.cluster.apply([deployment('till')], { namespace: 'k9s' });
      await shows('pods(k9s)[4]', 'till-');
      await tmux('send-keys', ':deploy', 'Enter');
      await shows('deployments(k9s)[2]', 'till', 'web');
    } finally {
      await tmux('kill-server');
    }
  });
});

/** Without what the library logs by itself: that it waits for a lease, and has it. */
function withoutLog(err: string): string {
  return err.replaceAll(/^[IE]\d{4} .*\n/gm, '');
}

const PYTHON = '/usr/bin/python3';
const HAS_PYTHON = runs(PYTHON, '-c', 'import kubernetes');

describe('python3-kubernetes', () => {
  it.skipIf(!HAS_PYTHON)(
    `lists, patches, deletes and watches${HAS_PYTHON ? '' : ' (not run: python3-kubernetes is not on this machine)'}`,
    async () => {
      const script = bench.file(
        'client.py',
        `
from kubernetes import client, config, watch
config.load_kube_config()
core, apps = client.CoreV1Api(), client.AppsV1Api()
print([p.status.phase for p in core.list_namespaced_pod("clients", label_selector="app=web").items])
core.create_namespaced_config_map("clients", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="python"), data={"a": "1"}))
core.patch_namespaced_config_map("python", "clients", {"data": {"b": "2"}})
print(core.read_namespaced_config_map("python", "clients").data)
print(apps.patch_namespaced_deployment_scale("web", "clients", {"spec": {"replicas": 3}}).spec.replicas)
for event in watch.Watch().stream(core.list_namespaced_config_map, "clients", field_selector="metadata.name=python", timeout_seconds=5):
    print(event["type"], event["object"].metadata.name)
    break
core.delete_namespaced_config_map("python", "clients")
try:
    core.read_namespaced_config_map("python", "clients")
except client.ApiException as error:
    print(error.status, error.reason)
`,
      );
      const { code, out, err } = await bench.run(PYTHON, [script]);
      expect({ code, out, err }).toEqual({
        code: 0,
        err: '',
        out: "['Running', 'Running']\n{'a': '1', 'b': '2'}\n3\nADDED python\n404 Not Found\n",
      });
    },
  );
});

function runs(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
