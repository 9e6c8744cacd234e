import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { answerTo, collected, evidenceOf, objectOf } from '../../../support/collected.ts';

const UNREACHABLE = 'Unable to connect to the server: dial tcp 10.0.0.1:6443: connect: connection refused';
const HOOK = 'admission webhook "check.shop.example" denied the request: no';
const DENIED = `Error from server (Forbidden): ${HOOK}`;
const TABLE = 'NAME  READY\nweb   1/1\n';

type Around = Parameters<typeof evidenceOf>[1];

function session(...answers: readonly (readonly [command: string, output: string])[]): readonly KubeObject[] {
  return answers.map(([command, output], order) => answerTo(command, output, order));
}

function manifest(object: JsonObject, file = 'web.yaml', metadata: JsonObject = {}): KubeObject {
  return objectOf(
    'AppliedManifest',
    `m-${file}-${JSON.stringify(object).length}`,
    { spec: { file, object } },
    { namespace: null, ...metadata },
  );
}

/** What the facts of a kind are about, with their source. */
async function told(kind: 'answer' | 'refusal', objects: readonly KubeObject[], around: Around = {}): Promise<readonly string[]> {
  const { facts } = await evidenceOf(objects, around);
  return facts
    .filter((fact) => fact.kind === kind)
    .map(({ about, fields }) => `${about.kind}/${about.namespace ?? ''}/${about.name}: ${String(fields['reason'])}`);
}

