import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import { fieldOf, objectIn, read } from '../../support/transcripts.ts';
import { NEW_LAYOUT } from './pod-description.ts';

describe('the describe of a pod by an older kubectl', () => {
  const old = read(`Name:         web-1
Namespace:    shop
Priority:     0
Node:         <none>
Labels:       app=web
Annotations:  <none>
Status:       Pending
IP:           
IPs:          <none>
Containers:
  web:
    Image:      registry.example/web:1.4
    Port:       8080/TCP
    Host Port:  0/TCP
    Environment:  <none>
    Mounts:
      /var/run/secrets/kubernetes.io/serviceaccount from default-token-x7k2p (ro)
Conditions:
  Type           Status
  PodScheduled   False 
Volumes:
  default-token-x7k2p:
    Type:        Secret (a volume populated by a Secret)
    SecretName:  default-token-x7k2p
    Optional:    false
QoS Class:       BestEffort
Node-Selectors:  <none>
Tolerations:     node.kubernetes.io/not-ready:NoExecute for 300s
Events:
  Type     Reason            Age        From               Message
  ----     ------            ----       ----               -------
  Warning  FailedScheduling  <unknown>  default-scheduler  0/3 nodes are available: 3 Insufficient cpu.
  Normal   Pulled            2m         kubelet, worker-1  Container image already present
`);
  const object = objectIn(old, 'Pod/shop/web-1');

  it('shows that it is bound to no node and has no container statuses', () => {
    expect(object['spec']).not.toHaveProperty('nodeName');
    expect([shows(object, 'spec.nodeName'), shows(object, 'status.containerStatuses'), shows(object, 'metadata.ownerReferences')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(object['status']).toEqual({
      phase: 'Pending',
      podIPs: [],
      qosClass: 'BestEffort',
      conditions: [{ type: 'PodScheduled', status: 'False' }],
    });
  });

  it('does not show the service account, nor names of ports', () => {
    expect([
      shows(object, 'spec.serviceAccountName'),
      shows(object, 'spec.containers.ports.name'),
      shows(object, 'spec.containers.ports.containerPort'),
    ]).toEqual([false, false, true]);
  });

  it('has events without an age, and events whose source names the node', () => {
    const [scheduling, pulled] = old.objects.filter(({ kind }) => kind === 'Event');
    expect(scheduling).not.toHaveProperty('lastTimestamp');
    expect(pulled).toMatchObject({ source: { component: 'kubelet', host: 'worker-1' }, lastTimestamp: '2026-11-20T11:58:00Z' });
  });
});

describe('a describe that is not all there', () => {
  const lines = NEW_LAYOUT.split('\n');
  const upTo = (mark: string): string => lines.slice(0, lines.findIndex((line) => line.includes(mark)) + 1).join('\n');

  it('claims nothing about the list it breaks off in', () => {
    const cut = objectIn(read(upTo('Restart Count:  6')), 'Pod/shop/web-6d4b75cb6d-hx7bk');
    expect(fieldOf(read(upTo('Restart Count:  6')), 'Pod/shop/web-6d4b75cb6d-hx7bk', 'status.containerStatuses.0.restartCount')).toBe(6);
    expect([
      shows(cut, 'spec.containers.env'),
      shows(cut, 'spec.initContainers.env'),
      shows(cut, 'status.conditions.status'),
      shows(cut, 'spec.volumes.name'),
      shows(cut, 'spec.tolerations'),
    ]).toEqual([false, true, false, false, false]);
  });

  it('does not say that there are no events', () => {
    expect(read(upTo('Tolerations:')).evidence.collected).toEqual([]);
    expect(read(`${upTo('Tolerations:')}\nEvents:          <none>\n`).evidence.collected).toHaveLength(1);
  });

  it('of only a few lines is still a pod', () => {
    expect(fieldOf(read(upTo('Start Time')), 'Pod/shop/web-6d4b75cb6d-hx7bk', 'spec')).toEqual({
      priority: 1000,
      priorityClassName: 'front',
      runtimeClassName: 'gvisor',
      serviceAccountName: 'web',
      nodeName: 'worker-1',
    });
  });
});

describe('a pod being deleted', () => {
  it('has its deletion counted back from when it was printed', () => {
    const dying = read(
      '$ kubectl describe pod web-1 -n shop\nName:                      web-1\nNamespace:                 shop\nNode:                      worker-1/10.0.0.1\nStatus:                    Terminating (lasts 5m)\nTermination Grace Period:  30s\nIP:                        10.0.1.7\nContainers:\n  web:\n    Image:  web:1\nVolumes:  <none>\nEvents:   <none>\n',
    );
    expect(fieldOf(dying, 'Pod/shop/web-1', 'metadata')).toMatchObject({
      deletionTimestamp: '2026-11-20T11:55:00Z',
      deletionGracePeriodSeconds: 30,
    });
  });
});
