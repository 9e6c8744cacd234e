import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const TIMEOUT = 60_000;

it(
  'lists scenarios and shows one with its cure',
  async () => {
    expect((await podcheck(['sim', 'list', '-o', 'json'])).out).toContain('"volumes/configmap-not-found"');
    const { out } = await podcheck(['sim', 'show', 'volumes/configmap-not-found']);
    expect(out).toContain('Expected  explained volumes/configmap-not-found');
    expect(out).toContain('Cure\n  apply ConfigMap/web-settings');
  },
  TIMEOUT,
);

it(
  'plays a scenario and names its cause',
  async () => {
    const { code, out } = await podcheck(['sim', 'run', 'scheduling/insufficient-resource', '--seed', '5', '-o', 'json']);
    const report = JSON.parse(out) as { seed: number; digest: string; diagnosis: { causes: { rule: string }[] } };
    expect([code, report.seed, report.diagnosis.causes[0]?.rule]).toEqual([1, 5, 'scheduling/insufficient-resource']);
  },
  TIMEOUT,
);

it(
  'diagnoses and scans the cluster of a scenario',
  async () => {
    expect((await podcheck(['diagnose', 'web', '--scenario', 'healthy/deployment'])).code).toBe(0);
    expect((await podcheck(['scan', '--scenario', 'images/image-not-found', '--at', '20s'])).out).toContain('image');
  },
  TIMEOUT,
);

it(
  'warns in a scan of certificates that end soon, and exits with 1 once one has ended',
  async () => {
    const scan = async (at: string): Promise<readonly [number, readonly string[]]> => {
      const { code, out } = await podcheck(['scan', '--scenario', 'healthy/deployment', '--at', at, '-o', 'json']);
      const { certificates } = JSON.parse(out) as { certificates: { role: string; status: string }[] };
      return [code, certificates.map(({ role, status }) => `${status} ${role}`)];
    };
    expect(await scan('10d')).toEqual([0, []]);
    const [code, soon] = await scan('345d');
    expect([code, soon.includes('WARN scheduler-client'), soon.some((one) => one.endsWith(' kubelet-client'))]).toEqual([0, true, false]);
    const [late, ended] = await scan('366d');
    expect([late, ended.includes('EXPIRED scheduler-client')]).toEqual([1, true]);
  },
  TIMEOUT,
);

it(
  'looks at a scenario at a moment, in a namespace, in another format',
  async () => {
    const early = JSON.parse(
      (await podcheck(['diagnose', 'web', '--scenario', 'volumes/configmap-not-found', '--at', '1s', '-n', 'shop', '-o', 'json'])).out,
    ) as { at: string; outcome: string };
    expect(early).toMatchObject({ at: '2026-11-20T09:00:06Z', outcome: 'explained' });
    const elsewhere = await podcheck(['diagnose', 'web', '--scenario', 'volumes/configmap-not-found', '-n', 'warehouse']);
    expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('namespace "warehouse" not found')]);
  },
  TIMEOUT,
);

it(
  'says what would come of a manifest',
  async () => {
    const folder = folderWith({
      'till.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: till, namespace: shop }\nspec:\n  nodeSelector: { disk: fast }\n  containers: [{ name: till, image: shop/till:1 }]\n',
    });
    const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/till.yaml`]);
    expect(code).toBe(1);
    expect(out).toContain('scheduling/node-selector-mismatch');
  },
  TIMEOUT,
);

it(
  'takes manifests from folders and from stdin, and fetches none',
  async () => {
    const pod = (name: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop }\nspec: { containers: [{ name: till, image: "nginx:1.27" }] }\n`;
    const folder = folderWith({ 'a.yaml': pod('till'), 'notes.txt': 'no manifest', 'more/b.yml': pod('scale') });
    const applied = async (argv: readonly string[], stdin?: string): Promise<readonly string[]> => {
      const { out } = await podcheck(['sim', ...argv, '-o', 'json'], stdin === undefined ? {} : { stdin });
      const { steps } = JSON.parse(out) as { steps: { what: string }[] };
      return steps.flatMap(({ what }) => [...what.matchAll(/Pod\/(\w+)/g)].map(([, name = '']) => name));
    };
    expect(await applied(['try', '-f', folder])).toEqual(['till']);
    expect(await applied(['try', '-R', '-f', folder])).toEqual(['till', 'scale']);
    expect(await applied(['run', folder])).toEqual(['till']);
    expect(await applied(['try', '-f', '-'], pod('kiosk'))).toEqual(['kiosk']);
    expect((await podcheck(['sim', 'try', '-f', `${folder}/more/deeper`])).err).toContain('cannot read');
    expect((await podcheck(['sim', 'try', '-f', folderWith({ 'notes.txt': '' })])).err).toContain(
      'recognized file extensions are [.json .yaml .yml]',
    );
    expect((await podcheck(['sim', 'try', '-f', 'https://example.com/web.yaml'])).err).toContain('the simulator does not use the network');
  },
  TIMEOUT,
);

