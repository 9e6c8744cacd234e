import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES, resourceOfKind } from '../../src/model/resources.ts';
import type { Reply, SeenRequest } from './kube-server.ts';
import { AUTHORITY, notFound, statusReply } from './kube-server.ts';

export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** Answers GETs of objects and lists as an API server would; plurals in `forbidden` are refused with a 403. */
export function clusterOf(objects: readonly StoredObject[], forbidden: readonly string[] = []): (seen: SeenRequest) => Reply {
  return ({ path, query }) => {
    if (path === '/version') return { json: { gitVersion: 'v1.36.0' } };
    const [, group, namespace, plural = '', name, subresource] =
      /^\/(?:api|apis\/[^/]+)\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
    const kind = RESOURCES.find((resource) => resource.plural === plural)?.kind;
    if (group === undefined || kind === undefined) return statusReply(404, 'NotFound', 'the server could not find the requested resource');
    if (forbidden.includes(plural))
      return statusReply(
        403,
        'Forbidden',
        `${plural} is forbidden: User "eve" cannot list resource "${plural}" in the namespace "${namespace ?? ''}"`,
      );
    const fitting = objects.filter(
      (object) =>
        object.kind === kind &&
        (namespace === undefined || object.metadata.namespace === namespace) &&
        selected(object, query.get('labelSelector'), query.get('fieldSelector')),
    );
    if (name === undefined)
      return {
        json: { kind: `${kind}List`, apiVersion: resourceOfKind(kind)?.apiVersion, metadata: { resourceVersion: '9' }, items: fitting },
      };
    const found = fitting.find((object) => object.metadata.name === name);
    if (found === undefined) return notFound(plural, name);
    return subresource === 'log' ? { text: '' } : { json: found };
  };
}

function selected(object: StoredObject, labels: string | null, fields: string | null): boolean {
  const own = object.metadata['labels'] as Record<string, string> | undefined;
  const labelsFit = (labels ?? '').split(',').every((part) => part === '' || own?.[part.split('=')[0] ?? ''] === part.split('=').at(-1));
  const involved = object['involvedObject'] as Record<string, string> | undefined;
  return (
    labelsFit &&
    (fields ?? '').split(',').every((part) => {
      const [path = '', value] = part.split(/==?/);
      return !path.startsWith('involvedObject.') || involved?.[path.slice('involvedObject.'.length)] === value;
    })
  );
}

/** Writes a kubeconfig for the server into the folder. */
export function kubeconfigFor(server: URL, folder: string): string {
  const file = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shop',
    clusters: [
      {
        name: 'shop',
        cluster: { server: server.href.replace(/\/$/, ''), 'certificate-authority-data': Buffer.from(AUTHORITY.cert).toString('base64') },
      },
    ],
    users: [{ name: 'eve', user: { token: 'a-token' } }],
    contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'eve', namespace: 'shop' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}
