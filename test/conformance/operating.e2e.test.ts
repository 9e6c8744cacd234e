import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Bench } from './kubectl.ts';
import { deployment, findProgram, openBench } from './kubectl.ts';
import { fails, row, works } from './row.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  bench.shop('operating', [
    deployment('web', 3),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    },
  ]);
});
afterAll(() => bench.close());

describe('kubectl on nodes', () => {
  row('nodes', 'closes, empties and opens them', async () => {
    expect(await works(bench, 'cordon worker-3')).toBe('node/worker-3 cordoned\n');
    expect(await works(bench, 'get node worker-3')).toContain('Ready,SchedulingDisabled');
    const drained = await bench.kubectl('drain worker-1 --ignore-daemonsets --delete-emptydir-data');
    expect(drained).toMatchObject({ code: 0, err: '' });
    expect(drained.out).toContain('node/worker-1 drained');
    expect(await works(bench, 'uncordon worker-1')).toBe('node/worker-1 uncordoned\n');
    expect(await works(bench, 'uncordon worker-3')).toBe('node/worker-3 uncordoned\n');
  });

  row('nodes', 'is told by a disruption budget that it must wait', async () => {
    bench.shop('guarded', [
      deployment('db', 1),
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'db' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'db' } } },
      },
    ]);
    const node = await works(bench, '-n guarded get pods -o jsonpath={.items[0].spec.nodeName}');
    const { code, err } = await bench.kubectl(`drain ${node} --ignore-daemonsets --timeout=2s`);
    expect(code).toBe(1);
    expect(err).toMatch(
      /error when evicting pods\/"db-\S+" -n "guarded" \(will retry after 5s\): Cannot evict pod as it would violate the pod's disruption budget\./,
    );
    await works(bench, `uncordon ${node}`);
  });

  row('nodes', 'marks and unmarks them', async () => {
    expect(await works(bench, 'taint node worker-2 maintenance=true:NoSchedule')).toBe('node/worker-2 tainted\n');
    expect(await works(bench, 'taint node worker-2 maintenance-')).toBe('node/worker-2 untainted\n');
  });

  row('nodes', 'shows what nodes and pods use', async () => {
    await bench.serving.clock.advance(150_000);
    expect(await works(bench, 'top nodes')).toMatch(
      /^NAME +CPU\(cores\) +CPU\(?%\)? +MEMORY\(bytes\) +MEMORY\(?%\)? *\nworker-1 +\d+m +\d+% +\d+Mi +\d+%/,
    );
    expect(await works(bench, '-n operating top pods --containers')).toMatch(
      /^POD +NAME +CPU\(cores\) +MEMORY\(bytes\) *\nweb-\S+ +web +\d+m +\d+Mi/,
    );
  });
});

describe('kubectl about rights', () => {
  row('access', 'asks what may be done, and who is asking', async () => {
    expect(await works(bench, 'auth can-i create pods')).toBe('yes\n');
    expect(await works(bench, 'auth can-i --list -n operating')).toMatch(
      /^Resources +Non-Resource URLs +Resource Names +Verbs\n\*\.\* +\[\] +\[\] +\[\*\]\n/,
    );
    expect(await works(bench, 'auth whoami')).toMatch(
      /^ATTRIBUTE +VALUE\nUsername +kubernetes-admin\nGroups +\[system:masters system:authenticated\]\n/,
    );
    expect(await bench.kubectl('auth can-i delete nodes --as=jane')).toMatchObject({ code: 1, out: 'no\n' });
    expect(await works(bench, 'auth whoami --as=jane --as-group=team')).toContain('Groups      [team system:authenticated]');
  });

  row('access', 'makes a token that is known', async () => {
    const token = await works(bench, '-n operating create token default --duration=1h');
    expect(
      await works(bench, `auth whoami --token=${token.trim()} --kubeconfig=token.yaml`, {
        kubeconfig: bench.file('token.yaml', withoutUser(bench.serving.kubeconfig)),
      }),
    ).toContain('system:serviceaccount:operating:default');
  });
});

