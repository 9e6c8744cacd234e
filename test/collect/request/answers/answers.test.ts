import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { answerTo, collected, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

const UNREACHABLE = 'Unable to connect to the server: dial tcp 10.0.0.1:6443: connect: connection refused';
const DENIED =
  'Error from server (Forbidden): error when creating "web.yaml": admission webhook "check.shop.example" denied the request: no';
const TABLE = 'NAME  READY\nweb   1/1\n';
const SILENT =
  'Error from server: Get "https://10.0.0.4:10250/containerLogs/shop/web-1/web": dial tcp 10.0.0.4:10250: connect: connection refused';

async function told(
  kind: 'answer' | 'refusal',
  objects: readonly KubeObject[],
  around: Parameters<typeof evidenceOf>[1] = {},
): Promise<ReturnType<typeof factsIn>> {
  return factsIn(await evidenceOf(objects, around), kind);
}

/** The commands of a session with what they printed. */
function session(...answers: readonly (readonly [command: string, output: string])[]): readonly KubeObject[] {
  return answers.map(([command, output], order) => answerTo(command, output, order));
}

const reasons = async (...answers: readonly (readonly [string, string])[]): Promise<readonly unknown[]> =>
  (await told('answer', session(...answers))).map(({ reason }) => reason);
const refusals = async (...answers: readonly (readonly [string, string])[]): Promise<readonly unknown[]> =>
  (await told('refusal', session(...answers))).map(({ reason }) => reason);

describe('a command that came to nothing', () => {
  it('is told with what it was to do', async () => {
    const [fact] = await told('answer', session(['kubectl --token=x -n shop apply -f web.yaml', UNREACHABLE]));
    expect(fact).toMatchObject({
      command: 'kubectl --token=x -n shop apply -f web.yaml',
      verb: 'apply',
      file: 'web.yaml',
      credential: 'token',
      workedBefore: false,
      recovered: false,
    });
  });

  it('is over once the same was done', async () => {
    const failed = ['kubectl -n shop apply -f web.yaml', UNREACHABLE] as const;
    expect(await reasons(failed)).toHaveLength(1);
    expect(await reasons(failed, ['kubectl -n shop apply -f web.yaml', 'deployment.apps/web created'])).toEqual([]);
    expect(await reasons(['kubectl -n shop apply -f web.yaml', 'deployment.apps/web created'], failed)).toHaveLength(1);
    expect(await reasons(failed, ['kubectl -n shop apply -f till.yaml', 'deployment.apps/till created'])).toHaveLength(1);
    expect(
      await reasons(failed, ['kubectl -n shop apply -f web.yaml --dry-run=server', 'deployment.apps/web created (server dry run)']),
    ).toHaveLength(1);
  });

  it('that only looked is over once any other of its identity worked', async () => {
    const failed = ['kubectl get pods', UNREACHABLE] as const;
    expect(await reasons(failed)).toHaveLength(1);
    expect(await reasons(failed, ['kubectl get nodes', TABLE])).toEqual([]);
    expect(await reasons(failed, ['kubectl --context other get nodes', TABLE])).toHaveLength(1);
    expect(await reasons(failed, ['kubectl get nodes', UNREACHABLE])).toHaveLength(2);
    expect(await reasons(failed, ['kubectl get nodes', ''])).toHaveLength(1);
    const before = await told('answer', session(['kubectl get nodes', TABLE], failed));
    expect(before).toMatchObject([{ workedBefore: true, recovered: false }]);
    const write = await told('answer', session(['kubectl apply -f web.yaml', UNREACHABLE], ['kubectl get nodes', TABLE]));
    expect(write).toMatchObject([{ recovered: true }]);
  });

  it('failed where its exit code says so', async () => {
    const ended = (exitCode: number): KubeObject =>
      objectOf('ClientAnswer', 'later', { spec: { command: 'kubectl get nodes', output: TABLE, order: 1, exitCode } });
    expect(await told('answer', [...session(['kubectl get pods', UNREACHABLE]), ended(1)])).toHaveLength(1);
    expect(await told('answer', [...session(['kubectl get pods', UNREACHABLE]), ended(0)])).toEqual([]);
  });

  it('is read in the order of the session, whatever that of the records', async () => {
    const answers = session(['kubectl get pods', UNREACHABLE], ['kubectl get nodes', TABLE]);
    expect(await told('answer', answers.toReversed())).toEqual([]);
  });
});

describe('a kubelet that does not answer', () => {
  const LOGS = 'kubectl -n shop logs web-1';

  it('is told, though the API server says it and other commands are answered', async () => {
    expect(await reasons([LOGS, SILENT])).toEqual(['kubelet-refused']);
    expect(await reasons([LOGS, SILENT], ['kubectl get nodes', TABLE])).toEqual(['kubelet-refused']);
    expect(await reasons(['kubectl get nodes', TABLE], [LOGS, SILENT])).toEqual(['kubelet-refused']);
    expect(await reasons([LOGS, SILENT], ['kubectl -n shop logs web-2', 'started'])).toEqual([]);
  });

  it('is not why a pod is not well', async () => {
    const pod = (phase: string, status: string): KubeObject =>
      objectOf('Pod', 'web-1', { spec: { containers: [] }, status: { phase, conditions: [{ type: 'Ready', status }] } });
    const beside = async (...pods: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await told('answer', [...session([LOGS, SILENT]), ...pods])).map(({ reason }) => reason);
    expect(await beside(pod('Running', 'True'))).toEqual(['kubelet-refused']);
    expect(await beside(pod('Running', 'False'))).toEqual([]);
    const other = objectOf('Pod', 'web-2', { spec: { containers: [] }, status: { phase: 'Failed' } });
    expect(await beside(pod('Running', 'True'), other)).toEqual([]);
  });
});

describe('a request that the API server refused', () => {
  const failed = ['kubectl -n shop apply -f web.yaml', DENIED] as const;

  it('is told with its manifest, and is over once that was applied', async () => {
    expect(await told('refusal', session(failed))).toMatchObject([
      { reason: 'webhook-denied', by: 'check.shop.example', file: 'web.yaml', via: 'answer', blocking: true },
    ]);
    expect(await refusals(failed, ['kubectl -n shop apply -f web.yaml', 'deployment.apps/web created'])).toEqual([]);
    expect(await refusals(failed, ['kubectl -n shop apply -f web.yaml', DENIED])).toHaveLength(2);
  });

  it('is of the object that the manifest declares, which may be there all the same', async () => {
    const manifest = objectOf('AppliedManifest', 'm', {
      spec: { file: 'web.yaml', object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } },
    });
    const about = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf([...session(failed), manifest, ...objects])).facts
        .filter(({ kind }) => kind === 'refusal')
        .map((fact) => [fact.about.kind, fact.about.namespace, fact.about.name, fact.fields['exists']]);
    expect(await about()).toEqual([['Deployment', 'shop', 'web', false]]);
    expect(await about(objectOf('Deployment', 'web', { spec: {} }))).toEqual([['Deployment', 'shop', 'web', true]]);
    const { targets } = await evidenceOf([...session(failed), manifest]);
    expect(targets.map(({ ref, reason }) => [ref.name, reason])).toEqual([['web', 'the API server refused it']]);
  });

  it('is of the object that the words, or the command, name', async () => {
    const about = async (command: string, output: string): Promise<unknown> => {
      const fact = (await evidenceOf(session([command, output]))).facts.find(({ kind }) => kind === 'refusal');
      return fact === undefined ? undefined : `${fact.about.kind}/${fact.about.namespace ?? ''}/${fact.about.name}`;
    };
    expect(
      await about(
        'kubectl -n shop scale deploy web --replicas 3',
        'Error from server (Forbidden): admission webhook "a.b" denied the request: no',
      ),
    ).toBe('Deployment/shop/web');
    expect(await about('kubectl -n shop apply -f a.yaml', 'The Service "till" is invalid: spec.ports: Required value')).toBe(
      'Service/shop/till',
    );
    expect(
      await about('kubectl -n shop apply -f a.yaml', 'Error from server (Forbidden): admission webhook "a.b" denied the request: no'),
    ).toBe('Manifest//a.yaml');
    expect(
      await about('kubectl --context prod create', 'Error from server (Forbidden): admission webhook "a.b" denied the request: no'),
    ).toBe('Cluster//prod');
  });

  it('of unknown words is told where something was to be written', async () => {
    expect(await refusals(['kubectl -n shop apply -f web.yaml', 'Error from server (Forbidden): the moon is full'])).toEqual(['other']);
    expect(await refusals(['kubectl -n shop get pods', 'Error from server (Forbidden): the moon is full'])).toEqual([]);
    expect(await refusals(['kubectl -n shop rollout status deploy web', 'Error from server (Forbidden): the moon is full'])).toEqual([]);
  });

  it('of a look is blocking only where nothing else worked', async () => {
    const look = [
      'kubectl get secrets -n shop',
      'Error from server (Forbidden): secrets is forbidden: User "jo" cannot list resource "secrets" in API group "" in the namespace "shop"',
    ] as const;
    expect(await told('refusal', session(look))).toMatchObject([{ blocking: true }]);
    expect(await told('refusal', session(['kubectl get pods', TABLE], look))).toMatchObject([{ blocking: false }]);
  });

  it('of an apply needs all that apply does', async () => {
    const cannot = (verb: string): string =>
      `Error from server (Forbidden): deployments.apps "web" is forbidden: User "jo" cannot ${verb} resource "deployments" in API group "apps" in the namespace "shop"`;
    const verbs = async (command: string, verb: string): Promise<unknown> =>
      (await told('refusal', session([command, cannot(verb)])))[0]?.['verbs'];
    expect(await verbs('kubectl -n shop apply -f a.yaml', 'patch')).toBe('get,create,patch');
    expect(await verbs('kubectl -n shop apply -f a.yaml', 'delete')).toBeUndefined();
    expect(await verbs('kubectl -n shop create -f a.yaml', 'create')).toBeUndefined();
    expect(await verbs('kubectl -n shop apply -f a.yaml --dry-run=server', 'patch')).toBeUndefined();
  });

  it('for a full etcd is over only for the same manifest', async () => {
    const full = [
      'kubectl -n shop apply -f web.yaml',
      'Error from server: error when creating "web.yaml": etcdserver: mvcc: database space exceeded',
    ] as const;
    expect(await refusals(full)).toEqual(['etcd-full']);
    expect(await refusals(full, ['kubectl -n shop create deployment web --image a', 'deployment.apps/web created'])).toEqual(['etcd-full']);
    expect(await refusals(full, ['kubectl -n shop apply -f web.yaml', 'deployment.apps/web created'])).toEqual([]);
  });

  it('in another namespace does not concern what is looked at', async () => {
    expect(
      await refusals([
        'kubectl -n till scale deploy web --replicas 3',
        'Error from server (Forbidden): admission webhook "a.b" denied the request: no',
      ]),
    ).toEqual([]);
  });
});

