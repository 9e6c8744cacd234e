import { describe, expect, it } from 'vitest';
import { podcheck } from '../../support/command-line.ts';
import { folderWith } from '../../support/folder.ts';
import { schemaProblems } from '../../support/schema-problems.ts';

const TIMEOUT = 60_000;

interface Answer {
  readonly workloads: readonly {
    readonly object: { readonly kind: string; readonly name: string };
    readonly verdict: string;
    readonly lastStage?: string;
    readonly obstacles: readonly { readonly rule: string; readonly place: Place; readonly assumed?: string }[];
    readonly unknown: readonly string[];
  }[];
  readonly remarks: readonly { readonly rule: string; readonly level: string; readonly place: Place; readonly says: string }[];
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** The answer about a manifest, and the exit code. */
async function preflight(
  manifest: string,
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly answer: Answer; readonly file: string }> {
  const file = `${folderWith({ 'shop.yaml': manifest })}/shop.yaml`;
  const { code, out, err } = await podcheck(['preflight', '-f', file, '-o', 'json', ...flags]);
  expect(err).toBe('');
  const answer = JSON.parse(out) as Answer;
  expect(schemaProblems('preflight.v1.json', answer)).toEqual([]);
  return { code, answer, file };
}

function deployment(pod: string, name = 'web'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${pod.replaceAll(/^/gm, '      ')}
`;
}

const PLAIN = 'containers: [{ name: web, image: shop/web:1 }]';
const QUOTA = `apiVersion: v1
kind: ResourceQuota
metadata: { name: small, namespace: shop }
spec:
  hard: { pods: "1" }
`;

/** Everything that can be wrong with one Deployment before its program runs. */
const HARD = deployment(`serviceAccountName: web-runner
priorityClassName: urgent
nodeSelector: { disk: fast }
containers:
  - name: web
    image: shop/web:1
    envFrom: [{ configMapRef: { name: prices } }]
    resources: { requests: { cpu: "100" } }
    ports: [{ name: web, containerPort: 80 }]
    readinessProbe: { httpGet: { path: /, port: http } }
    volumeMounts: [{ name: keys, mountPath: /keys }, { name: data, mountPath: /data }]
volumes:
  - { name: keys, secret: { secretName: keys } }
  - { name: data, persistentVolumeClaim: { claimName: data } }`);

describe('podcheck preflight', () => {
  it(
    'lists all obstacles in the order in which the pods meet them, and what it assumed to get past each',
    async () => {
      const { code, answer } = await preflight([QUOTA, HARD].join('---\n'));
      const [web] = answer.workloads;
      expect(code).toBe(1);
      expect(web?.obstacles.map(({ rule }) => rule)).toEqual([
        'mutating-admission/priority-class-not-found',
        'mutating-admission/service-account-not-found',
        'validating-admission/quota-exceeded',
        'scheduling/claim-not-found',
        'scheduling/node-selector-mismatch',
        'scheduling/insufficient-resource',
        'volumes/secret-not-found',
        'containers/configmap-not-found',
        'probes/probe-port-name-not-found',
      ]);
      expect(web?.obstacles.every(({ assumed }) => assumed !== undefined)).toBe(true);
      expect(web).toMatchObject({ verdict: 'blocked', lastStage: 'probes' });
    },
    TIMEOUT,
  );

  it(
    'names the place of each in the manifests: file, line and column of the value',
    async () => {
      const manifest = [QUOTA, HARD].join('---\n');
      const { answer, file } = await preflight(manifest);
      const lines = manifest.split('\n');
      const shown = answer.workloads[0]?.obstacles.map(({ place }) => {
        expect(place.file).toBe(file);
        return (lines[place.line - 1] ?? '').slice((place.column ?? 1) - 1).replace(/ ?[},].*$/, '');
      });
      expect(shown).toEqual(['urgent', 'web-runner', '"1"', 'data', 'fast', '"100"', 'keys', 'prices', 'http']);
    },
    TIMEOUT,
  );

  it(
    'tells each workload of what several of them lack',
    async () => {
      const pod = 'containers: [{ name: web, image: shop/web:1, envFrom: [{ secretRef: { name: keys } }] }]';
      const large = pod.replace('envFrom', 'resources: { requests: { cpu: "64" } }, envFrom');
      const { answer } = await preflight([deployment(pod), deployment(large, 'night')].join('---\n'));
      expect(answer.workloads.map(({ obstacles }) => obstacles.map(({ rule }) => rule))).toEqual([
        ['containers/secret-not-found'],
        ['scheduling/insufficient-resource', 'containers/secret-not-found'],
      ]);
    },
    TIMEOUT,
  );

  it(
    'tells of a Service what is wrong with the Service, and of its Deployment what is wrong with the pods',
    async () => {
      const service = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: wbe }, ports: [{ port: 80, targetPort: 80 }] }
`;
      const { answer } = await preflight([deployment(PLAIN), service].join('---\n'));
      expect(answer.workloads.map(({ object, verdict, obstacles }) => [object.kind, verdict, obstacles.map(({ rule }) => rule)])).toEqual([
        ['Deployment', 'unknown', []],
        ['Service', 'blocked', ['endpoints/selector-matches-no-pod']],
      ]);
    },
    TIMEOUT,
  );

  it(
    'does not say that it starts where the image was not asked for: exit code 0, and 3 with --fail-on unknown',
    async () => {
      const { code, answer } = await preflight(deployment(PLAIN));
      expect(code).toBe(0);
      expect(answer.workloads[0]).toMatchObject({
        verdict: 'unknown',
        lastStage: 'probes',
        obstacles: [],
        unknown: ['image shop/web:1 was not pulled, and its program was not run'],
      });
      expect((await preflight(deployment(PLAIN), '--fail-on', 'unknown')).code).toBe(3);
    },
    TIMEOUT,
  );

  it(
    'says that what comes after an obstacle is not known where nothing gets past it',
    async () => {
      const { answer } = await preflight(deployment('containers: [{ name: web, image: "shop/web:1:2" }]'));
      const [web] = answer.workloads;
      expect(web?.verdict).toBe('blocked');
      expect(web?.obstacles.at(-1)?.assumed).toBeUndefined();
    },
    TIMEOUT,
  );

  it(
    'leaves out what the baseline meets, too',
    async () => {
      const before = deployment('containers: [{ name: web, image: shop/web:1, envFrom: [{ configMapRef: { name: prices } }] }]');
      const after = deployment(
        'containers: [{ name: web, image: shop/web:1, envFrom: [{ configMapRef: { name: prices } }, { secretRef: { name: keys } }] }]',
      );
      const folder = folderWith({ 'before.yaml': before });
      const change = await preflight(after, '--baseline', `${folder}/before.yaml`);
      expect(change.code).toBe(1);
      expect(change.answer.workloads[0]?.obstacles.map(({ rule }) => rule)).toEqual(['containers/secret-not-found']);
      const none = await preflight(before, '--baseline', `${folder}/before.yaml`);
      expect(none.code).toBe(0);
      expect(none.answer).toMatchObject({ baselineFindings: 1, workloads: [{ verdict: 'unknown', obstacles: [] }] });
    },
    TIMEOUT,
  );

  it(
    'says of objects that are rejected where they stand, and of a kind that is not served that it is not known',
    async () => {
      const manifest = `apiVersion: v1
kind: ConfigMap
metadata: { name: Prices, namespace: shop }
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: till, namespace: shop }
`;
      const { code, answer } = await preflight(manifest);
      expect(code).toBe(1);
      expect(answer.remarks.map(({ rule, level, place }) => [rule, level, place.line])).toEqual([
        ['podcheck/rejected', 'error', 3],
        ['podcheck/unknown-kind', 'note', 5],
      ]);
      const unknown = await preflight(manifest.split('---\n')[1] ?? '');
      expect(unknown.code).toBe(0);
    },
    TIMEOUT,
  );

  it(
    'counts a workload as blocked that is rejected for what no rule names',
    async () => {
      const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n';
      const { code, answer } = await preflight([namespace, deployment(PLAIN)].join('---\n'), '-n', 'other');
      expect(code).toBe(1);
      expect(answer.workloads).toMatchObject([{ verdict: 'blocked', obstacles: [{ rule: 'podcheck/rejected' }], unknown: [] }]);
      expect(answer.remarks).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'tells what is refused at its own place, however often other documents were tried again',
    async () => {
      const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop }
spec: { minAvailable: 1, selector: { matchLabels: { app: web } } }
`;
      const scaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: shop }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 5
  maxReplicas: 3
`;
      const refused = deployment(
        `containers: [{ name: web, image: shop/web:1, volumeMounts: [{ name: data, mountPath: /data }] }]`,
        'other',
      );
      const { answer } = await preflight([scaler, HARD, budget, refused].join('---\n'));
      expect(answer.remarks.map(({ says, place }) => [says.split('"')[1], place.line])).toEqual([['web', 7]]);
      expect(answer.remarks[0]?.says).toContain('HorizontalPodAutoscaler');
      const other = answer.workloads.find(({ object }) => object.name === 'other');
      const line =
        [scaler, HARD, budget, refused]
          .join('---\n')
          .split('\n')
          .findIndex((text) => text.includes('volumeMounts: [{ name: data, mountPath: /data }] }]')) + 1;
      expect(other?.obstacles).toMatchObject([{ rule: 'schema-validation/invalid-value', place: { line } }]);
    },
    TIMEOUT,
  );

  it(
    'gives a load balancer its address, as a cloud does, and says which obstacle stays',
    async () => {
      const labels =
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: restricted } }\n';
      const front = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }
`;
      const agent = deployment('hostNetwork: true\nnodeSelector: { role: worker }\ncontainers: [{ name: web, image: shop/web:1 }]')
        .replace('kind: Deployment', 'kind: DaemonSet')
        .replace('  replicas: 2\n', '');
      const file = `${folderWith({ 'shop.yaml': [labels, front, agent].join('---\n') })}/shop.yaml`;
      const { out } = await podcheck(['preflight', '-f', file]);
      expect(out).not.toContain('load balancer');
      expect(out).toContain('Service shop/web has no known obstacle');
      expect(out.replaceAll(/\s+/g, ' ')).toMatch(/blocked by 3 obstacles .* No change is known that removes obstacle 2, so /);
    },
    TIMEOUT,
  );

  it.each([
    ['no port is declared', '', 0],
    ['another port is declared', 'ports: [{ containerPort: 8081 }], ', 1],
  ])(
    'takes a program to listen where its Service forwards to, as well as where its probe asks, if %s',
    async (_, ports, wanted) => {
      const pod = `containers: [{ name: web, image: shop/web:1, ${ports}readinessProbe: { httpGet: { path: /, port: 8081 } } }]`;
      const front = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
`;
      const { code, answer } = await preflight([deployment(pod), front].join('---\n'));
      expect(code).toBe(wanted);
      expect(answer.workloads.flatMap(({ obstacles }) => obstacles.map(({ rule }) => rule))).toEqual(
        wanted === 0 ? [] : ['endpoints/target-port-mismatch'],
      );
    },
    TIMEOUT,
  );

  it(
    'remarks on an object that is in the manifests twice, at the second place',
    async () => {
      const { code, answer } = await preflight([deployment(PLAIN), deployment(PLAIN)].join('---\n'));
      expect(code).toBe(0);
      expect(answer.remarks).toMatchObject([{ rule: 'podcheck/duplicate-object', level: 'warning', place: { line: 14 } }]);
      expect(answer.workloads).toHaveLength(1);
    },
    TIMEOUT,
  );
});

