import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const TIMEOUT = 60_000;

describe('sim try --from', () => {
  const node = (name: string, taints: readonly object[]): object => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: { taints },
    status: {
      capacity: { cpu: '2', memory: '4Gi', pods: '110' },
      allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  const pod = (name: string, cpu: string): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop' },
    spec: { nodeName: 'oak', containers: [{ name: 'till', image: 'shop/till:1', resources: { requests: { cpu } } }] },
    status: { phase: 'Running' },
  });
  const list = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const cluster = list([
    node('oak', []),
    node('elm', [{ key: 'for', value: 'cash', effect: 'NoSchedule' }]),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    pod('till-1', '900m'),
    pod('till-2', '900m'),
  ]);
  const kiosk = (cpu: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'kiosk', namespace: 'shop' },
      spec: {
        containers: [
          { name: 'kiosk', image: 'shop/kiosk:1', resources: { requests: { cpu } }, envFrom: [{ configMapRef: { name: 'prices' } }] },
        ],
      },
    });

  it(
    'finds no room where the saved pods and taints leave none',
    async () => {
      const folder = folderWith({ 'saved.json': cluster, 'kiosk.json': kiosk('500m') });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
      expect(code).toBe(1);
      expect(out.replaceAll(/[\s│]+/g, ' ')).toContain('0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)');
    },
    TIMEOUT,
  );

  it(
    'names what it takes for granted and what it could not look at, and is not certain then',
    async () => {
      const folder = folderWith({ 'saved.json': cluster, 'kiosk.json': kiosk('100m') });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
      expect(code).toBe(3);
      expect(out).toContain('would become healthy, as far as checked');
      const granted = out.split('ASSUMED')[1];
      expect(granted).toContain('shop/kiosk:1');
      expect(granted).not.toContain('shop/till:1');
      expect(out).toContain('resourcequotas, limitranges were not collected');
      expect(out).toContain('kubectl -n shop get configmap prices -o yaml');
    },
    TIMEOUT,
  );

  it(
    'says what of the source is not in the simulated cluster',
    async () => {
      const folder = folderWith({
        'saved.json': list([
          ...(JSON.parse(cluster) as { items: object[] }).items,
          { apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name: 'today', namespace: 'shop' } },
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'half', namespace: 'shop' }, status: { phase: 'Running' } },
        ]),
        'kiosk.json': kiosk('100m'),
      });
      const { out } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
      expect(out.replaceAll(/\s+/g, ' ')).toContain(
        'NOT IN THE SIMULATED CLUSTER - Pod: not enough of it was seen: spec.containers is missing or wrong (shop/half)',
      );
    },
    TIMEOUT,
  );

  it(
    'takes no preset beside it',
    async () => {
      const folder = folderWith({ 'saved.json': cluster, 'kiosk.json': kiosk('100m') });
      const { code, err } = await podcheck([
        'sim',
        'try',
        '-f',
        `${folder}/kiosk.json`,
        '--from',
        `${folder}/saved.json`,
        '--cluster',
        'one-node',
      ]);
      expect([code, err]).toEqual([2, expect.stringContaining('--cluster and --from cannot be used together')]);
    },
    TIMEOUT,
  );

  it(
    'names the option, and not the manifest, when there is no such preset',
    async () => {
      const folder = folderWith({ 'kiosk.json': kiosk('100m') });
      const { code, err } = await podcheck(['sim', 'try', '-f', `${folder}/kiosk.json`, '--cluster', 'one-nod']);
      expect([code, err]).toEqual([2, expect.stringContaining('--cluster: unknown preset "one-nod"')]);
    },
    TIMEOUT,
  );
});

