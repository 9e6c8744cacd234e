import type { Json } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed, said } from './call.ts';
import { withoutManagers } from './get.ts';
import { addressOf, failureText, qualifiedName, theOne } from './named-objects.ts';
import { MOST_PODS } from '../most-pods.ts';
import { yamlText } from './yaml-text.ts';

export const APPLY_FLAGS = 'filename/f= dry-run=';

/** `kubectl apply -f FILE`, or `create`: the file is what stands in the editor. */
export function apply(call: Call, create = false): CommandAnswer {
  const { flags, kube } = call;
  const file = flags.get('filename');
  if (file === undefined) return failed('error: must specify -f: `kubectl apply -f web.yaml` opens the editor');
  if (kube.text === undefined) return { output: '', code: 0, edit: { name: file === '-' ? 'manifest.yaml' : file, text: '' } };
  const { documents, errors } = parseKubeYaml(kube.text, file);
  const objects = documents.flatMap(({ value }) => itemsIn(value));
  const refused = errors.length > 0 ? undefined : tooManyPods(objects, call);
  if (refused !== undefined) return failed(refused);
  const { output, exitCode } = kube.cluster.run({
    command: 'apply',
    manifest: { file: file === '-' ? 'STDIN' : file, text: kube.text },
    create,
    ...(flags.has('namespace') ? { namespace: call.namespace } : {}),
  });
  for (const object of objects) tell(object, create ? 'create' : 'patch', exitCode === 0 ? 200 : 422, call);
  return { output, code: exitCode };
}

function tell(object: Json, verb: 'create' | 'patch', code: number, { kube, namespace }: Call): void {
  const resource = kube.cluster.server.resources.ofKind(asText(dig(object, 'apiVersion')) ?? '', asText(dig(object, 'kind')) ?? '');
  const name = asText(dig(object, 'metadata', 'name'));
  if (resource === undefined || name === undefined) return;
  kube.sent({ verb, ...addressOf(resource, asText(dig(object, 'metadata', 'namespace')) ?? namespace), name }, code);
}

/** The objects of a document: a list is taken apart. */
function itemsIn(value: Json | undefined): readonly Json[] {
  return asText(dig(value, 'kind')) === 'List' ? asList(dig(value, 'items')) : value === undefined ? [] : [value];
}

/** Why so many pods are not simulated; undefined where they are few enough. */
function tooManyPods(objects: readonly Json[], { kube }: Call): string | undefined {
  let pods = kube.cluster.store.list('pods').length;
  for (const object of objects) pods += podsOf(object);
  return pods > MOST_PODS ? `error: ${pods} pods are too many for this page: it simulates up to ${MOST_PODS}` : undefined;
}

function podsOf(object: Json): number {
  if (dig(object, 'kind') === 'Pod') return 1;
  if (dig(object, 'spec', 'template') === undefined) return 0;
  return asNumber(dig(object, 'spec', 'replicas')) ?? asNumber(dig(object, 'spec', 'parallelism')) ?? 1;
}

/** `kubectl edit`: what stood in the editor replaces the object. Source: staging/src/k8s.io/kubectl/pkg/cmd/util/editor/editoptions.go. */
export function edit(call: Call): CommandAnswer {
  const found = theOne(call);
  if ('trouble' in found) return failed(found.trouble);
  const { resource, object } = found;
  const name = qualifiedName({ resource }, object.metadata.name);
  const before = withoutManagers(object);
  if (call.kube.text === undefined) return { output: '', code: 0, edit: { name, text: `${yamlText(before)}\n` } };
  const { documents, errors } = parseKubeYaml(call.kube.text, name);
  const [error] = errors;
  if (error !== undefined) return failed(`error: ${name}: line ${error.line}: ${error.message}`);
  const edited = documents[0]?.value;
  if (!isJsonObject(edited)) return said('Edit cancelled, no changes made.');
  if (dig(edited, 'metadata', 'name') !== object.metadata.name)
    return failed('error: At least one of apiVersion, kind and name was changed');
  // What the cluster wrote in the meantime stays: kubectl sends only what was changed.
  const { resourceVersion: _, ...metadata } = asObject(edited['metadata']);
  const answer = call.kube.send({
    verb: 'update',
    ...addressOf(resource, call.namespace),
    name: object.metadata.name,
    body: { ...edited, metadata },
  });
  if (!answer.ok) return failed(failureText(answer));
  const same = answer.object.metadata['resourceVersion'] === object.metadata['resourceVersion'];
  return said(same ? 'Edit cancelled, no changes made.' : `${name} edited`);
}
