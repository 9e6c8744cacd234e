import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Bench } from './kubectl.ts';
import { deployment, openBench, service } from './kubectl.ts';
import { checked, fails, row, works } from './row.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  for (const name of ['creating', 'removing']) bench.shop(name);
  bench.shop('changing', [
    deployment('web'),
    service('web'),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { colour: 'red' } },
  ]);
  bench.shop('rolling', [
    deployment('web', 3),
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: {
        serviceName: 'db',
        replicas: 2,
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'shop/db:1.0' }] } },
      },
    },
  ]);
  bench.shop('applying');
});
afterAll(() => bench.close());

const manifest = (replicas: number, image = 'shop/web:1.0'): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "${image}", ports: [{containerPort: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
`;

describe('kubectl create', () => {
  const generators: readonly (readonly [line: string, said: string])[] = [
    ['create configmap c --from-literal=colour=red', 'configmap/c created'],
    ['create secret generic s --from-literal=user=shop', 'secret/s created'],
    ['create secret docker-registry r --docker-server=registry.shop.example --docker-username=u --docker-password=p', 'secret/r created'],
    ['create serviceaccount sa', 'serviceaccount/sa created'],
    ['create deployment d --image=shop/web:1.0 --replicas=2 --port=8080', 'deployment.apps/d created'],
    ['create job j --image=shop/import:1.0 -- /bin/import --all', 'job.batch/j created'],
    ['create cronjob cj --image=shop/report:1.0 --schedule "0 4 * * *"', 'cronjob.batch/cj created'],
    ['create job by-hand --from=cronjob/cj', 'job.batch/by-hand created'],
    ['create service clusterip s1 --tcp=80:8080', 'service/s1 created'],
    ['create service nodeport s2 --tcp=80:http', 'service/s2 created'],
    ['create service loadbalancer s3 --tcp=80', 'service/s3 created'],
    ['create service externalname s4 --external-name=shop.example', 'service/s4 created'],
    ['create ingress i --rule=shop.example/*=s1:80,tls=cert', 'ingress.networking.k8s.io/i created'],
    ['create quota q --hard=services=50,secrets=50', 'resourcequota/q created'],
    ['create poddisruptionbudget p --selector=app=d --min-available=1', 'poddisruptionbudget.policy/p created'],
    ['create role ro --verb=get,list --resource=pods,deployments.apps', 'role.rbac.authorization.k8s.io/ro created'],
    ['create rolebinding rb --role=ro --user=jane --serviceaccount=creating:sa', 'rolebinding.rbac.authorization.k8s.io/rb created'],
    ['create clusterrole cr --verb=get --resource=nodes', 'clusterrole.rbac.authorization.k8s.io/cr created'],
    ['create clusterrolebinding crb --clusterrole=cr --group=team', 'clusterrolebinding.rbac.authorization.k8s.io/crb created'],
    ['create priorityclass pc --value=1000 --description=shop', 'priorityclass.scheduling.k8s.io/pc created'],
    ['create namespace created', 'namespace/created created'],
    ['run one --image=shop/web:1.0 --port=8080 --labels=app=one', 'pod/one created'],
    ['expose deployment d --name=d2 --port=80 --target-port=8080', 'service/d2 exposed'],
    ['autoscale deployment d --min=2 --max=4 --cpu-percent=80', 'horizontalpodautoscaler.autoscaling/d autoscaled'],
  ];

  row('create', 'makes what every generator writes', async () => {
    for (const [line, said] of generators) expect(await works(bench, `-n creating ${line}`)).toBe(`${said}\n`);
    expect(await works(bench, '-n creating get svc s2 -o jsonpath={.spec.ports[0].targetPort}')).toBe('http');
    expect(await works(bench, '-n creating get job j -o jsonpath={.spec.template.spec.containers[0].command}')).toBe(
      '["/bin/import","--all"]',
    );
    expect(await works(bench, '-n creating get hpa d -o jsonpath={.spec.metrics[0].resource.target.averageUtilization}')).toBe('80');
    expect(await works(bench, '-n creating get deploy d -o jsonpath={.status.readyReplicas}')).toBe('2');
  });

  row('refused', 'says what is wrong in the words of a real server', async () => {
    await works(bench, '-n creating create configmap twice');
    expect(await fails(bench, '-n creating create configmap twice')).toBe(
      'error: failed to create configmap: configmaps "twice" already exists',
    );
    expect(
      await fails(bench, '-n creating apply -f -', {
        stdin: 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: p, image: x, imagePullPolice: Always}]}\n',
      }),
    ).toBe(
      'Error from server (BadRequest): error when creating "STDIN": Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].imagePullPolice"',
    );
    expect(
      await fails(bench, '-n creating apply -f -', {
        stdin: 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: Not_A_Name, image: x}]}\n',
      }),
    ).toContain('The Pod "p" is invalid: spec.containers[0].name: Invalid value: "Not_A_Name": a lowercase RFC 1123 label must consist of');
    const warned = await bench.kubectl('-n creating apply --validate=warn -f -', {
      stdin: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: warned}\ncolour: red\n',
    });
    expect(warned).toMatchObject({ code: 0, err: 'Warning: unknown field "colour"\n' });
    expect(await fails(bench, '-n nowhere create configmap c')).toBe('error: failed to create configmap: namespaces "nowhere" not found');
    expect(await fails(bench, '-n creating --as=jane delete pod one')).toBe(
      'Error from server (Forbidden): pods "one" is forbidden: User "jane" cannot delete resource "pods" in API group "" in the namespace "creating"',
    );
  });
});

describe('kubectl apply', () => {
  row('apply', 'creates, leaves alone and changes, and prunes what is gone from the manifests', async () => {
    bench.file('web.yaml', manifest(2));
    expect(await works(bench, '-n applying apply -f web.yaml')).toBe('deployment.apps/web created\nservice/web created\n');
    expect(await works(bench, '-n applying apply -f web.yaml')).toBe('deployment.apps/web unchanged\nservice/web unchanged\n');
    bench.file('web.yaml', manifest(3, 'shop/web:1.1'));
    const diff = await bench.kubectl('-n applying diff -f web.yaml');
    expect(diff).toMatchObject({ code: 1, err: '' });
    expect(diff.out).toContain('-  replicas: 2\n+  replicas: 3');
    expect(await works(bench, '-n applying apply --dry-run=server -f web.yaml')).toBe(
      'deployment.apps/web configured (server dry run)\nservice/web unchanged (server dry run)\n',
    );
    expect(await works(bench, '-n applying get deploy web -o jsonpath={.spec.replicas}')).toBe('2');
    expect(await works(bench, '-n applying apply -f web.yaml')).toBe('deployment.apps/web configured\nservice/web unchanged\n');
    expect(await works(bench, '-n applying replace -f web.yaml')).toBe('deployment.apps/web replaced\nservice/web replaced\n');
  });

  row('apply', 'takes away what its label chooses and no manifest has', async () => {
    const settings = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {part-of: pruned}}\n`;
    bench.file('pruned.yaml', `${settings('one')}---\n${settings('two')}`);
    await works(bench, '-n applying apply --prune -l part-of=pruned --prune-allowlist=core/v1/ConfigMap -f pruned.yaml');
    bench.file('pruned.yaml', settings('one'));
    expect(await works(bench, '-n applying apply --prune -l part-of=pruned --prune-allowlist=core/v1/ConfigMap -f pruned.yaml')).toBe(
      'configmap/one unchanged\nconfigmap/two pruned\n',
    );
    expect(await works(bench, '-n applying get configmaps -l part-of=pruned -o name')).toBe('configmap/one\n');
  });

  row('apply', 'on the server owns fields, conflicts over them, and takes them over', async () => {
    bench.file('own.yaml', manifest(2).replaceAll('web', 'own'));
    expect(await works(bench, '-n applying apply --server-side -f own.yaml')).toBe(
      'deployment.apps/own serverside-applied\nservice/own serverside-applied\n',
    );
    await works(bench, '-n applying scale deploy own --replicas=5');
    expect(await fails(bench, '-n applying apply --server-side -f own.yaml')).toContain(
      'error: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas\nPlease review the fields above--they currently have other managers.',
    );
    expect(await works(bench, '-n applying apply --server-side --force-conflicts -f own.yaml')).toContain(
      'deployment.apps/own serverside-applied',
    );
    expect(await works(bench, '-n applying get deploy own -o jsonpath={.spec.replicas}')).toBe('2');
    expect(await works(bench, '-n applying get deploy own -o yaml --show-managed-fields')).toContain('operation: Apply');
  });

  row('apply', 'goes over from client- to server-side without losing fields', async () => {
    bench.file('over.yaml', manifest(2).replaceAll('web', 'over'));
    await works(bench, '-n applying apply -f over.yaml');
    expect(await works(bench, '-n applying apply --server-side -f over.yaml')).toContain('deployment.apps/over serverside-applied');
    bench.file(
      'over.yaml',
      manifest(2).replaceAll('web', 'over').replace(', labels: {app: over}}\nspec:\n  replicas', '}\nspec:\n  replicas'),
    );
    await works(bench, '-n applying apply --server-side -f over.yaml');
    expect(await works(bench, '-n applying get deploy over -o jsonpath={.metadata.labels}')).toBe('');
  });
});

