import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import { unsoundRecords } from '../../objects/unsound-certificates.ts';
import { containersOf } from '../../containers/containers.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { conditionStatus } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import type { NodeService } from './node-services.ts';
import { nodeServices } from './node-services.ts';
import { nodeOf } from '../fit/placement-view.ts';

/** `kubelet-credentials` facts about kubelets whose client certificate does not serve any more. */
export async function credentialFacts(nodes: readonly KubeObject[], scene: Scene, sink: FactSink): Promise<void> {
  for (const service of await nodeServices(scene)) journalFact(service, scene, sink);
  for (const { role, node, place, trouble } of await unsoundRecords(scene)) {
    if (role.id !== 'kubelet-client' || node === undefined) continue;
    sink.fact(
      'kubelet-credentials',
      { kind: 'Node', name: node },
      { node, via: 'certificate', message: `its client certificate ${trouble}` },
      { source: place, quote: `${role.title} ${trouble}` },
    );
  }
  const silent = nodes.filter((node) => conditionStatus(node, 'Ready') === 'Unknown');
  for (const node of silent.slice(0, ASKED)) await answerFact(node, scene, sink);
  if (silent.length > 0) await requestFacts(silent, scene, sink);
}

/** One pod of each of a few silent nodes tells whether their kubelets still answer. */
const ASKED = 3;

function journalFact({ node, service, lines, since }: NodeService, { survey }: Scene, sink: FactSink): void {
  const line =
    service === 'kubelet'
      ? lines.findLast((candidate) => survey.vocabulary.read('kubelet-credentials', candidate, 'journal') !== undefined)
      : undefined;
  if (line === undefined) return;
  sink.fact(
    'kubelet-credentials',
    { kind: 'Node', name: node },
    { node, via: 'journal', message: line },
    { source: `journal of kubelet on Node/${node}`, quote: line, at: since },
  );
}

/**
 * A kubelet asks the API server whether the caller may read a log; it says so when it gets no answer to that. Source:
 * pkg/kubelet/server/server.go (AuthorizationError).
 */
async function answerFact(node: KubeObject, scene: Scene, sink: FactSink): Promise<void> {
  const { name } = node.metadata;
  const pod = scene.pods.find((candidate) => nodeOf(candidate) === name);
  const container = pod === undefined ? undefined : containersOf(pod).find(({ role }) => role === 'main');
  if (pod === undefined || container === undefined) return;
  const log = await scene.survey.kubeletAnswer(refOf(pod), container.name);
  if (log.ok || scene.survey.vocabulary.read('kubelet-credentials', log.detail, 'answer') === undefined) return;
  sink.fact(
    'kubelet-credentials',
    refOf(node),
    { node: name, via: 'answer', message: log.detail },
    { source: `request for a log on Node/${name}`, quote: log.detail },
  );
}

const KUBELET_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';

async function requestFacts(silent: readonly KubeObject[], scene: Scene, sink: FactSink): Promise<void> {
  for (const request of await scene.survey.seen('CertificateSigningRequest', {})) {
    const name = /^system:node:(.+)$/.exec(asText(dig(request, 'spec', 'username')) ?? '')?.[1];
    const decided = asList(dig(request, 'status', 'conditions')).length > 0 || dig(request, 'status', 'certificate') !== undefined;
    if (
      decided ||
      dig(request, 'spec', 'signerName') !== KUBELET_SIGNER ||
      !silent.some(({ metadata }) => metadata.name === name) ||
      name === undefined
    )
      continue;
    const message = `certificate request ${request.metadata.name} of node ${name} waits for approval`;
    sink.fact(
      'kubelet-credentials',
      { kind: 'Node', name },
      { node: name, via: 'request', message },
      { source: `CertificateSigningRequest/${request.metadata.name}`, quote: message },
    );
  }
}
