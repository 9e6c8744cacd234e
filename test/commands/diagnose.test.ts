import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const DESCRIBE = readFileSync('src/catalog/examples/missing-configmap.txt', 'utf8');
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'a1', resourceVersion: '5', creationTimestamp: '2026-01-14T09:00:00Z' },
};
const HEALTHY = {
  ...POD,
  spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'web:1' }] },
  status: {
    phase: 'Running',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
    containerStatuses: [{ name: 'web', ready: true, restartCount: 0, state: { running: { startedAt: '2026-01-14T09:00:02Z' } } }],
  },
};

function list(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

describe('diagnosing without a name', () => {
  const first = async (...words: readonly string[]): Promise<unknown> => {
    const { code, out } = await podcheck([...words, '-o', 'json']);
    return {
      code,
      cause: (JSON.parse(out) as { readonly causes: readonly { readonly rule: string; readonly object: object }[] }).causes.map(
        ({ rule, object }) => ({ rule, object }),
      )[0],
    };
  };

  it.each(['traffic/gateway-route-mismatch', 'controllers/scaled-to-zero'])(
    'finds what a scan finds: %s',
    async (scenario) => {
      const scanned = await first('scan', '--scenario', scenario);
      expect(scanned).toMatchObject({ code: 1, cause: { rule: scenario } });
      expect(await first('diagnose', '--scenario', scenario)).toEqual(scanned);
    },
    300_000,
  );

  it('leaves alone what was scaled to zero, with a remark', async () => {
    const cart = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cart', namespace: 'shop' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'cart' } },
        template: { metadata: { labels: { app: 'cart' } }, spec: { containers: [{ name: 'cart', image: 'cart:1' }] } },
      },
      status: { observedGeneration: 1 },
    };
    const { code, out } = await podcheck(['diagnose', '--from', '-'], { stdin: list(cart) });
    expect(out).toMatch(/^Deployment shop\/cart is healthy\nscaled to zero, /);
    expect(code).toBe(0);
  });
});

describe('what waits because its own spec says so', () => {
  const GATED = {
    ...POD,
    metadata: { ...POD.metadata, name: 'report', uid: 'a2' },
    spec: { schedulingGates: [{ name: 'shop.example/budget' }], containers: [{ name: 'report', image: 'report:1' }] },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
  };
  const TABLE =
    'NAME     READY   STATUS            RESTARTS   AGE\nweb-1    1/1     Running           0          8s\nreport   0/1     SchedulingGated   0          8s\n';

  it('is left alone with a remark while nobody asks for it by name', async () => {
    const stdin = list(HEALTHY, GATED);
    expect(await podcheck(['diagnose', '--from', '-'], { stdin })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^2 objects are healthy\n.*\(has scheduling gates\)/) as string,
    });
    const scanned = await podcheck(['scan', '--from', '-'], { stdin });
    expect(scanned.code).toBe(0);
    expect(scanned.out).toContain('INACTIVE BY THEIR OWN SPEC\n  - Pod shop/report: has scheduling gates\n');
    const json = JSON.parse((await podcheck(['scan', '--from', '-', '-o', 'json'], { stdin })).out) as { readonly inactive: unknown };
    expect(json.inactive).toEqual([{ object: { kind: 'Pod', namespace: 'shop', name: 'report' }, reason: 'has scheduling gates' }]);
    expect(problemsOf('scan.v1.json', json)).toEqual([]);
    expect((await podcheck(['scan', '--from', '-', '-o', 'markdown'], { stdin })).out).toContain('- Pod shop/report: has scheduling gates');
  });

  it('is the cause for whoever asks for it by name, or shows nothing else', async () => {
    expect(await podcheck(['diagnose', '--from', '-'], { stdin: list(GATED) })).toMatchObject({ code: 1 });
    const named = await podcheck(['diagnose', 'report', '-n', 'shop', '--from', '-'], { stdin: list(GATED) });
    expect(named).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Pod shop\/report is blocked at scheduling: SchedulingGated/) as string,
    });
    const printed = TABLE.split('\n')
      .filter((line) => !line.startsWith('web-1'))
      .join('\n');
    for (const verb of ['diagnose', 'scan'])
      expect(await podcheck([verb, '--from', '-'], { stdin: printed }), verb).toMatchObject({ code: 1 });
  });

  it('is told beside what runs where several objects are healthy', async () => {
    const { code, out } = await podcheck(['diagnose', '--from', '-'], { stdin: TABLE });
    expect(out).toMatch(/^2 objects are healthy\nPod default\/web-1, Pod default\/report \(has scheduling gates\)\nas of /);
    expect(code).toBe(0);
  });
});