describe('a warning of the API server', () => {
  const UNKNOWN = 'Warning: unknown field "spec.template.spec.containers[0].imagePullPolcy"';
  const DONE = 'deployment.apps/web created';

  it('tells of a field that was dropped', async () => {
    expect(await told('refusal', session(['kubectl -n shop apply -f web.yaml --validate=false', `${UNKNOWN}\n${DONE}`]))).toMatchObject([
      { reason: 'unknown-field', via: 'answer', blocking: false, exists: true, file: 'web.yaml' },
    ]);
    expect(
      await refusals(
        ['kubectl -n shop apply -f web.yaml', `${UNKNOWN}\n${DONE}`],
        ['kubectl -n shop apply -f web.yaml', 'deployment.apps/web configured'],
      ),
    ).toEqual([]);
    expect(await refusals(['kubectl -n shop apply -f web.yaml', `${UNKNOWN}\n${DONE} (server dry run)`])).toEqual([]);
    expect(await refusals(['kubectl -n shop apply -f web.yaml', UNKNOWN])).toEqual([]);
    expect(await refusals(['kubectl -n shop apply -f web.yaml', `Warning: the moon is full\n${DONE}`])).toEqual([]);
  });

  it('of Pod Security tells where there are no pods', async () => {
    const warned = session([
      'kubectl -n shop apply -f web.yaml',
      `Warning: would violate PodSecurity "restricted:latest": privileged (container "web" must not set securityContext.privileged=true)\n${DONE}`,
    ]);
    expect(await told('refusal', warned)).toMatchObject([{ reason: 'pod-security-violated', blocking: false }]);
    expect(await told('refusal', [...warned, objectOf('Pod', 'web-1', { spec: {}, status: { phase: 'Running' } })])).toEqual([]);
    expect(await told('refusal', [...warned, objectOf('Pod', 'webs-1', { spec: {}, status: { phase: 'Running' } })])).toHaveLength(1);
    expect(await told('refusal', warned, { refused: ['Pod'] })).toEqual([]);
  });
});

