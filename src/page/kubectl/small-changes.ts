import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig, digAt } from '../../base/json.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Patch } from '../../simulator/index.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed, said } from './call.ts';
import type { Resource } from './named-objects.ts';
import { addressOf, failureText, qualifiedName, theOne } from './named-objects.ts';

interface Found {
  readonly resource: Resource;
  readonly object: KubeObject;
}

function sent({ resource, object }: Found, call: Call, patch: Patch, did: string): CommandAnswer {
  const answer = call.kube.send({ verb: 'patch', ...addressOf(resource, call.namespace), name: object.metadata.name, patch });
  if (!answer.ok) return failed(failureText(answer));
  const same = answer.object.metadata['resourceVersion'] === object.metadata['resourceVersion'];
  return said(`${qualifiedName({ resource }, object.metadata.name)} ${did}${same && did === 'patched' ? ' (no change)' : ''}`);
}

export const PATCH_FLAGS = 'patch/p= type= subresource=';

/** `kubectl patch -p PATCH`. Source: staging/src/k8s.io/kubectl/pkg/cmd/patch/patch.go. */
export function patch(call: Call): CommandAnswer {
  const [text, type = 'strategic'] = [call.flags.get('patch'), call.flags.get('type')];
  if (text === undefined) return failed('error: must specify --patch or --patch-file containing the contents of the patch');
  if (type !== 'json' && type !== 'merge' && type !== 'strategic')
    return failed(`error: --type must be one of [json merge strategic], not "${type}"`);
  const { documents, errors } = parseKubeYaml(text, 'patch');
  const body = documents[0]?.value;
  if (errors.length > 0 || body === undefined) return failed(`error: unable to parse "${text}": ${errors[0]?.message ?? 'it is empty'}`);
  const found = theOne(call);
  return 'trouble' in found ? failed(found.trouble) : sent(found, call, { type, body }, 'patched');
}

export const LABEL_FLAGS = 'overwrite';

/** `kubectl label` and `kubectl annotate`. Source: staging/src/k8s.io/kubectl/pkg/cmd/{label,annotate}/*.go. */
export function mark(call: Call, field: 'labels' | 'annotations'): CommandAnswer {
  const pairs = call.words.filter((word) => /=|-$/.test(word));
  const found = theOne({ ...call, words: call.words.filter((word) => !pairs.includes(word)) });
  if ('trouble' in found) return failed(found.trouble);
  if (pairs.length === 0) return failed(`error: at least one ${field === 'labels' ? 'label' : 'annotation'} update is required`);
  const changes: Record<string, Json> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const key = at < 0 ? pair.slice(0, -1) : pair.slice(0, at);
    const old = asText(dig(found.object, 'metadata', field, key));
    if (at >= 0 && old !== undefined && old !== pair.slice(at + 1) && !call.flags.has('overwrite'))
      return failed(`error: '${key}' already has a value (${old}), and --overwrite is false`);
    changes[key] = at < 0 ? null : pair.slice(at + 1);
  }
  return sent(found, call, { type: 'merge', body: { metadata: { [field]: changes } } }, field === 'labels' ? 'labeled' : 'annotated');
}

export const SET_FLAGS = 'containers/c= requests= limits=';

/** `kubectl set image` and `kubectl set env`. Source: staging/src/k8s.io/kubectl/pkg/cmd/set/*.go. */
export function set(call: Call): CommandAnswer {
  const [what = '', ...words] = call.words;
  if (what !== 'image' && what !== 'env' && what !== 'resources')
    return failed(`error: unknown command "set ${what}": this console has set image, set env and set resources`);
  const pairs = words.filter((word) => word.includes('='));
  const found = theOne({ ...call, words: words.filter((word) => !word.includes('=')) });
  if ('trouble' in found) return failed(found.trouble);
  const path =
    found.object.kind === 'Pod'
      ? ['spec']
      : found.object.kind === 'CronJob'
        ? ['spec', 'jobTemplate', 'spec', 'template', 'spec']
        : ['spec', 'template', 'spec'];
  const names = asList(dig(digAt(found.object, path), 'containers')).map((one) => asText(dig(one, 'name')) ?? '');
  const containers = what === 'image' ? images(pairs, names) : settings(what, pairs, names, call);
  if ('trouble' in containers) return failed(containers.trouble);
  let body: Json = { containers: containers.fields };
  for (const step of path.toReversed()) body = { [step]: body };
  const did = what === 'image' ? 'image updated' : what === 'env' ? 'env updated' : 'resource requirements updated';
  return sent(found, call, { type: 'strategic', body }, did);
}

type Fields = { readonly fields: readonly JsonObject[] } | { readonly trouble: string };

function images(pairs: readonly string[], names: readonly string[]): Fields {
  if (pairs.length === 0) return { trouble: 'error: at least one image update is required: CONTAINER=IMAGE' };
  const fields: JsonObject[] = [];
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [name, image] = [pair.slice(0, at), pair.slice(at + 1)];
    if (name !== '*' && !names.includes(name)) return { trouble: `error: unable to find container named "${name}"` };
    for (const one of name === '*' ? names : [name]) fields.push({ name: one, image });
  }
  return { fields };
}

function settings(what: 'env' | 'resources', pairs: readonly string[], names: readonly string[], { flags }: Call): Fields {
  const chosen = flags.has('containers') ? names.filter((name) => name === flags.get('containers')) : names;
  if (chosen.length === 0) return { trouble: `error: unable to find container named "${flags.get('containers') ?? ''}"` };
  const amounts = (flag: string): JsonObject | undefined => (flags.has(flag) ? asPairs((flags.get(flag) ?? '').split(',')) : undefined);
  const [requests, limits] = [amounts('requests'), amounts('limits')];
  if (what === 'env' ? pairs.length === 0 : requests === undefined && limits === undefined)
    return {
      trouble:
        what === 'env'
          ? 'error: at least one environment variable must be provided'
          : 'error: you must specify an update to requests or limits',
    };
  const env = Object.entries(asPairs(pairs)).map(([name, value]) => ({ name, value }));
  const resources = { ...(requests === undefined ? {} : { requests }), ...(limits === undefined ? {} : { limits }) };
  return { fields: chosen.map((name) => ({ name, ...(what === 'env' ? { env } : { resources }) })) };
}

function asPairs(words: readonly string[]): JsonObject {
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}