describe('diagnosing several healthy objects without a name', () => {
  const BOTH = list(HEALTHY, { ...HEALTHY, metadata: { ...POD.metadata, name: 'web-2', uid: 'a2' } });

  it('is about all of them, not about the first', async () => {
    const { code, out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: BOTH });
    const answer = JSON.parse(out) as object;
    expect(code).toBe(0);
    expect(answer).toMatchObject({ outcome: 'healthy', stages: [], others: [{ kind: 'Pod', namespace: 'shop', name: 'web-2' }] });
    expect(problemsOf('diagnosis.v1.json', answer)).toEqual([]);
    const markdown = (await podcheck(['diagnose', '--from', '-', '-o', 'markdown'], { stdin: BOTH })).out;
    expect(markdown).toMatch(/^# 2 objects: healthy\n/);
    expect(markdown).not.toContain('| Stage |');
  });
});

describe('diagnosing a pasted describe', () => {
  it('needs no name', async () => {
    const { code, out, err } = await podcheck(['diagnose', '--from', '-'], { stdin: DESCRIBE });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/✖ volumes/);
    expect(out).toMatch(/kubectl -n shop create configmap web-settings/);
  });

  it('is asked for by a dash alone, too', async () => {
    const piped = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: DESCRIBE });
    expect(await podcheck(['diagnose', '-', '-o', 'json'], { stdin: DESCRIBE })).toEqual(piped);
    expect(await podcheck(['diagnose', '-', 'web', 'extra', '-o', 'json'], { stdin: DESCRIBE })).toMatchObject({ code: 2 });
  });

  it('gives JSON that its published schema describes', async () => {
    const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: DESCRIBE });
    expect(problemsOf('diagnosis.v1.json', JSON.parse(out))).toEqual([]);
  });

  it('gives the same as YAML', async () => {
    const [json, yaml] = [
      await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: DESCRIBE }),
      await podcheck(['diagnose', '--from', '-', '-o', 'yaml'], { stdin: DESCRIBE }),
    ];
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
  });

  it('gives Markdown for a ticket', async () => {
    expect((await podcheck(['diagnose', '--from', '-', '-o', 'markdown'], { stdin: DESCRIBE })).out).toMatch(/^# .*ConfigMap/);
  });

  it('takes what a table shows as ready for passed, though it shows nothing of the containers', async () => {
    const table =
      '$ kubectl -n shop get pods\nNAME    READY   STATUS    RESTARTS   AGE   IP           NODE\nweb-1   1/1     Running   0          8s    10.88.0.11   worker-1\n';
    const { code, out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: table });
    const { stages } = JSON.parse(out) as { stages: readonly { id: string; verdict: string }[] };
    expect(code).toBe(0);
    expect(stages.filter(({ verdict }) => verdict !== 'passed').map(({ id }) => id)).toEqual(['endpoints', 'traffic']);
  });

  it.each([['diagnose'], ['diagnose', 'web-1'], ['diagnose', '-l', 'app=web'], ['scan']])(
    'names the namespace that was meant for %j',
    async (...argv) => {
      expect(await podcheck([...argv, '-n', 'shpo', '--from', '-'], { stdin: list(HEALTHY) })).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/namespace "shpo"[^]*did you mean shop\?/) as string,
      });
    },
  );

  it('takes the command that a scan prints', async () => {
    const { out } = await podcheck(['scan', '--from', '-'], { stdin: DESCRIBE });
    const [, ...command] = /^Proof and fix: +(podcheck diagnose .+)$/m.exec(out)?.[1]?.split(' ') ?? [];
    expect(command).toEqual(['diagnose', expect.stringMatching(/^\w+\/shop\//), '--from', '-']);
    expect(await podcheck(command, { stdin: DESCRIBE })).toMatchObject({ code: 1, err: '' });
  });

  it('looks for KIND/NAMESPACE/NAME in that namespace alone', async () => {
    const twins = list(HEALTHY, { ...HEALTHY, metadata: { ...HEALTHY.metadata, namespace: 'staging', uid: 'a2' } });
    expect(
      JSON.parse((await podcheck(['diagnose', 'pod/staging/web-1', '--from', '-', '-o', 'json'], { stdin: twins })).out),
    ).toMatchObject({ target: { namespace: 'staging' } });
    expect(await podcheck(['diagnose', 'pod/shpo/web-1', '--from', '-'], { stdin: twins })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/did you mean shop\?/) as string,
    });
  });

  it.each([
    ['diagnose', 'web-6d4cf56db6-x2x7k'],
    ['diagnose', 'pod/web-6d4cf56db6-x2x7k', '-n', 'shop'],
    ['diagnose', 'po', 'web-6d4cf56db6-x2x7k'],
    ['diagnose', 'Pod/shop/web-6d4cf56db6-x2x7k'],
  ])('takes the target as %j', async (...argv) => {
    const { code, out } = await podcheck([...argv, '--from', '-', '-o', 'json'], { stdin: DESCRIBE });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ target: { kind: 'Pod', namespace: 'shop', name: 'web-6d4cf56db6-x2x7k' } });
  });

  it.each(['persistence/etcd-certificate-invalid', 'authentication/cluster-authority-expired'])(
    'takes an object that is listed twice as one target (%s)',
    async (scenario) => {
      const { code, out, err } = await podcheck(['diagnose', '--scenario', scenario, '-o', 'json']);
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(JSON.parse(out)).toMatchObject({ target: { kind: 'Cluster' } });
    },
  );

  it.each([['deployment/till'], ['till'], ['deploy', 'till']])('takes an object that the API server refused as %j', async (...words) => {
    const text =
      '$ kubectl -n shop apply -f till.yaml\nError from server (Forbidden): error when creating "till.yaml": deployments.apps is forbidden: User "anna" cannot create resource "deployments" in API group "apps" in the namespace "shop"\n$ cat till.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: till\n  namespace: shop\nspec:\n  selector: { matchLabels: { app: till } }\n  template:\n    metadata: { labels: { app: till } }\n    spec: { containers: [{ name: till, image: till }] }\n';
    const { code, out } = await podcheck(['diagnose', ...words, '-n', 'shop', '--from', '-'], { stdin: text });
    expect(code).toBe(1);
    expect(out).toMatch(/^Deployment shop\/till is rejected at authorization/);
    expect(await podcheck(['diagnose', 'desk', '-n', 'shop', '--from', '-'], { stdin: text })).toMatchObject({
      code: 3,
      err: expect.stringContaining('cannot find "desk"') as string,
    });
  });

  it('takes several sources together', async () => {
    const folder = folderWith({ 'pod.txt': DESCRIBE, 'other.json': list(HEALTHY) });
    const { out } = await podcheck(['diagnose', '--from', `${folder}/pod.txt`, '--from', `${folder}/other.json`, '-o', 'json']);
    expect(JSON.parse(out)).toMatchObject({ outcome: 'explained' });
  });
});

