import type { ListRead, Read, Scope } from '../../model/cluster-reader.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { assert } from '../../base/assert.ts';
import { concealButCertificates } from '../conceal-secret.ts';
import { apiPath, isPathName } from './api-path.ts';
import { liveList } from './live-list.ts';
import { refusalOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

/** Secrets with nothing but the certificates in them. Those of Helm hold whole charts, and never a certificate in the clear. */
export async function secretCertificates(transport: Transport, scope: Scope): Promise<ListRead> {
  const api = resourceOfKind('Secret');
  assert(api !== undefined, 'Secrets are a known kind');
  const read = await liveList(transport, api, { ...scope, fieldSelector: 'type!=helm.sh/release.v1' }, concealButCertificates);
  return read === 'unknown-api' ? { ok: false, why: 'failed', detail: 'The server has no secrets.' } : read;
}

/** A kubelet with hundreds of pods has a few megabytes of metrics. */
const MAX_METRICS_BYTES = 16 * 1024 * 1024;

export async function nodeMetrics(transport: Transport, node: string): Promise<Read<string>> {
  const api = resourceOfKind('Node');
  assert(api !== undefined, 'Nodes are a known kind');
  if (!isPathName(node)) return { ok: false, why: 'absent', detail: 'Not a valid node name.' };
  const target = { name: node, subresource: 'proxy' };
  const answer = await transport.get(`${apiPath(api, target)}/metrics`, {
    group: 'nodes/proxy',
    accept: 'text/plain',
    maxBytes: MAX_METRICS_BYTES,
    overflow: 'cut',
  });
  if (!answer.ok) return { ok: false, why: 'failed', detail: answer.error.detail };
  if (answer.status === 200) return { ok: true, value: answer.body.toString('latin1') };
  const refusal = refusalOf(answer, { verb: 'get', api, target });
  return refusal === 'unknown-api' ? { ok: false, why: 'failed', detail: 'The server has no node metrics.' } : refusal;
}