it.each([
  ['is reached at the port it listens on', 80, '', 'healthy', { verdict: 'passed', reason: null }],
  [
    'is not well when nothing listens on the port',
    8080,
    '',
    'unexplained',
    {
      verdict: 'blocked',
      reason: expect.stringMatching(
        /a pod on worker-1 that connects to web\.shop:80 gets "connection refused": nothing listens on \S+:8080/,
      ) as unknown,
    },
  ],
  [
    'may be for others when a policy keeps a client out',
    80,
    '---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: only-front, namespace: shop }\nspec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { role: front } } }] }] }\n',
    'healthy',
    { verdict: 'unknown', reason: expect.stringContaining('it depends on the client') as unknown },
  ],
])(
  'tries whether a client would reach what is applied: %s',
  async (_, targetPort, policy, outcome, traffic) => {
    const web = `apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: shop, labels: { app: web } }\nspec: { containers: [{ name: web, image: "nginx:1.27" }] }\n---\napiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: shop }\nspec: { selector: { app: web }, ports: [{ port: 80, targetPort: ${targetPort} }] }\n${policy}`;
    const { out } = await podcheck(['sim', 'try', '-f', folderWith({ 'web.yaml': web }), '-o', 'json']);
    const { diagnosis, stages } = JSON.parse(out) as {
      diagnosis: { outcome: string };
      stages: { id: string; verdict: string; reason: string | null }[];
    };
    expect(diagnosis.outcome).toBe(outcome);
    expect(stages.find(({ id }) => id === 'traffic')).toMatchObject(traffic);
  },
  TIMEOUT,
);

it(
  'names what else of the manifests is not well',
  async () => {
    const pod = (name: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop }\nspec: { containers: [{ name: till, image: "nginx:1.27", envFrom: [{ configMapRef: { name: prices } }] }] }\n`;
    const { out } = await podcheck(['sim', 'try', '-f', folderWith({ 'a.yaml': pod('till'), 'b.yaml': pod('kiosk') })]);
    expect(out).toContain('Pod shop/till is blocked at ');
    expect(out).toContain('ALSO UNHEALTHY\n  - Pod shop/kiosk: CreateContainerConfigError');
  },
  TIMEOUT,
);

it(
  'tells what comes of objects that run no pods',
  async () => {
    const folder = folderWith({
      'prices.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: prices }\ndata: { tea: "2" }\n',
      'monitor.yaml': 'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: { name: till }\n',
    });
    const prices = await podcheck(['sim', 'try', '-f', `${folder}/prices.yaml`]);
    expect([prices.code, prices.out]).toEqual([
      0,
      expect.stringMatching(/controllers … traffic +not reached: this kind of object runs no pods/),
    ]);
    const monitor = await podcheck(['sim', 'try', '-f', `${folder}/monitor.yaml`]);
    expect([monitor.code, monitor.out]).toEqual([1, expect.stringContaining('apply/kind-not-served')]);
  },
  TIMEOUT,
);

it(
  'waits for the first run of a CronJob that is applied',
  async () => {
    const report =
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: report, namespace: shop }\nspec:\n  schedule: "30 10 * * *"\n  jobTemplate: { spec: { backoffLimit: 0, template: { spec: { restartPolicy: Never, containers: [{ name: report, image: busybox:1.36, command: [sh, -c, "exit 3"] }] } } } }\n';
    const folder = folderWith({ 'report.yaml': report, 'never.yaml': report.replace('schedule:', 'suspend: true\n  schedule:') });
    const { code, out } = await podcheck(['sim', 'try', '-f', `${folder}/report.yaml`]);
    // That it reached its backoffLimit is the effect of the exits.
    expect([code, out]).toEqual([1, expect.stringContaining('containers/application-error-exit')]);
    expect(out).toContain('wait 89m for the first run');
    expect((await podcheck(['sim', 'try', '-f', `${folder}/never.yaml`])).out).toContain('controllers/cronjob-suspended');
  },
  TIMEOUT,
);

it(
  'says of which images it knows no more than the name',
  async () => {
    const pod = (image: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: till, namespace: shop }\nspec: { containers: [{ name: till, image: "${image}" }] }\n`;
    const folder = folderWith({
      'own.yaml': pod('registry.example.com/shop/till:1'),
      'common.yaml': pod('nginx:1.27'),
      'absent.yaml': pod('registry.example.com/Shop/till:1'),
    });
    const granted = async (file: string): Promise<boolean> =>
      (await podcheck(['sim', 'try', '-f', `${folder}/${file}`])).out
        .replaceAll(/\s+/g, ' ')
        .includes('answer their probes registry.example.com/shop/till:1');
    expect([await granted('own.yaml'), await granted('common.yaml'), await granted('absent.yaml')]).toEqual([true, false, false]);
  },
  TIMEOUT,
);

