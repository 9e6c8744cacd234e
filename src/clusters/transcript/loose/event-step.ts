import { asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** What an event says of its pod, if it says something that lasts. */
export type Step =
  | 'unscheduled'
  | 'assigned'
  | 'mounting'
  | 'sandbox'
  | 'pull'
  | 'pulled'
  | 'start'
  | 'started'
  | 'crash'
  | 'evicted'
  | 'rejected'
  | 'gone';

export function stepOf(event: KubeObject): Step | undefined {
  const [reason = '', message = ''] = [asText(dig(event, 'reason')), asText(dig(event, 'message'))];
  if (message === '' && (reason === 'Failed' || reason === 'BackOff')) return undefined;
  if (reason === 'Failed') return PULLS.test(message) ? 'pull' : STARTS.test(message) ? 'start' : undefined;
  if (reason === 'BackOff') return message.includes('pulling image') ? 'pull' : 'crash';
  return STEPS[reason];
}

const STARTS = /^Error: |container|OCI runtime|exec|mount|runc/i;
const PULLS =
  /Failed to pull image|failed to pull and unpack|ErrImagePull|ImagePullBackOff|toomanyrequests|pull access denied|manifest|\bregistry\b|PullImage|ErrImageNeverPull|Error: image .{1,300} not found|SignatureValidationFailed|InvalidImageName|response from daemon: Get|failed to resolve ref|unexpected status from (?:HEAD|GET) request|^Status \d{3} trying to pull|failed to (?:authorize|fetch (?:anonymous|oauth) token): |^denied: Permission "/;
const STEPS: Readonly<Record<string, Step>> = {
  FailedScheduling: 'unscheduled',
  NotTriggerScaleUp: 'unscheduled',
  FailedScaleUp: 'unscheduled',
  Scheduled: 'assigned',
  FailedMount: 'mounting',
  FailedAttachVolume: 'mounting',
  FailedMapVolume: 'mounting',
  FailedCreatePodSandBox: 'sandbox',
  NetworkNotReady: 'sandbox',
  FailedSync: 'sandbox',
  FailedCreatePodContainer: 'sandbox',
  FailedPrepareDynamicResources: 'sandbox',
  ErrImageNeverPull: 'pull',
  InspectFailed: 'pull',
  Pulled: 'pulled',
  Started: 'started',
  Evicted: 'evicted',
  FailedPostStartHook: 'start',
  PodFitsHostPorts: 'rejected',
  NodePorts: 'rejected',
  NodeAffinity: 'rejected',
  MatchNodeSelector: 'rejected',
  UnexpectedAdmissionError: 'rejected',
  OutOfcpu: 'rejected',
  OutOfmemory: 'rejected',
  OutOfpods: 'rejected',
  'OutOfephemeral-storage': 'rejected',
  SysctlForbidden: 'rejected',
  AppArmor: 'rejected',
  NodeShutdown: 'rejected',
  TopologyAffinityError: 'rejected',
  SMTAlignmentError: 'rejected',
  EmptyPodSharedPoolError: 'rejected',
  TaintToleration: 'rejected',
  NodeName: 'rejected',
  InvalidNodeInfo: 'rejected',
  PodOSNotSupported: 'rejected',
  PodOSSelectorNodeLabelDoesNotMatch: 'rejected',
  SupplementalGroupsPolicyNotSupported: 'rejected',
  PodLevelResourcesNotSupported: 'rejected',
  PodFeatureUnsupported: 'rejected',
  FailedNodeDeclaredFeaturesCheck: 'rejected',
  VolumeAttachmentLimitExceeded: 'rejected',
};
