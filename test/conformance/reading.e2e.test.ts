import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Bench } from './kubectl.ts';
import { KUBECTL, openBench } from './kubectl.ts';
import { OBJECTS } from './reading-objects.ts';
import { checked, fails, headerOf, row, works } from './row.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  bench.shop('reading', OBJECTS);
});
afterAll(() => bench.close());

describe('kubectl get', () => {
  const header = {
    deployments: 'NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR',
    pods: 'NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES',
    replicasets: 'NAME DESIRED CURRENT READY AGE CONTAINERS IMAGES SELECTOR',
    statefulsets: 'NAME READY AGE CONTAINERS IMAGES',
    daemonsets: 'NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE CONTAINERS IMAGES SELECTOR',
    jobs: 'NAME STATUS COMPLETIONS DURATION AGE CONTAINERS IMAGES SELECTOR',
    cronjobs: 'NAME SCHEDULE TIMEZONE SUSPEND ACTIVE LAST SCHEDULE AGE CONTAINERS IMAGES SELECTOR',
    services: 'NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE SELECTOR',
    endpointslices: 'NAME ADDRESSTYPE PORTS ENDPOINTS AGE',
    configmaps: 'NAME DATA AGE',
    secrets: 'NAME TYPE DATA AGE',
    serviceaccounts: 'NAME SECRETS AGE',
    persistentvolumeclaims: 'NAME STATUS VOLUME CAPACITY ACCESS MODES STORAGECLASS VOLUMEATTRIBUTESCLASS AGE VOLUMEMODE',
    persistentvolumes: 'NAME CAPACITY ACCESS MODES RECLAIM POLICY STATUS CLAIM STORAGECLASS VOLUMEATTRIBUTESCLASS REASON AGE VOLUMEMODE',
    nodes: 'NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME',
    namespaces: 'NAME STATUS AGE',
    events: 'LAST SEEN TYPE REASON OBJECT SUBOBJECT SOURCE MESSAGE FIRST SEEN COUNT NAME',
    horizontalpodautoscalers: 'NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS AGE',
    poddisruptionbudgets: 'NAME MIN AVAILABLE MAX UNAVAILABLE ALLOWED DISRUPTIONS AGE',
    ingresses: 'NAME CLASS HOSTS ADDRESS PORTS AGE',
    networkpolicies: 'NAME POD-SELECTOR AGE',
    roles: 'NAME CREATED AT',
    rolebindings: 'NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS',
    resourcequotas: 'NAME REQUEST LIMIT AGE',
    limitranges: 'NAME CREATED AT',
    storageclasses: 'NAME PROVISIONER RECLAIMPOLICY VOLUMEBINDINGMODE ALLOWVOLUMEEXPANSION AGE',
    priorityclasses: 'NAME VALUE GLOBAL-DEFAULT AGE PREEMPTIONPOLICY',
    leases: 'NAME HOLDER AGE',
    apiservices: 'NAME SERVICE AVAILABLE AGE',
  };

  row('get', 'prints the columns of each kind that a real server prints', async () => {
    for (const [kind, columns] of Object.entries(header)) {
      const out = await works(bench, `-n ${kind === 'leases' ? 'kube-node-lease' : 'reading'} get ${kind} -o wide`);
      expect(`${kind}: ${headerOf(out).join(' ')}`).toBe(`${kind}: ${columns}`);
    }
  });

  row('get', 'writes objects in every form', async () => {
    expect(await works(bench, '-n reading get deploy web -o name')).toBe('deployment.apps/web\n');
    expect(await works(bench, '-n reading get deploy web -o jsonpath={.spec.replicas}')).toBe('2');
    expect(
      await works(bench, '-n reading get deploy web -o custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image'),
    ).toBe('NAME   IMAGE\nweb    shop/web:1.0\n');
    expect(JSON.parse(await works(bench, '-n reading get cm settings -o json'))).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { colour: 'red' },
    });
    expect(await works(bench, '-n reading get cm settings -o yaml')).toMatch(
      /^apiVersion: v1\ndata:\n {2}colour: red\nkind: ConfigMap\nmetadata:\n/,
    );
    expect(await works(bench, '-n reading get cm settings -o go-template={{.data.colour}}')).toBe('red');
    expect(await works(bench, '-n reading get cm settings --show-labels')).toMatch(/LABELS\nsettings +1 +\S+ +app=web\n$/);
  });

  row('get', 'selects by labels and fields, in one namespace and in all', async () => {
    expect(await works(bench, '-n reading get pods -l app=web -o name')).toMatch(/^pod\/web-\S+\npod\/web-\S+\n$/);
    expect(await works(bench, '-n reading get pods --field-selector status.phase=Running,metadata.name!=db-0 -o name')).not.toContain(
      'db-0',
    );
    expect(headerOf(await works(bench, 'get pods -A'))[0]).toBe('NAMESPACE');
    expect(await works(bench, '-n reading get pods --sort-by=.metadata.name --no-headers')).toMatch(/^agent-/);
    expect((await works(bench, 'get clusterroles --chunk-size=10 -o name')).split('\n').length).toBeGreaterThan(30);
    expect(await fails(bench, '-n reading get pods --field-selector spec.colour=red')).toBe(
      'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "", field selector "spec.colour=red": field label not supported: spec.colour',
    );
    expect(await fails(bench, '-n reading get pod nothing')).toBe('Error from server (NotFound): pods "nothing" not found');
    expect(await fails(bench, 'get parcels')).toBe(`error: the server doesn't have a resource type "parcels"`);
  });

  row('get', 'takes all of a category at once', async () => {
    const out = await works(bench, '-n reading get all');
    for (const kind of [
      'pod/web-',
      'service/web',
      'daemonset.apps/agent',
      'deployment.apps/web',
      'replicaset.apps/web-',
      'statefulset.apps/db',
      'horizontalpodautoscaler.autoscaling/web',
      'cronjob.batch/report',
      'job.batch/import',
    ])
      expect(out).toContain(kind);
  });

  row('watch', 'follows what changes, row by row under one header', async () => {
    const watching = bench.kubectl('-n reading get cm -w', {
      until: (out) => {
        if (out.includes('settings') && !out.includes('followed'))
          bench.serving.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'followed' }, data: { a: '1' } }], {
            namespace: 'reading',
          });
        return /followed[^\n]*\n/.test(out);
      },
    });
    const { out } = await watching;
    expect(out.match(/NAME/g)).toHaveLength(1);
    expect(out).toMatch(/followed +1 +0s/);
  });

  row('watch', 'waits for a condition, a field and an end', async () => {
    expect(await works(bench, '-n reading wait --for=condition=Available deploy/web --timeout=30s')).toBe(
      'deployment.apps/web condition met\n',
    );
    expect(await works(bench, '-n reading wait --for=jsonpath={.status.phase}=Running pod -l app=web --timeout=30s')).toMatch(
      /^pod\/web-\S+ condition met\n/,
    );
    bench.serving.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'leaving' } }], { namespace: 'reading' });
    const waiting = works(bench, '-n reading wait --for=delete cm/leaving --timeout=30s');
    expect(await works(bench, '-n reading delete cm leaving')).toBe('configmap "leaving" deleted\n');
    expect(await waiting).toMatch(/^(configmap\/leaving condition met\n)?$/);
  });
});