it.each([
  ['healthy/deployment', ['endpoints passed', 'traffic unknown not tested']],
  ['healthy/pod', ['endpoints not-reached no Service selects it', 'traffic not-reached no Service selects it']],
  ['healthy/job', ['endpoints not-reached its containers have ended', 'traffic not-reached its containers have ended']],
])(
  'tells of %s how far it is reached, or why it need not be',
  async (scenario, expected) => {
    const { out } = await podcheck(['diagnose', '--scenario', scenario, '-o', 'json']);
    const { stages } = JSON.parse(out) as { stages: { id: string; verdict: string; reason?: string }[] };
    expect(stages.slice(-2).map(({ id, verdict, reason }) => [id, verdict, ...(reason === undefined ? [] : [reason])].join(' '))).toEqual(
      expected,
    );
  },
  TIMEOUT,
);

it(
  'names a scenario that is near to one there is not',
  async () => {
    const { code, err } = await podcheck(['sim', 'show', 'volumes/configmap-not-fond']);
    expect(code).toBe(2);
    expect(err).toContain('did you mean volumes/configmap-not-found');
  },
  TIMEOUT,
);

it(
  'tells when each stage was passed and since when one is stopped, in virtual time',
  async () => {
    const { code, out, err } = await podcheck(['sim', 'run', 'volumes/configmap-not-found', '--until', '30s', '-o', 'wide']);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^ {2}✔ scheduling +passed \+0\.\d\ds$/m);
    expect(out).toMatch(/^ {2}✖ volumes +blocked \+0\.\d\ds: FailedMount: ConfigMap not found$/m);
    expect(out.match(/^ {2}[✔✖·…?] /gm)).toHaveLength(18);
  },
  TIMEOUT,
);

it(
  'writes a run as its schema says',
  async () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(
      JSON.parse(readFileSync('src/report/schemas/run.v1.json', 'utf8')) as object,
    );
    const folder = folderWith({ 'till.yaml': WRONG });
    for (const args of [
      ['run', 'containers/oom-killed'],
      ['try', '-f', `${folder}/till.yaml`],
    ]) {
      validate(JSON.parse((await podcheck(['sim', ...args, '-o', 'json'])).out));
      expect(validate.errors).toBeNull();
    }
  },
  TIMEOUT,
);

/** A Deployment with a port there is not, and a Service with a field there is not. */
const WRONG = [
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata: { name: till, namespace: shop }',
  'spec:',
  '  selector: { matchLabels: { app: till } }',
  '  template:',
  '    metadata: { labels: { app: till } }',
  '    spec:',
  '      containers:',
  '      - name: till',
  '        image: nginx:1.27',
  '        ports:',
  '        - containerPort: 99999',
  '---',
  'apiVersion: v1',
  'kind: Service',
  'metadata: { name: till, namespace: shop }',
  'spec:',
  '  selector: { app: till }',
  '  prots:',
  '  - port: 80',
  '',
].join('\n');

it(
  'says of what the API refuses the file, the line, the field and the error in the words of the API',
  async () => {
    const folder = folderWith({ 'till.yaml': WRONG });
    const { refusals } = JSON.parse((await podcheck(['sim', 'run', `${folder}/till.yaml`, '-o', 'json'])).out) as {
      refusals: readonly { fields: unknown; said: string }[];
    };
    expect(refusals.map(({ fields }) => fields)).toEqual([
      [{ field: 'spec.template.spec.containers[0].ports[0].containerPort', line: 13 }],
      [{ field: 'spec.prots', line: 20 }],
    ]);
    expect(refusals[0]?.said).toBe(
      'The Deployment "till" is invalid: spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive',
    );
    expect(refusals[1]?.said).toContain('strict decoding error: unknown field "spec.prots"');
  },
  TIMEOUT,
);