describe('a failure of the client', () => {
  const one = (command: string, output: string, ...others: readonly KubeObject[]): Promise<readonly string[]> =>
    told('answer', [...session([command, output]), ...others]);

  it('is of the cluster that it was to reach', async () => {
    expect(await one('kubectl get pods', UNREACHABLE)).toEqual(['Cluster//cluster: server-unreachable']);
    expect(await one('kubectl --context prod get pods', UNREACHABLE)).toEqual(['Cluster//prod: server-unreachable']);
    const target = { kind: 'Deployment', namespace: 'shop', name: 'web' };
    const web = objectOf('Deployment', 'web', { spec: {}, status: {} });
    expect(await told('answer', [...session(['kubectl get pods', UNREACHABLE]), web], { target })).toEqual([
      'Cluster//cluster: server-unreachable',
    ]);
  });

  it.each<readonly [string, string, string]>([
    ['whose manifest has no name', 'error: error validating "web.yaml": resource name may not be empty', 'manifest-without-name'],
    ['whose file is not there', 'error: the path "web.yaml" does not exist', 'manifest-not-found'],
    [
      'whose namespace is another',
      'error: the namespace from the provided object "till" does not match the namespace "shop". You must pass \'--namespace=till\' to perform this operation.',
      'namespace-mismatch',
    ],
    [
      'whose kind is not served',
      'error: unable to recognize "web.yaml": no matches for kind "Gadget" in version "shop.example/v1"',
      'kind-not-served',
    ],
  ])('is of the manifest %s', async (_, output, reason) => {
    expect(await one('kubectl -n shop apply -f web.yaml', output)).toEqual([`Manifest//web.yaml: ${reason}`]);
    const declared = manifest({ kind: 'Gadget', metadata: { name: 'web' } });
    expect(await one('kubectl -n shop apply -f web.yaml', output, declared)).toEqual([`Gadget/shop/web: ${reason}`]);
    const other = manifest({ kind: 'Gadget', metadata: { name: 'till' } }, 'till.yaml');
    expect(await one('kubectl -n shop apply -f web.yaml', output, other)).toEqual([`Manifest//web.yaml: ${reason}`]);
  });

  it('is of the cluster where a command names no manifest, and of the object that the words name', async () => {
    const unserved = 'no matches for kind "Gadget" in version "shop.example/v1"';
    expect(await one('kubectl create', `error: ${unserved}`)).toEqual(['Cluster//cluster: kind-not-served']);
    const mapping = `error: resource mapping not found for name: "web" namespace: "shop" from "web.yaml": ${unserved}`;
    const [found] = await one('kubectl apply -f web.yaml', `${mapping}\nensure CRDs are installed first`);
    expect(found).toBe('Gadget/shop/web: kind-not-served');
  });

  it('is of the object that a manifest seems to declare which cannot be parsed', async () => {
    const broken = (file: string, error: JsonObject, metadata: JsonObject = { namespace: 'shop' }): KubeObject =>
      objectOf('AppliedManifest', `b-${file}`, { spec: { file, error } }, metadata);
    const output = 'error: error parsing web.yaml: error converting YAML to JSON: yaml: line 3: did not find expected key';
    const seems = { message: 'bad', line: 3, seems: { kind: 'Deployment', name: 'web' } };
    expect(await one('kubectl apply -f web.yaml', output, broken('a/web.yaml', seems))).toEqual([
      'Deployment/shop/web: manifest-not-parsable',
    ]);
    expect(await one('kubectl apply -f web.yaml', output, broken('a/till.yaml', seems))).toEqual([
      'Manifest//web.yaml: manifest-not-parsable',
      'Deployment/shop/web: manifest-not-parsable',
    ]);
    expect(
      await one('kubectl apply -f web.yaml', output, manifest({ kind: 'Deployment', metadata: { name: 'till' } }, 'till.yaml')),
    ).toEqual(['Manifest//web.yaml: manifest-not-parsable']);
    for (const part of [{ kind: 'Deployment' }, { name: 'web' }])
      expect(await one('kubectl apply -f web.yaml', output, broken('a/web.yaml', { message: 'bad', seems: part }))).toEqual([
        'Manifest//web.yaml: manifest-not-parsable',
      ]);
    const node = { message: 'bad', seems: { kind: 'Node', name: 'worker-1' } };
    expect(await one('kubectl apply -f web.yaml', output, broken('a/web.yaml', node))).toEqual(['Node//worker-1: manifest-not-parsable']);
  });

  it('in another namespace does not concern what is looked at', async () => {
    const web = manifest({ kind: 'Gadget', metadata: { name: 'web', namespace: 'till' } });
    const output = 'error: unable to recognize "web.yaml": no matches for kind "Gadget" in version "shop.example/v1"';
    expect(await one('kubectl apply -f web.yaml', output, web)).toEqual([]);
  });

  it('makes its object a target, but for a look that recovered', async () => {
    const targets = async (...answers: readonly (readonly [string, string])[]): Promise<readonly unknown[]> =>
      (await evidenceOf(session(...answers))).targets.map(({ ref, state, reason }) => [ref.name, state, reason]);
    expect(await targets(['kubectl get pods', UNREACHABLE])).toEqual([['cluster', 'unhealthy', 'server unreachable']]);
    expect(await targets(['kubectl apply -f web.yaml', UNREACHABLE], ['kubectl get nodes', TABLE])).toHaveLength(1);
    expect(await targets(['kubectl get pods', UNREACHABLE], ['kubectl get nodes', TABLE])).toEqual([]);
  });

  it('quotes its command, and tells its first line where the words name nothing', async () => {
    const { facts } = await evidenceOf(session(['kubectl get pods', 'error: Missing or incomplete configuration info.\nsecond line']));
    expect(facts.filter(({ kind }) => kind === 'answer')).toEqual([]);
    const { facts: all } = await evidenceOf(session(['kubectl --kubeconfig k get pods', UNREACHABLE]));
    const fact = all.find(({ kind }) => kind === 'answer');
    expect(fact).toMatchObject({ source: '$ kubectl --kubeconfig k get pods', quote: UNREACHABLE });
  });
});