describe('kubectl describe', () => {
  const kinds =
    'deploy rs sts ds job cronjob svc endpoints endpointslices cm secret sa quota limits pvc hpa pdb ingress netpol role rolebinding'.split(
      ' ',
    );
  /** The API server warns of each request for them. Source: pkg/apis/core/v1 (Endpoints, deprecated since 1.33). */
  const describedEndpoints = async (): Promise<string> => {
    const answer = await bench.kubectl('-n reading describe endpoints');
    expect(answer.err).toMatch(/^(Warning: v1 Endpoints is deprecated in v1\.33\+; use discovery\.k8s\.io\/v1 EndpointSlice\n)+$/);
    return checked('describe endpoints', { ...answer, err: '' });
  };
  row('describe', 'tells of every kind in a namespace, with its events', async () => {
    for (const kind of kinds) {
      const out = kind === 'endpoints' ? await describedEndpoints() : await works(bench, `-n reading describe ${kind}`);
      expect(out, kind).toMatch(/^Name: +\S+/);
      if (!['ds', 'role', 'rolebinding'].includes(kind)) expect(out, kind).toMatch(/Namespace: +reading/);
    }
    expect(await works(bench, '-n reading describe deploy web')).toMatch(
      /Events:\n {2}Type +Reason +Age +From +Message\n[\s\S]*ScalingReplicaSet/,
    );
  });

  row('describe', 'tells of kinds without a namespace', async () => {
    for (const kind of [
      'node worker-1',
      'ns reading',
      'pv disk',
      'sc fast',
      'ingressclass front',
      'clusterrole view',
      'clusterrolebinding cluster-admin',
      'priorityclass system-node-critical',
      'apiservice v1beta1.metrics.k8s.io',
    ])
      expect(await works(bench, `describe ${kind}`), kind).toMatch(/^Name: +\S+/);
    const node = await works(bench, 'describe node worker-1');
    for (const part of ['Conditions:', 'Capacity:', 'System Info:', 'Non-terminated Pods:', 'Allocated resources:', 'Lease:'])
      expect(node).toContain(part);
  });

  row('describe', 'tells of a pod all a real describe tells', async () => {
    const out = await works(bench, '-n reading describe pod -l app=web');
    for (const part of [
      'Service Account:',
      'Controlled By:  ReplicaSet/web-',
      'Container ID:   containerd://',
      'Image ID:',
      'Conditions:\n  Type ',
      'kube-api-access-',
      'QoS Class:',
      'Tolerations:',
      'Scheduled ',
      'Started ',
    ])
      expect(out).toContain(part);
  });
});