describe('words that somebody pasted by themselves', () => {
  const text = (words: string): KubeObject => objectOf('LooseText', 'line-1', { spec: { text: words, line: 1 } }, { namespace: null });

  it('are the answer to an unknown command, where nothing else was seen', async () => {
    const forbidden = 'pods is forbidden: User "jo" cannot create resource "pods" in API group "" in the namespace "shop"';
    expect(await told('refusal', [text(forbidden)])).toMatchObject([{ reason: 'forbidden', user: 'jo' }]);
    expect(await told('refusal', [text(forbidden), objectOf('Deployment', 'web', { spec: {}, status: {} })])).toEqual([]);
    const { facts } = await evidenceOf([text(forbidden)]);
    expect(facts.find(({ kind }) => kind === 'refusal')).toMatchObject({ source: 'answer of the API server', quote: forbidden });
    expect(await told('answer', [text(SILENT)])).toMatchObject([{ reason: 'kubelet-refused', command: 'kubectl' }]);
    expect(await told('refusal', [text('the moon is full')])).toEqual([]);
  });
});

describe('a manifest', () => {
  const manifest = (object: JsonObject, index = 0, file = 'a/web.yaml'): KubeObject =>
    objectOf('AppliedManifest', `m-${String(index)}`, { spec: { file, object } }, { namespace: null });
  const manifests = (objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly unknown[]> =>
    evidenceOf(objects, around).then(({ facts }) =>
      facts.filter(({ kind }) => kind === 'manifest').map((fact) => [`${fact.about.kind}/${fact.about.name}`, fact.fields['exists']]),
    );

  it('declares an object that is there, that is not, or of which it is not known', async () => {
    const web = manifest({ kind: 'ConfigMap', metadata: { name: 'web' } });
    expect(await manifests([web, objectOf('ConfigMap', 'web', {})])).toEqual([['ConfigMap/web', true]]);
    expect(await manifests([web], { none: ['ConfigMap'] })).toEqual([['ConfigMap/web', false]]);
    expect(await manifests([web])).toEqual([['ConfigMap/web', undefined]]);
    expect(
      await manifests([manifest({ kind: 'ConfigMap', metadata: { name: 'web', namespace: 'till' } })], { none: ['ConfigMap'] }),
    ).toEqual([]);
  });

  it('without a kind declares what only that kind has', async () => {
    const kinds: readonly (readonly [JsonObject, string])[] = [
      [{ spec: { containers: [] } }, 'Pod'],
      [{ spec: { jobTemplate: {} } }, 'CronJob'],
      [{ spec: { template: {} } }, 'Deployment'],
      [{ spec: { template: {}, serviceName: 'web' } }, 'StatefulSet'],
      [{ spec: { ports: [] } }, 'Service'],
      [{ data: {} }, 'ConfigMap'],
    ];
    for (const [object, kind] of kinds)
      expect((await manifests([manifest({ ...object, metadata: { name: 'web' } })]))[0], kind).toContain(`${kind}/web`);
    expect(await manifests([manifest({ metadata: { name: 'web' } })])).toEqual([]);
    expect(await manifests([manifest({ kind: 'ConfigMap', metadata: {} })])).toEqual([]);
  });

  it('that cannot be parsed declares nothing, until it was mended', async () => {
    const broken = objectOf(
      'AppliedManifest',
      'm-0',
      { spec: { file: 'a/web.yaml', error: { line: 3, message: 'bad indentation' } } },
      { namespace: null },
    );
    const answers = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('answer', objects);
    expect(await answers(broken)).toEqual([{ reason: 'manifest-not-parsable', file: 'a/web.yaml', line: 3, detail: 'bad indentation' }]);
    expect(await answers(broken, manifest({ kind: 'ConfigMap', metadata: { name: 'web' } }, 1))).toEqual([]);
    expect(await answers(broken, manifest({ kind: 'ConfigMap', metadata: { name: 'web' } }, 1, 'b/till.yaml'))).toHaveLength(1);
    expect(await answers(manifest({ kind: 'ConfigMap', metadata: { name: 'web' } }))).toEqual([]);
    const seems = {
      ...broken,
      metadata: { ...broken.metadata, namespace: 'shop' },
      spec: { file: 'a/web.yaml', error: { line: 3, message: 'bad', seems: { kind: 'Deployment', name: 'web' } } },
    };
    const { facts } = await evidenceOf([seems]);
    expect(facts.find(({ kind }) => kind === 'answer')?.about).toMatchObject({ kind: 'Deployment', namespace: 'shop', name: 'web' });
  });
});