describe('podcheck preflight refuses', () => {
  const refused = async (manifest: string): Promise<string> => {
    const file = `${folderWith({ 'shop.yaml': manifest })}/shop.yaml`;
    const { code, out, err } = await podcheck(['preflight', '-f', file]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    return err.replace(file, 'shop.yaml');
  };

  it('a template that was not rendered, with its line', async () => {
    expect(await refused('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n')).toContain(
      'shop.yaml:4: a template that was not rendered: name: {{ .Values.name }}',
    );
    expect(await refused('{{- if .Values.on }}\nkind: ConfigMap\n{{- end }}\n')).toContain('shop.yaml:1: a template that was not rendered');
    expect(await refused('{{- if .Values.on }}\nkind: ConfigMap\n{{- end }}\n')).toContain('helm template CHART | podcheck preflight -f -');
  });

  it('a document that is no manifest, with its line', async () => {
    expect(await refused('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\n- one\n')).toContain(
      'shop.yaml:5: expected an object',
    );
    expect(await refused('a: 1\n')).toContain("shop.yaml:1: Object 'Kind' is missing");
    expect(await refused('a: [\n')).toMatch(/shop\.yaml:\d+: /);
  });

  it('flags that name two clusters, or no manifest', async () => {
    expect(await podcheck(['preflight'])).toMatchObject({ code: 2 });
    expect(await podcheck(['preflight', '-f', 'x.yaml', '--from', 'a.json', '--cluster', 'one-node'])).toMatchObject({ code: 2 });
    expect(await podcheck(['preflight', '-f', 'x.yaml', '--cluster', 'moon'])).toMatchObject({ code: 2 });
    expect(await podcheck(['preflight', '-f', 'x.yaml', '--fail-on', 'moon'])).toMatchObject({ code: 2 });
    expect(await podcheck(['preflight', '-f', '-', '--from', '-'])).toMatchObject({ code: 2 });
  });
});

describe('a text block in a manifest', () => {
  it(
    "may hold somebody else's template",
    async () => {
      const manifest =
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: mail, namespace: shop }\ndata:\n  mail: |\n    {{ .Name }}\n    a: {{ .B }}\n  more: "{{ .C }}"\n';
      expect((await preflight(manifest)).code).toBe(0);
    },
    TIMEOUT,
  );
});