it.each([
  ['a: [1', /till\.yaml:1: /],
  ['apiVersion: v1\nkind: Pod\nmetadata:\n\tname: till\n', /till\.yaml:4: /],
  ['apiVersion: v1\nmetadata: { name: till }\n', /till\.yaml:1: Object 'Kind' is missing/],
  ['---\nkind: Pod\n---\n- one\n- two\n', /till\.yaml:4: expected an object/],
  ['# nothing\n', /till\.yaml: no objects passed to apply/],
])(
  'names file and line of a manifest that cannot be read: %j',
  async (text, said) => {
    const folder = folderWith({ 'till.yaml': text });
    const { code, err } = await podcheck(['sim', 'try', '-f', `${folder}/till.yaml`]);
    expect(code).toBe(2);
    expect(err).toMatch(said);
  },
  TIMEOUT,
);

it(
  'names the limit of what never settles, and what went on',
  async () => {
    const { out } = await podcheck(['sim', 'run', 'volumes/configmap-not-found']);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('not settled: stopped at the limit of 3 minutes; still running: mount settings');
  },
  TIMEOUT,
);

it.each([
  ['{ explodes: true }', 'explodes is not known; fields are startsInSeconds'],
  ['{ exits: { code: nine } }', 'exits.code must be a whole number'],
  ['{ exits: { afterSeconds: 3 } }', 'exits.code is missing'],
  ['{ memory: [{ bytes: lots }] }', 'memory[0].bytes must be a number of bytes or a quantity'],
  ['{ listens: [{ port: 80, speaks: gopher }] }', 'listens[0].speaks must be one of http, https, grpc, tcp'],
])(
  'names file, line and field of a behaviour there is not: %s',
  async (behaviour, said) => {
    const folder = folderWith({
      'till.scenario.yaml': `title: A till\nimages:\n  shop/till:1: ${behaviour}\nsteps:\n  - apply:\n      - { apiVersion: v1, kind: Pod, metadata: { name: till }, spec: { containers: [{ name: till, image: 'shop/till:1' }] } }\n`,
    });
    const { code, err } = await podcheck(['sim', 'run', `${folder}/till.scenario.yaml`]);
    expect(code).toBe(2);
    expect(err).toContain(`${folder}/till.scenario.yaml:3: behaviour of shop/till:1: ${said}`);
  },
  TIMEOUT,
);

it(
  'refuses a trace of another version',
  async () => {
    const folder = folderWith({});
    await podcheck(['sim', 'run', 'images/image-not-found', '--until', '1s', '--trace', `${folder}/trace.jsonl`]);
    writeFileSync(`${folder}/trace.jsonl`, readFileSync(`${folder}/trace.jsonl`, 'utf8').replace(/"version":\d+/, '"version":99'));
    const { code, err } = await podcheck(['sim', 'replay', `${folder}/trace.jsonl`]);
    expect([code, err]).toEqual([2, expect.stringContaining('is of version 99; this podcheck plays version')]);
  },
  TIMEOUT,
);

it.each([
  ['apps/v1', 'Deployment', 'spec: { replicas: 2147483647 }', 'spec.replicas is 2147483647'],
  ['apps/v1', 'StatefulSet', 'spec: { replicas: 5001 }', 'spec.replicas is 5001'],
  ['batch/v1', 'Job', 'spec: { parallelism: 2147483647 }', 'spec.parallelism is 2147483647'],
  ['batch/v1', 'CronJob', 'spec: { jobTemplate: { spec: { parallelism: 100000 } } }', 'spec.jobTemplate.spec.parallelism is 100000'],
])('more pods than a simulation can hold are refused, with object and field: %s %s', async (apiVersion, kind, spec, words) => {
  const folder = folderWith({ 'web.yaml': `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: web }\n${spec}\n` });
  const { code, err } = await podcheck(['sim', 'try', '-f', `${folder}/web.yaml`]);
  expect([code, err]).toEqual([
    expect.any(Number),
    expect.stringContaining(`web.yaml:1: ${kind} web: ${words}: the limit of the simulator is 5000`),
  ]);
  expect(code).not.toBe(0);
});