describe('kubectl events', () => {
  row('events', 'are those of a namespace, of an object and of a type', async () => {
    expect(headerOf(await works(bench, '-n reading events'))).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    expect(await works(bench, '-n reading events --for deploy/web')).toContain('ScalingReplicaSet');
    expect(await works(bench, '-n reading get events --field-selector reason=ScalingReplicaSet,involvedObject.name=web')).toContain(
      'deployment/web',
    );
    expect(await works(bench, '-n reading get events.events.k8s.io --sort-by=.metadata.creationTimestamp')).toContain('ScalingReplicaSet');
  });
});

describe('kubectl logs and exec', () => {
  row('logs', 'are those of a container, of a workload, and of what a selector fits', async () => {
    await works(bench, '-n reading logs db-0');
    await works(bench, '-n reading logs db-0 --tail=1 --timestamps');
    await works(bench, '-n reading logs db-0 --since=1h');
    await works(bench, '-n reading logs -l app=web --prefix');
    expect((await bench.kubectl('-n reading logs deploy/web')).code).toBe(0);
    expect(await fails(bench, '-n reading logs db-0 -c nothing')).toContain('container nothing is not valid for pod db-0');
    await works(bench, '-n reading run once --image=busybox:1.37 --restart=Never -- sh -c "echo sold; exit 3"');
    expect(await works(bench, '-n reading logs -f once')).toBe('sold\n');
    await works(bench, '-n reading run again --image=busybox:1.37 -- sh -c "echo sold; exit 3"');
    expect(await works(bench, '-n reading logs again --previous')).toBe('sold\n');
    expect(await fails(bench, '-n reading logs db-0 --previous')).toContain('previous terminated container "db" in pod "db-0" not found');
  });
});