describe('kubectl changes', () => {
  row('change', 'labels, annotations, scale, images and the rest', async () => {
    const lines: readonly (readonly [line: string, said: string])[] = [
      ['label deploy web tier=front', 'deployment.apps/web labeled'],
      ['label deploy web tier-', 'deployment.apps/web unlabeled'],
      ['annotate cm settings note=one', 'configmap/settings annotated'],
      ['scale deploy web --replicas=3', 'deployment.apps/web scaled'],
      ['scale deploy web --current-replicas=3 --replicas=2', 'deployment.apps/web scaled'],
      ['set image deploy/web web=shop/web:1.1', 'deployment.apps/web image updated'],
      ['set env deploy/web COLOUR=blue', 'deployment.apps/web env updated'],
      ['set resources deploy web --limits=cpu=200m,memory=64Mi', 'deployment.apps/web resource requirements updated'],
      ['set serviceaccount deploy web default', 'deployment.apps/web serviceaccount updated'],
      ['set selector svc web app=web,tier=front', 'service/web selector updated'],
      ['create role r --verb=get --resource=pods', 'role.rbac.authorization.k8s.io/r created'],
      ['create rolebinding rb --role=r --user=jane', 'rolebinding.rbac.authorization.k8s.io/rb created'],
      ['set subject rolebinding rb --user=tom', 'rolebinding.rbac.authorization.k8s.io/rb subjects updated'],
      ['patch deploy web -p {"spec":{"revisionHistoryLimit":5}}', 'deployment.apps/web patched'],
      ['patch deploy web --type=merge -p {"spec":{"minReadySeconds":1}}', 'deployment.apps/web patched'],
      ['patch deploy web --type=json -p [{"op":"replace","path":"/spec/replicas","value":1}]', 'deployment.apps/web patched'],
      ['patch deploy web --subresource=scale --type=merge -p {"spec":{"replicas":2}}', 'scale.autoscaling/web patched'],
      ['patch deploy web -p {"spec":{"revisionHistoryLimit":5}}', 'deployment.apps/web patched (no change)'],
    ];
    for (const [line, said] of lines) {
      const [head = '', patch] = line.split(' -p ');
      const argv = ['-n', 'changing', ...head.split(' '), ...(patch === undefined ? [] : ['-p', patch])];
      expect(checked(line, await bench.run('kubectl', argv))).toBe(`${said}\n`);
    }
    expect(
      await works(
        bench,
        '-n changing get deploy web -o jsonpath={.spec.template.spec.containers[0].image}{.spec.template.spec.containers[0].env[0].value}{.spec.minReadySeconds}{.spec.replicas}',
      ),
    ).toBe('shop/web:1.1blue12');
  });

  row('change', 'edits with an editor', async () => {
    bench.file('editor.sh', '#!/bin/sh\nsed -i s/red/green/ "$1"\n');
    expect(await works(bench, '-n changing edit cm settings', { env: { EDITOR: `sh ${bench.folder}/editor.sh` } })).toBe(
      'configmap/settings edited\n',
    );
    expect(await works(bench, '-n changing get cm settings -o jsonpath={.data.colour}')).toBe('green');
  });
});