describe('sim try with programs nobody knows', () => {
  const deployment = (name: string, container: object, spec: object = {}): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { ...spec, containers: [{ name: 'main', ...container }] } },
    },
  });
  const tried = async (...documents: readonly object[]): Promise<{ readonly code: number; readonly out: string }> => {
    const folder = folderWith({ 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: documents }) });
    const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/all.json`]);
    return { code, out: out.replaceAll(/[\s│]+/g, ' ') };
  };

  it(
    'takes them to answer their probes, in whichever protocol and on whichever port these ask',
    async () => {
      const { code, out } = await tried(
        deployment('rates', {
          image: 'shop.example/rates:2',
          ports: [{ containerPort: 9000, name: 'rpc' }],
          readinessProbe: { grpc: { port: 9000 } },
          livenessProbe: { grpc: { port: 9001, service: 'live' } },
        }),
        deployment('vault', {
          image: 'shop.example/vault:2',
          ports: [{ containerPort: 8200, name: 'api' }],
          readinessProbe: { httpGet: { port: 'api', path: '/ready', scheme: 'HTTPS' } },
          livenessProbe: { httpGet: { port: 9102, path: '/live' } },
        }),
      );
      expect(out).toContain('Deployment shop/rates is healthy');
      expect(out).toContain('ALSO HEALTHY - Deployment shop/vault');
      expect(out).toContain('shop.example/rates:2 shop.example/vault:2');
      expect(code).toBe(0);
    },
    TIMEOUT,
  );

  it(
    'still finds the probe that a known program does not answer',
    async () => {
      const { code, out } = await tried(
        deployment('web', { image: 'nginx:1.27', ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 8080, path: '/' } } }),
      );
      expect(out).toContain('The readiness probe of container main of Deployment/web uses port 8080, where nothing listens');
      expect(code).toBe(1);
    },
    TIMEOUT,
  );

  const SECRET_USER = deployment(
    'gate',
    { image: 'shop.example/gate:1', volumeMounts: [{ name: 'cert', mountPath: '/cert' }] },
    { volumes: [{ name: 'cert', secret: { secretName: 'gate-cert' } }] },
  );
  const maker = (image: string): object => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'make-cert', namespace: 'shop' },
    spec: { template: { spec: { restartPolicy: 'OnFailure', serviceAccountName: 'cert', containers: [{ name: 'make', image }] } } },
  });
  const rights = (verbs: readonly string[]): readonly object[] => [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'cert', namespace: 'shop' } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'cert', namespace: 'shop' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'cert', namespace: 'shop' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'cert' },
      subjects: [{ kind: 'ServiceAccount', name: 'cert', namespace: 'shop' }],
    },
  ];

  it(
    'is not certain that a Secret will be missing which a Job may create',
    async () => {
      const { code, out } = await tried(...rights(['get', 'create']), maker('shop.example/certgen:1'), SECRET_USER);
      expect(out).toContain('Deployment shop/gate is inconclusive');
      expect(out).toContain('not known whether Job/shop/make-cert creates it');
      expect(out).not.toContain('Fix ');
      expect(code).toBe(3);
    },
    TIMEOUT,
  );

  it.each([
    ['the Job has no right to', [...rights(['get']), maker('shop.example/certgen:1')]],
    ['the program of the Job is known', [...rights(['get', 'create']), maker('busybox:1.37')]],
    ['there is no Job', rights(['create'])],
  ] as const)(
    'names the missing Secret where %s',
    async (_, others) => {
      const { code, out } = await tried(...others, SECRET_USER);
      expect(out).toContain('requires Secret gate-cert, which does not exist in namespace shop');
      expect(code).toBe(1);
    },
    TIMEOUT,
  );

  it(
    'names what is certain before what is not',
    async () => {
      const { code, out } = await tried(...rights(['create']), maker('shop.example/certgen:1'), SECRET_USER, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'till', namespace: 'shop' },
        spec: { containers: [{ name: 'till', image: 'nginx:1.27', envFrom: [{ configMapRef: { name: 'prices' } }] }] },
      });
      expect(out).toContain('Pod shop/till is blocked at');
      expect(out).toContain('ALSO UNHEALTHY - Deployment shop/gate');
      expect(code).toBe(1);
    },
    TIMEOUT,
  );
});

describe('sim try with claims', () => {
  const claim = (spec: object): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...spec },
  });
  const user = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'db' },
    spec: { containers: [{ name: 'db', image: 'redis:7' }], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  };
  const volume = (storageClassName: string | undefined, storage: string): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName, hostPath: { path: '/srv' } },
  });

  it.each([
    ['assumes a default class', [claim({}), user], 0, 'the cluster has a default StorageClass that creates volumes'],
    ['is not certain of a class that is only named', [claim({ storageClassName: 'fast' }), user], 3, 'StorageClass fast'],
    ['assumes no class where a volume is brought', [volume('', '1Gi'), claim({}), user], 1, 'volume disk has 1Gi'],
    [
      'assumes no class that a volume has',
      [volume('manual', '1Gi'), claim({ storageClassName: 'manual' }), user],
      1,
      'volume disk has 1Gi',
    ],
    [
      'binds the volume that is brought',
      [volume('manual', '5Gi'), claim({ storageClassName: 'manual' }), user],
      0,
      'Pod default/db is healthy',
    ],
  ] as const)(
    '%s',
    async (_, items, expected, says) => {
      const folder = folderWith({ 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/all.json`]);
      expect(out.replaceAll(/[\s│]+/g, ' ')).toContain(says);
      expect(code).toBe(expected);
    },
    TIMEOUT,
  );

  it.each([
    [
      'is not certain where the classes of the cluster were not seen',
      [],
      3,
      'StorageClasses were not seen, and a claim needs the default one',
    ],
    [
      'knows that there is no default class where all classes were seen',
      ['all'],
      1,
      'No volume can be bound to PersistentVolumeClaim data',
    ],
  ] as const)(
    '%s',
    async (_, lists, expected, says) => {
      const items = [claim({}), user];
      const nodes = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }];
      const folder = folderWith({
        'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
        'saved/nodes.json': JSON.stringify({ apiVersion: 'v1', kind: 'NamespaceList', items: nodes }),
        ...Object.fromEntries(
          lists.map(() => ['saved/classes.json', '{"apiVersion":"storage.k8s.io/v1","kind":"StorageClassList","items":[]}']),
        ),
      });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/all.json`, '--from', `${folder}/saved`]);
      expect(out.replaceAll(/[\s│]+/g, ' ')).toContain(says);
      expect(code).toBe(expected);
    },
    TIMEOUT,
  );
});

describe('sim try with documents that are rejected', () => {
  const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till' }, spec: { containers: [{ name: 'till', image: 'redis:7' }] } };

  it.each([
    ['fails, as kubectl does, though everything else would run', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'NO' } }, 1],
    [
      'fails for a version that Kubernetes does not serve any more',
      { apiVersion: 'policy/v1beta1', kind: 'PodSecurityPolicy', metadata: { name: 'a' } },
      1,
    ],
    ['is not certain of kinds that a cluster may have', { apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name: 'a' } }, 3],
  ] as const)(
    '%s',
    async (_, document, expected) => {
      const folder = folderWith({ 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [POD, document] }) });
      const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/all.json`]);
      expect(out).toMatch(/Pod default\/till is healthy[^]*REJECTED/);
      expect(code).toBe(expected);
    },
    TIMEOUT,
  );
});
