import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, deployment, failureOf, namespace, pod, send, shop } from '../shop.ts';

describe('PodSecurity', () => {
  const inNamespace = (labels: JsonObject): Cluster =>
    shop({
      objects: [
        namespace('tight', labels),
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'tight' } },
      ],
    });
  const there = (object: JsonObject): JsonObject => withPath(object, ['metadata', 'namespace'], 'tight');

  test('refuses pods by the level of the namespace', () => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/enforce': 'baseline' });
    const bad = pod('web', { hostNetwork: true }, { securityContext: { privileged: true } });
    expect(failureOf(create(cluster, there(bad), { namespace: 'tight' }))).toMatchObject({
      code: 403,
      message:
        'pods "web" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), privileged (container "web" must not set securityContext.privileged=true)',
    });
    expect(create(cluster, there(pod('fine')), { namespace: 'tight' }).ok).toBe(true);
  });

  test('lets pods be changed that were there before, but for their images', () => {
    const cluster = inNamespace({});
    create(cluster, there(pod('web', { hostNetwork: true })), { namespace: 'tight' });
    send(cluster, 'patch', 'Namespace', 'tight', {
      patch: { type: 'merge', body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } } },
    });
    const change = (spec: JsonObject) =>
      send(cluster, 'patch', 'Pod', 'web', { namespace: 'tight', patch: { type: 'strategic', body: { spec } } });
    expect(change({ activeDeadlineSeconds: 60 }).ok).toBe(true);
    expect(failureOf(change({ containers: [{ name: 'web', image: 'shop/web:2' }] })).message).toContain('violates PodSecurity');
  });

  test('only warns of workloads', () => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' });
    const answer = create(cluster, there(deployment('web')), { namespace: 'tight' });
    expect(answer.ok && answer.warnings).toEqual([
      'would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "web" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "web" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "web" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "web" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ]);
  });

  test('warns of workloads at every write', () => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/warn': 'restricted' });
    create(cluster, there(deployment('web')), { namespace: 'tight' });
    const body = { metadata: { labels: { tier: 'front' } } };
    const answer = send(cluster, 'patch', 'Deployment', 'web', { namespace: 'tight', patch: { type: 'merge', body } });
    expect(answer.ok && answer.warnings).toHaveLength(1);
  });

  test('warns of workloads by what is enforced when nothing else is said', () => {
    const warnings = (labels: JsonObject): unknown => {
      const answer = create(inNamespace(labels), there(deployment('web', 1, { securityContext: { privileged: true } })), {
        namespace: 'tight',
      });
      return answer.ok && answer.warnings;
    };
    expect(warnings({ 'pod-security.kubernetes.io/enforce': 'baseline' })).toEqual([
      'would violate PodSecurity "baseline:latest": privileged (container "web" must not set securityContext.privileged=true)',
    ]);
    expect(warnings({ 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/warn': 'privileged' })).toEqual([]);
  });

  test('names the running pods that would be refused when more is enforced, those that break the same rules in one line', () => {
    const cluster = inNamespace({});
    for (const name of ['cart', 'till', 'web']) create(cluster, there(pod(name, { hostNetwork: name !== 'cart' })), { namespace: 'tight' });
    const enforce = (level: string, dryRun = false): unknown => {
      const answer = send(cluster, 'patch', 'Namespace', 'tight', {
        dryRun,
        patch: { type: 'merge', body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': level } } } },
      });
      return answer.ok ? answer.warnings : answer.message;
    };
    expect(enforce('baseline', true)).toEqual([
      'existing pods in namespace "tight" violate the new PodSecurity enforce level "baseline:latest"',
      'till (and 1 other pod): host namespaces',
    ]);
    expect(enforce('restricted')).toContain(
      'cart: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    );
    expect(enforce('baseline')).toEqual([]);
    expect(enforce('strict')).toBe(
      'Namespace "tight" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    );
  });

  test('a pod that keeps to the restricted level passes it', () => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    const good = pod(
      'web',
      { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } },
      { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
    );
    expect(create(cluster, there(good), { namespace: 'tight' }).ok).toBe(true);
  });

  test.each([
    [{ volumes: [{ name: 'root', hostPath: { path: '/' } }] }, {}, 'hostPath volumes (volume "root")'],
    [{}, { ports: [{ containerPort: 80, hostPort: 8080 }] }, 'hostPort (container "web" uses hostPort 8080)'],
    [
      {},
      { securityContext: { capabilities: { add: ['SYS_ADMIN'] } } },
      'non-default capabilities (container "web" must not include "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [{ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }, {}, 'forbidden sysctls (kernel.msgmax)'],
  ])('baseline forbids %j %j', (spec, container, words) => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/enforce': 'baseline' });
    expect(failureOf(create(cluster, there(pod('web', spec, container)), { namespace: 'tight' })).message).toBe(
      `pods "web" is forbidden: violates PodSecurity "baseline:latest": ${words}`,
    );
  });

  const inUserNamespace = pod(
    'web',
    { hostUsers: false, securityContext: { runAsUser: 0, seccompProfile: { type: 'RuntimeDefault' } } },
    { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
  );
  const ofWindows = pod('web', { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } });

  test.each([
    ['root in a user namespace', inUserNamespace, 'restricted', 'v1.34', 'runAsUser=0 (pod must not set runAsUser=0)'],
    ['root in a user namespace', inUserNamespace, 'restricted', 'v1.35', undefined],
    ['a pod of Windows', ofWindows, 'restricted', 'v1.24', 'unrestricted capabilities (container "web" must set'],
    ['a pod of Windows', ofWindows, 'restricted', 'v1.25', undefined],
    [
      'a host in a probe',
      pod('web', {}, { readinessProbe: { tcpSocket: { port: 80, host: '10.0.0.1' } } }),
      'baseline',
      'latest',
      'probe or lifecycle host (container "web" uses probe or lifecycle host "10.0.0.1")',
    ],
    [
      'a host in a probe',
      pod('web', {}, { readinessProbe: { tcpSocket: { port: 80, host: '10.0.0.1' } } }),
      'baseline',
      'v1.33',
      undefined,
    ],
    [
      'a sysctl',
      pod('web', { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '4096' }] } }),
      'baseline',
      'v1.31',
      'forbidden sysctls (net.ipv4.tcp_rmem)',
    ],
    [
      'a sysctl',
      pod('web', { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '4096' }] } }),
      'baseline',
      'v1.32',
      undefined,
    ],
  ] as const)('judges %s by the version of the policy', (_, object, level, version, words) => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/enforce': level, 'pod-security.kubernetes.io/enforce-version': version });
    const answer = create(cluster, there(object), { namespace: 'tight' });
    expect(answer).toMatchObject(words === undefined ? { ok: true } : { ok: false, message: expect.stringContaining(words) as string });
  });

  test('reads the annotation that came before the field of AppArmor', () => {
    const cluster = inNamespace({ 'pod-security.kubernetes.io/enforce': 'baseline' });
    const annotated = withPath(pod('web'), ['metadata', 'annotations'], {
      'container.apparmor.security.beta.kubernetes.io/web': 'unconfined',
    });
    expect(failureOf(create(cluster, there(annotated), { namespace: 'tight' })).message).toContain('forbidden AppArmor profile');
  });
});