describe('a refusal of the API server', () => {
  const refused = (command: string, output: string, ...others: readonly KubeObject[]): Promise<readonly string[]> =>
    told('refusal', [...session([command, output]), ...others]);

  it('is of the object that its manifest declares, of its kind, in the namespace of the words', async () => {
    const web = manifest({ kind: 'Deployment', metadata: { name: 'web' } });
    const cash = manifest({ kind: 'Service', metadata: { name: 'cash' } });
    const created = `Error from server (Forbidden): error when creating "web.yaml": ${HOOK}`;
    expect(await refused('kubectl -n shop apply -f web.yaml', created, web, cash)).toEqual(['Deployment/shop/web: webhook-denied']);
    const invalid = 'The Service "" is invalid: spec.ports: Required value';
    expect(await refused('kubectl -n shop apply -f web.yaml', invalid, web, cash)).toEqual(['Service/shop/cash: required-field']);
    const elsewhere = manifest({ kind: 'Service', metadata: { name: 'till', namespace: 'shop' } });
    expect(await refused('kubectl apply -f web.yaml', 'The Service "till" is invalid: spec.ports: Required value', elsewhere)).toEqual([
      'Service/shop/till: required-field',
    ]);
    expect(await refused('kubectl apply -f web.yaml', created, manifest({ kind: 'Namespace', metadata: { name: 'shop' } }))).toEqual([
      'Namespace//shop: webhook-denied',
    ]);
  });

  it('is of the namespace that the words name, or of the usual one', async () => {
    const forbidden = (place: string): string =>
      `Error from server (Forbidden): deployments.apps is forbidden: User "jo" cannot create resource "deployments" in API group "apps"${place}`;
    expect(await refused('kubectl create deployment web --image a', forbidden(' in the namespace "shop"'))).toEqual([
      'Deployment/shop/web: forbidden',
    ]);
    expect(await refused('kubectl create deployment web --image a', forbidden(' in the namespace "till"'))).toEqual([]);
    expect(
      await told('refusal', session(['kubectl scale deploy web --replicas 3', DENIED]), {
        target: { kind: 'Deployment', namespace: 'default', name: 'web' },
      }),
    ).toEqual(['Deployment/default/web: webhook-denied']);
  });

  it('is of the pod that a request to evict names', async () => {
    const url = '/api/v1/namespaces/shop/pods/web-1/eviction';
    expect(await refused(`kubectl create --raw ${url} -f e.json`, DENIED)).toEqual(['Pod/shop/web-1: webhook-denied']);
    expect(await refused('kubectl create --raw /api/v1/namespaces/shop -f e.json', DENIED)).toEqual(['Manifest//e.json: webhook-denied']);
  });

  it('of unknown words is told by its first line, also where only its manifest is named', async () => {
    const { facts } = await evidenceOf(
      session(['kubectl -n shop apply -f web.yaml', 'Error from server (Forbidden): the moon is full\nhowl']),
    );
    expect(facts.find(({ kind }) => kind === 'refusal')?.fields['detail']).toBe('Error from server (Forbidden): the moon is full');
    const named = 'Error from server (Forbidden): error when creating "web.yaml": the moon is full';
    expect(await refused('kubectl', named)).toEqual(['Manifest//web.yaml: other']);
    expect(await refused('kubectl', 'Error from server (Forbidden): the moon is full')).toEqual([]);
    expect(await refused('kubectl -n shop get pods', named)).toEqual([]);
  });

  it('of credentials is one of the client', async () => {
    const unauthorized = 'error: You must be logged in to the server (Unauthorized)';
    expect(await told('answer', session(['kubectl get pods', unauthorized]))).toEqual(['Cluster//cluster: unauthorized']);
    expect(await told('answer', session(['kubectl get pods', 'Error from server (Unauthorized): Unauthorized']))).toEqual([
      'Cluster//cluster: unauthorized',
    ]);
    const nameless = 'The Deployment "" is invalid: metadata.name: Required value: name or generateName is required';
    expect(await told('answer', session(['kubectl -n shop apply -f web.yaml', nameless]))).toEqual([
      'Manifest//web.yaml: manifest-without-name',
    ]);
  });

  it('is no target where its object is there, or only a look failed', async () => {
    const targets = async (command: string, ...others: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf([...session(['kubectl get nodes', TABLE], [command, DENIED]), ...others])).targets.map(({ ref }) => ref.name);
    expect(await targets('kubectl -n shop scale deploy web --replicas 3')).toEqual(['web']);
    const web = objectOf('Deployment', 'web', { spec: { replicas: 0 }, status: {} });
    const { facts } = await evidenceOf([...session(['kubectl -n shop scale deploy web --replicas 3', DENIED]), web]);
    expect(facts.find(({ kind }) => kind === 'refusal')?.fields['exists']).toBe(true);
    expect(await targets('kubectl -n shop get deploy web')).toEqual([]);
    expect(await targets('kubectl create')).toEqual([]);
  });

  it('is over once a later command made its object, whatever its namespace was called', async () => {
    const failed = ['kubectl -n shop apply -f web.yaml', 'The Service "till" is invalid: spec.ports: Required value'] as const;
    const after = (command: string, output: string): Promise<readonly string[]> => told('refusal', session(failed, [command, output]));
    expect(await after('kubectl -n shop create -f other.yaml', 'service/till created')).toEqual([]);
    expect(await after('kubectl create -f other.yaml', 'service/till created')).toEqual([]);
    expect(await after('kubectl -n cash create -f other.yaml', 'service/till created')).toHaveLength(1);
    expect(await after('kubectl -n shop create -f other.yaml', 'service/cash created')).toHaveLength(1);
    expect(await after('kubectl -n shop create -f other.yaml', 'pod/till created')).toHaveLength(1);
    expect(await after('kubectl -n shop delete svc till', 'service "till" deleted')).toHaveLength(1);
    expect(await after('kubectl -n shop create -f other.yaml', 'service/till created (dry run)')).toHaveLength(1);
    expect(await told('refusal', session(['kubectl -n shop create -f other.yaml', 'service/till created'], failed))).toHaveLength(1);
  });

  it('for etcd is over for a look once another worked, and for a write once the same was written', async () => {
    const full = 'Error from server: error when creating "web.yaml": etcdserver: mvcc: database space exceeded';
    const down = 'Error from server: etcdserver: request timed out';
    const write = ['kubectl -n shop apply -f web.yaml', full] as const;
    expect(await told('refusal', session(write, ['kubectl get nodes', TABLE]))).toHaveLength(1);
    expect(await told('refusal', session(['kubectl get pods', down]))).toHaveLength(1);
    expect(await told('refusal', session(['kubectl get pods', down], ['kubectl get nodes', TABLE]))).toEqual([]);
    expect(await told('refusal', session(['kubectl get nodes', TABLE], ['kubectl get pods', down]))).toHaveLength(1);
    const looked = ['kubectl get nodes', TABLE] as const;
    expect(await told('refusal', session(looked, ['kubectl get pods', down], looked))).toEqual([]);
    expect(await told('refusal', session(['kubectl get pods', down], ['kubectl --context b get nodes', TABLE]))).toHaveLength(1);
  });

  it('of reading before a change keeps that change from being made', async () => {
    const blocking = async (output: string): Promise<unknown> =>
      (await evidenceOf(session(['kubectl get nodes', TABLE], ['helm upgrade web .', output], ['kubectl -n shop get pods', output]))).facts
        .filter(({ kind }) => kind === 'refusal')
        .map(({ fields }) => fields['blocking']);
    const forbidden =
      'deployments.apps "web" is forbidden: User "jo" cannot get resource "deployments" in API group "apps" in the namespace "shop"';
    expect(await blocking(`Error from server (Forbidden): error when retrieving current configuration of: ${forbidden}`)).toEqual(
      expect.arrayContaining([true]),
    );
    expect(await blocking(`Error from server (Forbidden): ${forbidden}`)).not.toContain(true);
  });
});