describe('kubectl debug', () => {
  row('debug', 'adds an ephemeral container to a running pod', async () => {
    const pod = (await works(bench, '-n operating get pods -o name')).split('\n')[0] ?? '';
    const { code, err } = await bench.kubectl(
      `-n operating debug ${pod} --image=shop/tools:1.0 --container=look --profile=general -- sleep 60`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await works(bench, `-n operating get ${pod} -o jsonpath={.spec.ephemeralContainers[0].name}`)).toBe('look');
    expect(await works(bench, `-n operating describe ${pod}`)).toContain('Ephemeral Containers:\n  look:');
  });

  row('debug', 'makes a pod on a node to look from', async () => {
    const { code, out, err } = await bench.kubectl('-n operating debug node/worker-1 --image=shop/tools:1.0 --profile=general -- sleep 60');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [, pod] = /^Creating debugging pod (node-debugger-worker-1-\S+) with container debugger on node worker-1\.\n$/.exec(out) ?? [];
    expect(
      await works(bench, `-n operating get pod ${pod ?? ''} -o jsonpath={.spec.nodeName}/{.spec.hostPID}/{.spec.volumes[0].hostPath.path}`),
    ).toBe('worker-1/true//');
    await works(bench, `-n operating delete pod ${pod ?? ''} --now`);
  });

  row('debug', 'makes a copy of a pod with another command', async () => {
    const pod = (await works(bench, '-n operating get pods -l app -o name')).split('\n')[0] ?? '';
    const { code, err } = await bench.kubectl(
      `-n operating debug ${pod} --copy-to=look-alike --container=web --profile=general -- sleep 60`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await works(bench, '-n operating get pod look-alike -o jsonpath={.spec.containers[0].command}')).toBe('["sleep","60"]');
    await works(bench, '-n operating delete pod look-alike --now');
  });
});

describe('kubectl certificate', () => {
  row('certificates', 'approves and denies requests', async () => {
    if (findProgram('openssl') === undefined) return;
    const key = join(bench.folder, 'jane.key');
    execFileSync(
      'openssl',
      [
        'req',
        '-new',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        key,
        '-subj',
        '/CN=jane/O=team',
        '-out',
        join(bench.folder, 'jane.csr'),
      ],
      { stdio: 'ignore' },
    );
    const request = readFileSync(join(bench.folder, 'jane.csr')).toString('base64');
    for (const name of ['jane', 'tom'])
      await works(bench, 'create -f -', {
        stdin: JSON.stringify({
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name },
          spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
        }),
      });
    expect(await works(bench, 'get csr jane')).toMatch(
      /^NAME +AGE +SIGNERNAME +REQUESTOR +REQUESTEDDURATION +CONDITION\njane +\S+ +kubernetes.io\/kube-apiserver-client +kubernetes-admin +<none> +Pending\n/,
    );
    expect(await works(bench, 'certificate approve jane')).toBe('certificatesigningrequest.certificates.k8s.io/jane approved\n');
    expect(await works(bench, 'get csr jane --no-headers')).toContain('Approved,Issued');
    expect(await works(bench, 'certificate deny tom')).toBe('certificatesigningrequest.certificates.k8s.io/tom denied\n');
    expect(await works(bench, 'describe csr tom')).toContain('Denied');
    writeFileSync(
      join(bench.folder, 'jane.crt'),
      Buffer.from(await works(bench, 'get csr jane -o jsonpath={.status.certificate}'), 'base64'),
    );
    writeFileSync(join(bench.folder, 'jane-config'), bench.serving.kubeconfig);
    const options = { kubeconfig: join(bench.folder, 'jane-config') };
    await works(bench, 'config set-credentials jane --client-certificate=jane.crt --client-key=jane.key --embed-certs', options);
    await works(bench, 'config set-context --current --user=jane', options);
    expect(await works(bench, 'auth whoami', options)).toMatch(/Username +jane\nGroups +\[team system:authenticated\]/);
    expect(await fails(bench, 'get nodes', options)).toContain('User "jane" cannot list resource "nodes"');
  });
});

