import { describe, expect, it } from 'vitest';
import { ALL_CONTAINERS, changeOfCommand, changesOfFix } from '../../src/runbook/fix-command.ts';

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
    '',
  ])('is not known of %s', (command) => {
    expect(changeOfCommand(command)).toBeUndefined();
  });
});