describe('words pasted by themselves', () => {
  it('are an answer of the API server', async () => {
    const text = objectOf(
      'LooseText',
      'line-1',
      { spec: { text: 'pods is forbidden: User "jo" cannot create resource "pods" in API group "" in the namespace "shop"', line: 1 } },
      { namespace: null },
    );
    const { facts } = await evidenceOf([text]);
    expect(facts.filter(({ kind }) => kind === 'refusal')).toMatchObject([
      { source: 'answer of the API server', fields: { blocking: true } },
    ]);
  });
});

describe('a manifest that was applied', () => {
  const facts = async (objects: readonly KubeObject[], around: Around = {}): Promise<readonly unknown[]> =>
    (await evidenceOf(objects, around)).facts
      .filter(({ kind }) => kind === 'manifest')
      .map(({ about, fields, quote }) => [about.namespace, fields['exists'], fields['proof'], quote]);
  const web = { kind: 'ConfigMap', metadata: { name: 'web' } };

  it('quotes what it declares, and why that is not there', async () => {
    expect(await facts([manifest(web), objectOf('ConfigMap', 'web', {})])).toEqual([['shop', true, undefined, 'ConfigMap web']]);
    const [absent] = (await facts([manifest(web)], { none: ['ConfigMap'] })) as readonly (readonly string[])[];
    expect(absent?.[2]).toBeDefined();
    expect(absent?.[3]).toBe(`ConfigMap web (${String(absent?.[2])})`);
    expect(await facts([manifest(web)])).toEqual([['shop', undefined, undefined, 'ConfigMap web']]);
  });

  it('has its own namespace, else that of the command, else the only one', async () => {
    expect(
      await facts([manifest({ ...web, metadata: { name: 'web', namespace: 'shop' } }, 'web.yaml', { namespace: 'till' })]),
    ).toHaveLength(1);
    expect(await facts([manifest(web, 'web.yaml', { namespace: 'till' })])).toEqual([]);
    expect(await facts([manifest({ kind: 'PersistentVolume', metadata: { name: 'pv', namespace: 'till' } })])).toEqual([
      [undefined, undefined, undefined, 'PersistentVolume pv'],
    ]);
  });

  it('declares a claim that is missed, where an event of its namespace says so', async () => {
    const claim = manifest({ kind: 'PersistentVolumeClaim', metadata: { name: 'data' } });
    const pod = objectOf('Pod', 'web-1', { spec: { containers: [] }, status: { phase: 'Pending' } });
    const missed = (message: string, namespace = 'shop'): KubeObject =>
      objectOf(
        'Event',
        'e',
        { reason: 'FailedScheduling', message, type: 'Warning', involvedObject: { kind: 'Pod', name: 'web-1', namespace } },
        { namespace },
      );
    const missing = async (event: KubeObject, declared = claim): Promise<readonly unknown[]> =>
      ((await facts([declared, pod, event])) as readonly (readonly unknown[])[]).map(([, exists, proof]) => [exists, proof]);
    expect(await missing(missed('persistentvolumeclaim "data" not found'))).toEqual([[false, 'Pod/shop/web-1: claim data not found']]);
    expect(await missing(missed('persistentvolumeclaim "till" not found'))).toEqual([[undefined, undefined]]);
    expect(await missing(missed('0/1 nodes are available'))).toEqual([[undefined, undefined]]);
    const other = manifest({ kind: 'ConfigMap', metadata: { name: 'data' } });
    expect(await missing(missed('persistentvolumeclaim "data" not found'), other)).toEqual([[undefined, undefined]]);
  });

  it('that cannot be parsed is a target, and is told once', async () => {
    const broken = objectOf(
      'AppliedManifest',
      'b',
      { spec: { file: 'a/web.yaml', error: { line: 3, message: 'bad' } } },
      { namespace: null },
    );
    const { targets, facts: all } = await evidenceOf([broken]);
    expect(targets).toMatchObject([{ ref: { kind: 'Manifest', name: 'web.yaml' }, state: 'unhealthy', reason: 'it cannot be parsed' }]);
    expect(all.filter(({ kind }) => kind === 'answer')).toMatchObject([{ source: 'manifest a/web.yaml', quote: 'line 3: bad' }]);
    const output = 'error: error parsing web.yaml: error converting YAML to JSON: yaml: line 3: did not find expected key';
    expect(await collected('answer', [broken, answerTo('kubectl apply -f web.yaml', output)])).toHaveLength(1);
    expect(await collected('answer', [broken, answerTo('kubectl apply -f eb.yaml', output.replace('web', 'eb'))])).toHaveLength(2);
    expect(await collected('answer', [broken, answerTo('kubectl apply -f web.yaml', UNREACHABLE)])).toHaveLength(2);
    const target = { kind: 'Deployment', namespace: 'shop', name: 'web' };
    expect(await told('answer', [broken, objectOf('Deployment', 'web', { spec: {}, status: {} })], { target })).toEqual([]);
    expect(
      await collected('answer', [manifest(web, 'a/web.yaml'), { ...broken, metadata: { ...broken.metadata, name: 'z' } }]),
    ).toHaveLength(1);
  });
});
