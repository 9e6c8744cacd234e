import { describe, expect, it } from 'vitest';
import { ALL_CONTAINERS, changeOfCommand, changesOfFix, replacementOfFix } from '../../src/runbook/fix-command.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';

describe('the change that a printed fix makes', () => {
  it.each([
    [
      `kubectl -n shop patch Deployment/web --type=json -p '[{"op":"remove","path":"/spec/paused"}]'`,
      { change: 'patch', object: 'Deployment/shop/web', type: 'json', body: [{ op: 'remove', path: '/spec/paused' }] },
    ],
    ['kubectl -n shop scale deployment web --replicas=3', { change: 'scale', object: 'Deployment/shop/web', replicas: '3' }],
    [
      'kubectl label node worker-1 disk=fast',
      { change: 'patch', object: 'Node/worker-1', type: 'merge', body: { metadata: { labels: { disk: 'fast' } } } },
    ],
    [
      'kubectl -n shop set image Deployment/web web=shop/web:1.4',
      { change: 'set-image', object: 'Deployment/shop/web', container: 'web', image: 'shop/web:1.4' },
    ],
    [
      'kubectl -n shop set resources Deployment/web -c web --requests=cpu=100m,memory=64Mi',
      {
        change: 'patch',
        object: 'Deployment/shop/web',
        type: 'strategic',
        body: {
          spec: { template: { spec: { containers: [{ name: 'web', resources: { requests: { cpu: '100m', memory: '64Mi' } } }] } } },
        },
      },
    ],
    [
      'kubectl -n shop rollout undo Deployment/web --to-revision=4',
      { change: 'rollout-undo', object: 'Deployment/shop/web', revision: '4' },
    ],
    [
      'kubectl -n shop set selector service web app=web',
      {
        change: 'patch',
        object: 'Service/shop/web',
        type: 'json',
        body: [{ op: 'replace', path: '/spec/selector', value: { app: 'web' } }],
      },
    ],
    [
      'kubectl -n shop create serviceaccount cashier',
      {
        change: 'create',
        manifest: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'cashier', namespace: 'shop' } },
      },
    ],
    [
      'kubectl -n shop set resources Deployment/web --limits=memory=1Gi',
      {
        change: 'patch',
        object: 'Deployment/shop/web',
        type: 'strategic',
        body: { spec: { template: { spec: { containers: [{ name: ALL_CONTAINERS, resources: { limits: { memory: '1Gi' } } }] } } } },
      },
    ],
    [
      'kubectl -n shop create role clerk --verb=get,create --resource=deployments',
      {
        change: 'create',
        manifest: {
          apiVersion: RBAC,
          kind: 'Role',
          metadata: { name: 'clerk', namespace: 'shop' },
          rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'create'] }],
        },
      },
    ],
    [
      `kubectl -n shop create rolebinding clerk --role=clerk --user='system:serviceaccount:shop:till'`,
      {
        change: 'create',
        manifest: {
          apiVersion: RBAC,
          kind: 'RoleBinding',
          metadata: { name: 'clerk', namespace: 'shop' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'clerk' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:serviceaccount:shop:till' }],
        },
      },
    ],
    [
      'kubectl create clusterrolebinding till --clusterrole=view --serviceaccount=shop:till',
      {
        change: 'create',
        manifest: {
          apiVersion: RBAC,
          kind: 'ClusterRoleBinding',
          metadata: { name: 'till' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ kind: 'ServiceAccount', namespace: 'shop', name: 'till' }],
        },
      },
    ],
    [
      'kubectl create priorityclass urgent --value=1000',
      {
        change: 'create',
        manifest: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'urgent' }, value: 1000 },
      },
    ],
    ['kubectl uncordon worker-1', { change: 'uncordon', object: 'Node/worker-1' }],
    [
      `kubectl patch node worker-1 -p '{"spec":{"unschedulable":false}}'`,
      { change: 'patch', object: 'Node/worker-1', type: 'strategic', body: { spec: { unschedulable: false } } },
    ],
    // A kind that is not in a namespace has none, whatever the command says.
    [`kubectl -n shop patch node worker-1 --type=merge -p '{}'`, { change: 'patch', object: 'Node/worker-1', type: 'merge', body: {} }],
    [`kubectl -n shop patch deploy/web --type=json -p '[]'`, { change: 'patch', object: 'Deployment/shop/web', type: 'json', body: [] }],
    [
      'kubectl -n shop rollout resume deployment/web',
      { change: 'patch', object: 'Deployment/shop/web', type: 'merge', body: { spec: { paused: false } } },
    ],
    ['kubectl -n shop rollout restart deployment/web', { change: 'restart', object: 'Deployment/shop/web' }],
    ['kubectl -n shop rollout undo deployment/web', { change: 'rollout-undo', object: 'Deployment/shop/web' }],
    ['kubectl -n shop scale deployment web', { change: 'scale', object: 'Deployment/shop/web', replicas: '' }],
    [
      `kubectl -n shop set env StatefulSet/till -c till 'MOTTO=a=b c'`,
      {
        change: 'patch',
        object: 'StatefulSet/shop/till',
        type: 'strategic',
        body: {
          spec: { template: { spec: { containers: [{ name: 'till', env: [{ name: 'MOTTO', value: 'a=b c', valueFrom: null }] }] } } },
        },
      },
    ],
    [
      'kubectl -n shop set resources pod till --requests=cpu=1',
      {
        change: 'patch',
        object: 'Pod/shop/till',
        type: 'strategic',
        body: { spec: { containers: [{ name: ALL_CONTAINERS, resources: { requests: { cpu: '1' } } }] } },
      },
    ],
    [
      'kubectl create clusterrole clerk --verb=list --resource=pods',
      {
        change: 'create',
        manifest: {
          apiVersion: RBAC,
          kind: 'ClusterRole',
          metadata: { name: 'clerk' },
          rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
        },
      },
    ],
    ['kubectl create namespace shop', { change: 'create', manifest: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } }],
    [
      'kubectl create clusterrolebinding till --role=none --clusterrole=view --user=robin',
      {
        change: 'create',
        manifest: {
          apiVersion: RBAC,
          kind: 'ClusterRoleBinding',
          metadata: { name: 'till' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'robin' }],
        },
      },
    ],
  ])('of %s', (command, change) => {
    expect(changeOfCommand(command)).toEqual(change);
  });

  it('of several commands, if each of them creates an object', () => {
    expect(changesOfFix('kubectl create namespace shop && kubectl -n shop create serviceaccount till')).toMatchObject([
      { change: 'create', manifest: { kind: 'Namespace' } },
      { change: 'create', manifest: { kind: 'ServiceAccount' } },
    ]);
    expect(changesOfFix('kubectl create namespace shop && kubectl -n shop scale deployment web --replicas=3')).toBeUndefined();
    expect(changesOfFix('kubectl create namespace shop && rm -r /')).toBeUndefined();
  });

  it.each([
    'kubectl -n shop delete pod web',
    'kubectl -n shop get pod web -o json | kubectl replace --force -f -',
    'kubectl -n shop scale deployment web --replicas=3 && kubectl -n shop delete pod web',
    'kubectl -n shop scale deployment web --replicas=$(cat /etc/passwd)',
    'kubectl -n shop --kubeconfig=other scale deployment web --replicas=3',
    `kubectl -n shop patch Deployment/web -p '{"spec":'`,
    `kubectl -n shop patch Deployment/web -p '{"spec":{}}`,
    'kubectl -n shop create role clerk --verb=get',
    'kubectl -n shop create rolebinding clerk --role=clerk',
    'kubectl -n shop set image Deployment/web <container>=<image>',
    'kubectl -n shop set image Deployment/web web=shop/web:1.4 other=shop/other:1',
    'kubectl -n shop set image Deployment/web =shop/web:1.4',
    'kubectl label node worker-1 disk',
    'kubectl label node worker-1 disk=fast zone=a',
    'sudo systemctl restart kubelet',
    'kubectl uncordon',
    `kubectl -n shop patch deployment web --type=json -p '{}'`,
    `kubectl -n shop patch deployment web --type=merge -p '[]'`,
    `kubectl -n shop patch deployment web --type=other -p '{}'`,
    `kubectl -n shop patch deployment web --type=json -p '[1]'`,
    `kubectl -n shop patch deployment web -p '1'`,
    'kubectl -n shop patch deployment web',
    'kubectl -n shop scale deployment --replicas=3',
    'kubectl -n shop scale deployment/ --replicas=3',
    'kubectl -n shop scale deployment/shop/web --replicas=3',
    'kubectl -n shop scale cart web --replicas=3',
    'kubectl -n shop rollout pause deployment web',
    'kubectl -n shop set env deployment/web =tea',
    'kubectl -n shop set env deployment/web A=1 B=2',
    'kubectl -n shop set env deployment/web',
    'kubectl -n shop set env cronjob/web A=1',
    'kubectl -n shop set resources deployment/web more --requests=cpu=1',
    'kubectl create namespace',
    'kubectl create namespace shop till',
    'kubectl create priorityclass urgent',
    'kubectl create priorityclass urgent --value=high',
    'kubectl create clusterrole clerk --resource=pods',
    'kubectl create clusterrole clerk --verb=get --resource=carts',
    'kubectl create clusterrolebinding till --user=robin',
    'kubectl create clusterrolebinding till --clusterrole=view --serviceaccount=till',
    "kubectl -n 'shop scale deployment web --replicas=3",
    'oc -n shop scale deployment web --replicas=3',
    'kubectl -n shop scale deployment web till --replicas=3',
    'kubectl -n shop rollout restart deployment web till',
    'kubectl -n shop rollout restart deployment/web --dry-run=server',
    'kubectl -n shop rollout undo deployment/web deployment/till',
    'kubectl -n shop rollout resume deployment web till',
    `kubectl -n shop patch deployment web till -p '{}'`,
    'kubectl -n shop set selector service web app=web app=till',
    '',
  ])('is not known of %s', (command) => {
    expect(changeOfCommand(command)).toBeUndefined();
  });

  it('of a pod that is replaced, as it cannot be changed in place', () => {
    const replaced = (patch: string): string => `kubectl -n shop patch ${patch} --dry-run=client -o yaml | kubectl replace --force -f -`;
    const patch = `pod till --type=json -p '[{"op":"remove","path":"/spec/nodeName"}]'`;
    expect(replacementOfFix(replaced(patch))).toEqual({
      change: 'patch',
      object: 'Pod/shop/till',
      type: 'json',
      body: [{ op: 'remove', path: '/spec/nodeName' }],
    });
    expect(
      [`kubectl -n shop patch ${patch}`, replaced(patch.replace('pod till', 'deployment web')), replaced('pod till')].map(replacementOfFix),
    ).toEqual([undefined, undefined, undefined]);
    // The server would refuse to try it, too.
    expect(replacementOfFix(replaced(patch).replace('=client', '=server'))).toBeUndefined();
    expect(replacementOfFix(replaced(patch).replace('patch pod till', 'scale deployment web'))).toBeUndefined();
  });
});
