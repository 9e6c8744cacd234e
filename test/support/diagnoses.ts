import type { CertificateRow } from '../../src/model/certificate.ts';
import type { Cause, Diagnosis, ScanResult, StageVerdict } from '../../src/model/diagnosis.ts';
import type { Verdict } from '../../src/model/stage.ts';
import { STAGE_IDS } from '../../src/model/stage.ts';

export const NOW = Date.parse('2026-01-14T09:16:15Z');

const WEB_POD = { kind: 'Pod', namespace: 'shop', name: 'web-6d4cf56db6-x2x7k' };

export const CAUSE: Cause = {
  rank: 1,
  rule: 'volumes/configmap-not-found',
  stage: 'volumes',
  title: 'A volume names a ConfigMap that does not exist',
  object: { kind: 'ConfigMap', namespace: 'shop', name: 'web-settings' },
  workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
  params: { volume: 'settings', configMap: 'web-settings', pods: 2, optional: false },
  what: 'Volume settings needs ConfigMap web-settings, which does not exist in namespace shop.',
  why: 'The kubelet mounts volumes before it creates the sandbox, so no container of the pod can start.',
  fix: [
    {
      say: 'Create the ConfigMap, or correct the name in the pod template.',
      run: 'kubectl -n shop create configmap web-settings --from-file=<file> --dry-run=client -o yaml | kubectl apply -f -',
    },
    { say: 'Or mark the volume optional.' },
  ],
  evidence: [
    { about: WEB_POD, source: 'Pod shop/web-6d4cf56db6-x2x7k spec', quote: 'volumes[settings].configMap.name: web-settings' },
    {
      about: WEB_POD,
      source: 'event on Pod shop/web-6d4cf56db6-x2x7k',
      quote: 'MountVolume.SetUp failed for volume "settings" : configmap "web-settings" not found',
      at: NOW - 124_000,
    },
  ],
  playbook: 'missing-config',
  affected: [{ kind: 'Pod', namespace: 'shop', name: 'web-6d4cf56db6-x2x7k' }],
  explains: ['controllers/progress-deadline-exceeded'],
  references: ['https://kubernetes.io/docs/concepts/configuration/configmap/'],
};

export const CANDIDATE: Cause = {
  ...CAUSE,
  rank: 2,
  rule: 'images/tag-not-found',
  stage: 'images',
  title: 'The registry has no such tag',
  object: { kind: 'Pod', namespace: 'shop', name: 'web-6d4cf56db6-x2x7k' },
  what: 'Image registry.shop.example/web:2.4.1 does not exist.',
};

/** Stages passed up to one, which has the verdict; the rest was not reached. */
export function stagesUpTo(stopped: string, verdict: Verdict, reason?: string): readonly StageVerdict[] {
  const at = STAGE_IDS.findIndex((id) => id === stopped);
  return STAGE_IDS.map((id, index) => {
    if (index === at) return { id, verdict, ...(reason === undefined ? {} : { reason }) };
    if (index > at) return { id, verdict: 'not-reached' };
    return { id, verdict: 'passed', ...(id === 'scheduling' ? { at: NOW - 252_000 } : {}) };
  });
}

export const STOPPED: Diagnosis = {
  target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
  at: NOW,
  outcome: 'explained',
  state: 'unhealthy',
  reason: '0/2 ready',
  pods: { ready: 0, desired: 2 },
  stages: stagesUpTo('volumes', 'blocked', CAUSE.title),
  causes: [CAUSE, CANDIDATE],
  gaps: [
    {
      kind: 'event',
      about: { kind: 'Event', namespace: 'shop', name: '*' },
      reason: 'events is forbidden: User "eve" cannot list resource "events"',
      needs: 'list events in shop',
    },
  ],
};

export const HEALTHY: Diagnosis = {
  target: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
  at: NOW,
  outcome: 'healthy',
  state: 'healthy',
  stages: STAGE_IDS.map((id) => ({ id, verdict: 'passed' })),
  causes: [],
  gaps: [],
};

export const SCAN: ScanResult = {
  at: NOW,
  scope: { namespace: 'shop' },
  counts: { targets: 5, healthy: 2, unhealthy: 3, unexplained: 1, unknown: 0 },
  causes: [{ ...CAUSE, affected: [...CAUSE.affected, { kind: 'Pod', namespace: 'shop', name: 'web-6d4cf56db6-9xq2l' }] }],
  unexplained: [{ ref: { kind: 'StatefulSet', namespace: 'shop', name: 'db' }, state: 'unhealthy', reason: '1/3 ready', members: [] }],
  gaps: [],
};

/** A certificate that ended a day before the scan. */
export const ENDED: CertificateRow = {
  id: 'a1b2c3d4',
  role: 'scheduler-client',
  places: [{ tier: 'files', where: 'control-plane:/etc/kubernetes/scheduler.conf', role: 'scheduler-client' }],
  subject: 'CN=system:kube-scheduler',
  names: [],
  issuer: 'CN=kubernetes',
  isCa: false,
  notAfter: NOW - 86_400_000,
  daysLeft: -1,
  status: 'EXPIRED',
  rotatedBy: 'kubeadm',
  stage: 'scheduling',
  breaks: 'New pods stay Pending without any event.',
  renew: 'sudo kubeadm certs renew scheduler.conf',
};