describe('kubectl exec', () => {
  row('exec', 'runs what a container has to look with', async () => {
    expect(await works(bench, '-n reading exec db-0 -- env')).toContain('KUBERNETES_SERVICE_HOST=10.96.0.1');
    expect(await works(bench, '-n reading exec deploy/web -- ls /var/run/secrets/kubernetes.io/serviceaccount')).toContain('ca.crt');
    expect(await works(bench, '-n reading exec -i db-0 -- sh', { stdin: 'echo hello\n' })).toContain('hello');
    expect(await bench.kubectl('-n reading exec db-0 -- sh -c "exit 7"')).toMatchObject({ code: 7 });
    expect(await fails(bench, '-n reading exec nothing -- env')).toBe('Error from server (NotFound): pods "nothing" not found');
  });

  row('cp', 'copies into a container and out of it', async () => {
    bench.file('prices.txt', 'tea 3\n');
    await works(bench, '-n reading cp prices.txt db-0:/tmp/prices.txt');
    expect(await works(bench, '-n reading exec db-0 -- cat /tmp/prices.txt')).toBe('tea 3\n');
    await bench.kubectl('-n reading cp db-0:/tmp/prices.txt back.txt');
    expect(readFileSync(join(bench.folder, 'back.txt'), 'utf8')).toBe('tea 3\n');
  });

  row('attach', 'types into the shell of a pod it has run, and takes the pod away with its exit code', async () => {
    const { code, out } = await bench.kubectl('-n reading run look --image=busybox:1.36 -i --restart=Never --rm -- sh', {
      stdin: 'echo $((20 + 3)) boxes\nexit 5\n',
    });
    expect([code, out]).toEqual([5, '23 boxes\npod "look" deleted\n']);
  });

  row('attach', 'hears what a container says', async () => {
    await works(
      bench,
      '-n reading run talker --image=busybox:1.36 --restart=Never --command -- sh -c "while true; do echo tick; sleep 1; done"',
    );
    await works(bench, '-n reading wait --for=condition=Ready pod/talker --timeout=60s');
    bench.serving.clock.speed = 1;
    expect((await bench.kubectl('-n reading attach talker', { until: (out) => out.includes('tick\ntick') })).out).toContain('tick\ntick');
    bench.serving.clock.speed = 'max';
    await works(bench, '-n reading delete pod talker --now');
    expect(await fails(bench, '-n reading attach nothing')).toBe('Error from server (NotFound): pods "nothing" not found');
  });

  row('forward', 'reaches a port of a pod, and of a Service', async () => {
    for (const target of ['pod/db-0', 'deploy/web', 'service/web']) {
      const port = target.startsWith('service') ? '80' : '8080';
      const { answer, out, err } = await bench.forwarded(KUBECTL ?? 'kubectl', ['-n', 'reading', 'port-forward', target, `:${port}`]);
      expect({ target, answer, err }).toEqual({ target, answer: 'ok', err: '' });
      expect(out).toMatch(/^Forwarding from 127\.0\.0\.1:\d+ -> 8080\n[^]*Handling connection for \d+\n$/);
    }
    expect(await fails(bench, '-n reading port-forward pod/nothing :80')).toBe('Error from server (NotFound): pods "nothing" not found');
  });
});

describe('kubectl about the server', () => {
  row('discovery', 'says how the control plane is', async () => {
    const { out, err } = await bench.kubectl('get componentstatuses');
    expect(out).toMatch(/^NAME +STATUS +MESSAGE +ERROR *\ncontroller-manager +Healthy +ok/);
    expect(err).toBe('Warning: v1 ComponentStatus is deprecated in v1.19+\n');
  });

  row('discovery', 'lists what is served', async () => {
    const out = await works(bench, 'api-resources');
    expect(out).toMatch(/deployments +deploy +apps\/v1 +true +Deployment/);
    expect(out).toMatch(/pods +metrics.k8s.io\/v1beta1 +true +PodMetrics/);
    expect(await works(bench, 'api-resources --verbs=list --namespaced -o name')).toContain('cronjobs.batch');
    expect((await works(bench, 'api-versions')).split('\n')).toEqual(
      expect.arrayContaining(['apps/v1', 'autoscaling/v2', 'metrics.k8s.io/v1beta1', 'v1']),
    );
    expect((await bench.kubectl('version')).out).toContain('Server Version: v1.36');
  });

  row('discovery', 'explains fields', async () => {
    expect(await works(bench, 'explain pod.spec.containers.image')).toMatch(
      /^KIND: +Pod\nVERSION: +v1\n\nFIELD: image <string>\n\n\nDESCRIPTION:\n {4}Container image name. More info:/,
    );
    expect(await works(bench, 'explain deployment --recursive')).toContain('progressDeadlineSeconds\t<integer>');
    expect(await works(bench, 'explain hpa --api-version=autoscaling/v1')).toContain('VERSION:    v1');
    expect(await fails(bench, 'explain pod.spec.colour')).toContain('field "colour" does not exist');
  });

  row('discovery', 'shows the cluster', async () => {
    expect(await works(bench, 'cluster-info')).toContain(`is running at`);
    expect(await works(bench, 'cluster-info dump --namespaces reading')).toContain(
      '==== START logs for container db of pod reading/db-0 ====',
    );
    expect(await works(bench, 'get --raw /readyz?verbose')).toContain('readyz check passed');
  });
});
