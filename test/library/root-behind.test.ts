import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

interface Answer {
  readonly causes: readonly { readonly rule: string; readonly what: string; readonly affected: readonly { readonly name: string }[] }[];
}

/** A pod template for `name` with these containers. */
function workload(kind: string, name: string, pod: string): string {
  const own = kind === 'StatefulSet' ? `  serviceName: ${name}\n` : '';
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
${own}  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      ${pod}
`;
}

function service(name: string): string {
  return `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\nspec: { selector: { app: ${name} }, ports: [{ port: 5432 }] }\n`;
}

function waits(command: string): string {
  return workload(
    'Deployment',
    'till',
    `initContainers: [{ name: wait, image: "busybox:1.37", command: [sh, -c, "until ${command}; do sleep 1; done"] }]\n      containers: [{ name: till, image: "nginx:1.27" }]`,
  );
}

const BROKEN = workload(
  'StatefulSet',
  'stock',
  'containers: [{ name: stock, image: "postgres:16", envFrom: [{ secretRef: { name: stock-key } }] }]',
);
const WELL = workload(
  'StatefulSet',
  'stock',
  'containers: [{ name: stock, image: "postgres:16", env: [{ name: POSTGRES_PASSWORD, value: x }], ports: [{ containerPort: 5432 }] }]',
);

async function caused(...documents: readonly string[]): Promise<Answer['causes'][number] | undefined> {
  const file = `${folderWith({ 'shop.yaml': documents.join('---\n') })}/shop.yaml`;
  const { out } = await podcheck(['sim', 'run', file, '--until', '3m', '-o', 'json']);
  const { diagnosis } = JSON.parse(out) as { readonly diagnosis: Answer };
  return diagnosis.causes[0];
}

describe('a workload that waits for a Service', () => {
  it('has the cause of a Service whose port leads to none of its ready pods', async () => {
    const cause = await caused(waits('nc -zv stock 5432'), WELL, service('stock').replace('port: 5432', 'port: 5432, targetPort: pg'));
    expect(cause).toMatchObject({ rule: 'endpoints/target-port-mismatch' });
    expect(cause?.what).toMatch(/^Deployment\/till calls Service stock\. Port 5432 of Service stock /);
  });

  it.each(['nc -z stock 5432', 'nc -z stock.default.svc.cluster.local 5432', 'wget -q -O- http://stock:5432', 'pg_isready -h stock'])(
    'has the cause of the pods behind it, by its command or its log: %s',
    async (command) => {
      const cause = await caused(waits(command), BROKEN, service('stock'));
      expect(cause).toMatchObject({ rule: 'containers/secret-not-found' });
      expect(cause?.what).toMatch(/^Deployment\/till calls Service stock, which has no ready pod\. Container stock of StatefulSet\/stock /);
      expect(cause?.affected.map(({ name }) => name)).toContain('till');
    },
  );

  it('is followed from one to the next', async () => {
    const between = workload(
      'Deployment',
      'prices',
      'initContainers: [{ name: wait, image: "busybox:1.37", command: [sh, -c, "until nc -z stock 5432; do sleep 1; done"] }]\n      containers: [{ name: prices, image: "nginx:1.27" }]',
    );
    const cause = await caused(waits('nc -z prices 5432'), between, service('prices'), BROKEN, service('stock'));
    expect(cause).toMatchObject({ rule: 'containers/secret-not-found' });
    expect(cause?.what).toMatch(/^Deployment\/till calls Service prices, which has no ready pod\. /);
  });

  it.each([
    ['of which pods are ready', 'nc -z stock 5433', WELL],
    ['that its command only has a word of', 'echo stock; false', BROKEN],
    ['that is another one', 'nc -z orders 5432', BROKEN],
  ])('is not blamed on one %s', async (_, command, stock) => {
    const cause = await caused(waits(command), stock, service('stock'));
    expect(cause?.rule).not.toBe('containers/secret-not-found');
    expect(cause?.what).not.toContain('no ready pod');
  });

  it.each([
    [
      'its command only names, when its program ends',
      '{ name: till, image: "busybox:1.37", command: [sh, -c, "echo stock:5432; exit 3"] }',
    ],
    [
      'another of its containers calls',
      '{ name: probe, image: "busybox:1.37", command: [sh, -c, "nc -z stock 5432; sleep 3600"] }, { name: till, image: "busybox:1.37", command: [sh, -c, "exit 3"] }',
    ],
  ])('is not blamed on what %s', async (_, containers) => {
    const cause = await caused(workload('Deployment', 'till', `containers: [${containers}]`), BROKEN, service('stock'));
    expect(cause?.rule).not.toBe('containers/secret-not-found');
    expect(cause?.what).not.toContain('no ready pod');
  });
});