describe('kubectl delete', () => {
  row('delete', 'waits until things are gone, or does not', async () => {
    bench.shop('removing', [
      deployment('web'),
      deployment('other'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { of: 'test' } } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', labels: { of: 'test' } } },
    ]);
    expect(await works(bench, '-n removing delete cm -l of=test')).toBe('configmap "a" deleted\nconfigmap "b" deleted\n');
    const pods = (await works(bench, '-n removing get pods -l app=web -o name')).trim().split('\n');
    expect(await works(bench, `-n removing delete ${pods[0] ?? ''}`)).toBe(`pod "${(pods[0] ?? '').slice(4)}" deleted\n`);
    const forced = await bench.kubectl(`-n removing delete ${pods[1] ?? ''} --force`);
    expect(forced).toMatchObject({
      code: 0,
      err: 'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
      out: `pod "${(pods[1] ?? '').slice(4)}" force deleted\n`,
    });
    expect(await works(bench, '-n removing delete deploy other --cascade=orphan')).toBe('deployment.apps "other" deleted\n');
    expect(await works(bench, '-n removing get rs -l app=other -o name')).toMatch(/^replicaset.apps\/other-/);
    expect(await works(bench, '-n removing delete deploy web --cascade=foreground')).toBe('deployment.apps "web" deleted\n');
    expect(await works(bench, '-n removing get rs -l app=web -o name')).toBe('');
    expect(await works(bench, 'delete ns removing')).toBe('namespace "removing" deleted\n');
    expect(await fails(bench, 'get ns removing')).toBe('Error from server (NotFound): namespaces "removing" not found');
  });
});