describe('custom resources', () => {
  const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: parcels.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: parcels, singular: parcel, kind: Parcel, shortNames: [pa], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.boxes, statusReplicasPath: .status.boxes}}
    additionalPrinterColumns:
    - {name: To, type: string, jsonPath: .spec.to}
    - {name: Boxes, type: integer, jsonPath: .spec.boxes}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            description: What is sent.
            required: [to]
            properties:
              to: {type: string, minLength: 2, description: Whom it goes to.}
              boxes: {type: integer, default: 1, minimum: 1}
              speed: {type: string, enum: [slow, fast]}
          status:
            type: object
            properties: {boxes: {type: integer}, state: {type: string}}
`;
  const parcel = (spec: string): string => `apiVersion: shop.example/v1\nkind: Parcel\nmetadata: {name: first}\nspec: ${spec}\n`;

  row('custom', 'are served as defined: with columns, defaults, pruning, status and scale', async () => {
    await works(bench, 'apply -f -', { stdin: definition });
    expect(await works(bench, 'wait --for=condition=Established crd/parcels.shop.example --timeout=30s')).toContain('condition met');
    expect(await works(bench, 'get crd parcels.shop.example')).toMatch(/^NAME +CREATED AT\nparcels.shop.example +20/);
    expect(await works(bench, '-n operating apply -f -', { stdin: parcel('{to: jane}') })).toBe('parcel.shop.example/first created\n');
    expect(await works(bench, '-n operating get pa')).toMatch(/^NAME +TO +BOXES +AGE\nfirst +jane +1 +\d+s\n/);
    expect(await works(bench, '-n operating apply -f -', { stdin: parcel('{to: tom}') })).toBe('parcel.shop.example/first configured\n');
    expect(await works(bench, '-n operating scale parcel first --replicas=3')).toBe('parcel.shop.example/first scaled\n');
    expect(await works(bench, '-n operating get parcel first -o jsonpath={.spec.boxes}')).toBe('3');
    expect(await works(bench, '-n operating apply --server-side --force-conflicts -f -', { stdin: parcel('{to: kim, boxes: 2}') })).toBe(
      'parcel.shop.example/first serverside-applied\n',
    );
    expect(await works(bench, 'explain parcel.spec.to')).toContain('Whom it goes to.');
    expect(await works(bench, '-n operating describe parcel first')).toContain('To:     kim');
    expect(await works(bench, '-n operating get all')).toContain('parcel.shop.example/first');
    expect(await works(bench, '-n operating delete parcel first')).toBe('parcel.shop.example "first" deleted\n');
    expect(await fails(bench, '-n operating apply -f -', { stdin: parcel('{to: j, boxes: 0, speed: light}') })).toBe(
      [
        'The Parcel "first" is invalid: ',
        '* spec.boxes: Invalid value: 0: spec.boxes in body should be greater than or equal to 1',
        '* spec.speed: Unsupported value: "light": supported values: "slow", "fast"',
        '* spec.to: Invalid value: "j": spec.to in body should be at least 2 chars long',
      ].join('\n'),
    );
    expect(await fails(bench, '-n operating apply -f -', { stdin: parcel('{to: jane, weight: 3}') })).toContain(
      'strict decoding error: unknown field "spec.weight"',
    );
    expect(await works(bench, 'delete crd parcels.shop.example')).toBe(
      'customresourcedefinition.apiextensions.k8s.io "parcels.shop.example" deleted\n',
    );
    expect(await fails(bench, '-n operating get parcels')).toContain('the server could not find the requested resource');
  });
});

function withoutUser(kubeconfig: string): string {
  return kubeconfig
    .replaceAll(/"client-(certificate|key)-data": *"[^"]*",?/g, '')
    .replaceAll(/client-(certificate|key)-data: *\S+\n/g, '')
    .replaceAll(/,(\s*})/g, '$1');
}
