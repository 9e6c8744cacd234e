import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, asText, dig } from '../../../../src/base/json.ts';
import { rbacPolicy } from '../../../../src/simulator/apiserver/bootstrap/rbac-policy.ts';
import { createCluster } from '../../../../src/simulator/cluster.ts';

describe('the policy a cluster begins with', () => {
  const cluster = createCluster({ seed: 1, boot: false, preset: 'no-nodes' });

  it.each(
    rbacPolicy().map((object) => [`${asText(object['kind']) ?? ''} ${asText(dig(object, 'metadata', 'name')) ?? ''}`, object] as const),
  )('is stored as the API server makes it of what anybody sends: %s', (_, object) => {
    const resource = cluster.server.resources.ofKind(asText(object['apiVersion']) ?? '', asText(object['kind']) ?? '');
    const [name, namespace] = [asText(dig(object, 'metadata', 'name')) ?? '', asText(dig(object, 'metadata', 'namespace'))];
    const stored = cluster.store.get(resource?.key ?? '', namespace, name);
    const sent = structuredClone(object);
    const body = { ...sent, metadata: { ...asObject(sent['metadata']), name: `${name}-of-the-shop` } };
    const address = {
      group: resource?.group ?? '',
      version: resource?.version ?? '',
      resource: resource?.plural ?? '',
      ...(namespace === undefined ? {} : { namespace }),
    };
    const answer = cluster.request({ verb: 'create', ...address, body, manager: 'kube-apiserver', tracksFields: false });
    expect(stored).toBeDefined();
    expect(answer.ok ? textOf(answer.object) : answer.message).toBe(textOf(stored ?? {}));
  });
});

/** Its JSON without what tells one object from another: the order of the fields counts. */
function textOf(object: JsonObject): string {
  return JSON.stringify({ ...object, metadata: { ...asObject(object['metadata']), name: '', uid: '', resourceVersion: '' } });
}