describe('diagnosing what is saved', () => {
  it('exits with 0 for a pod that is well', async () => {
    const { code, out } = await podcheck(['diagnose', '--from', '-'], { stdin: list(HEALTHY) });
    expect(code).toBe(0);
    expect(out).toContain('Pod shop/web-1 is healthy');
  });

  it('lists what there is to choose from when several are not well', async () => {
    const sick = (name: string): object => ({
      ...HEALTHY,
      metadata: { ...POD.metadata, name, uid: name },
      status: { ...HEALTHY.status, conditions: [{ type: 'Ready', status: 'False' }] },
    });
    const { code, out, err } = await podcheck(['diagnose', '--from', '-'], { stdin: list(sick('web-1'), sick('web-2')) });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Pod shop/web-1');
    expect(err).toContain('Pod shop/web-2');
    expect(err).toContain('hint:');
  });

  it.each([
    ['empty input', '', 'empty'],
    ['JSON that is cut off, with its line', '{"kind": "Pod",\n "metadata": {', 'line'],
    ['text that is nothing of Kubernetes', 'hello\nworld\n', 'podcheck can read'],
    ['bytes that are no text', '\u0000\u0001\u0002', ''],
  ])('refuses %s with exit code 2', async (_, stdin, words) => {
    const { code, out, err } = await podcheck(['diagnose', '--from', '-'], { stdin });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: .*\nhint: /);
    expect(err).toContain(words);
  });

  it('takes another time for now', async () => {
    const { out } = await podcheck(['diagnose', '--from', '-', '--now', '2026-01-15T00:00:00Z', '-o', 'json'], { stdin: list(HEALTHY) });
    expect(JSON.parse(out)).toMatchObject({ at: '2026-01-15T00:00:00Z' });
  });

  it('says when each stage was passed', async () => {
    const { out } = await podcheck(['diagnose', '--from', '-', '--timeline'], { stdin: list(HEALTHY) });
    expect(out).toMatch(/persistence +2026-01-14T09:00:00Z/);
  });
});

describe('scanning what is saved', () => {
  it('gives JSON that its published schema describes', async () => {
    const { code, out } = await podcheck(['scan', '--from', '-', '-o', 'json'], { stdin: DESCRIBE });
    expect(code).toBe(1);
    expect(problemsOf('scan.v1.json', JSON.parse(out))).toEqual([]);
  });

  it('exits with 0 when all is well', async () => {
    expect(await podcheck(['scan', '--from', '-'], { stdin: list(HEALTHY) })).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 of 1 healthy') as string,
    });
  });
});

function problemsOf(schema: string, value: unknown): readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } });
  const validate = ajv.compile(JSON.parse(readFileSync(`src/report/schemas/${schema}`, 'utf8')) as object);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

it('calls the journal of a service what it is: nobody asked systemd for its status', async () => {
  const journal =
    'Nov 20 09:00:01 worker-2 kubelet[811]: E1120 09:00:01.000000     811 run.go:74] "command failed" err="failed to run Kubelet: unable to load bootstrap kubeconfig"\nNov 20 09:00:01 worker-2 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE\n';
  for (const text of [journal, `$ ssh worker-2 journalctl -u kubelet\n${journal}`]) {
    const { out } = await podcheck(['scan', '-A', '--from', '-', '-o', 'json'], { stdin: text });
    const quotes = (JSON.parse(out) as { causes: { evidence: { source: string; quote: string }[] }[] }).causes.flatMap(
      ({ evidence }) => evidence,
    );
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.filter(({ source, quote }) => source.includes('systemctl') || quote.includes('Active: '))).toEqual([]);
  }
});