describe('kubectl rollout', () => {
  row('rollout', 'follows, tells, undoes and holds roll-outs', async () => {
    expect(await works(bench, '-n rolling rollout status deploy/web')).toBe('deployment "web" successfully rolled out\n');
    await works(bench, '-n rolling set image deploy/web web=shop/web:2.0');
    expect(await works(bench, '-n rolling rollout status deploy/web --timeout=60s')).toContain(
      'deployment "web" successfully rolled out\n',
    );
    expect(await works(bench, '-n rolling rollout history deploy/web')).toBe(
      'deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n',
    );
    expect(await works(bench, '-n rolling rollout history deploy/web --revision=1')).toContain('Image:\tshop/web:1.0');
    expect(await works(bench, '-n rolling rollout undo deploy/web')).toBe('deployment.apps/web rolled back\n');
    expect(await works(bench, '-n rolling get deploy web -o jsonpath={.spec.template.spec.containers[0].image}')).toBe('shop/web:1.0');
    expect(await works(bench, '-n rolling rollout restart deploy/web')).toBe('deployment.apps/web restarted\n');
    expect(await works(bench, '-n rolling rollout pause deploy/web')).toBe('deployment.apps/web paused\n');
    expect(await fails(bench, '-n rolling rollout restart deploy/web')).toContain(`can't restart paused deployment`);
    expect(await works(bench, '-n rolling rollout resume deploy/web')).toBe('deployment.apps/web resumed\n');
    expect(await works(bench, '-n rolling rollout status sts/db')).toMatch(
      /partitioned roll out complete|statefulset rolling update complete 2 pods at revision db-/,
    );
    expect(await works(bench, '-n rolling rollout history sts/db')).toContain('statefulset.apps/db');
  });
});
