import { parseAddress } from '../../base/address.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import { shorten } from '../../base/text.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { inNamespace, refOf } from '../../model/kube-object.ts';
import { CLIENT_ANSWER } from '../../model/record-kinds.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import { callTrouble } from './call-trouble.ts';
import { serviceNamed } from './dependencies.ts';

/**
 * `try` facts: what a person who tried an address from inside of a pod (`kubectl exec … -- curl …`) was answered, about what has that
 * address.
 */
export async function collectTries(scene: Scene, sink: FactSink): Promise<void> {
  for (const answer of await scene.survey.seen(CLIENT_ANSWER, {})) {
    const command = asText(dig(answer, 'spec', 'command')) ?? '';
    const tried = execIn(command) ? addressTried(command) : undefined;
    if (tried === undefined) continue;
    const about = await holderOf(tried.host, namespaceIn(command, scene), scene);
    if (about === undefined) continue;
    const output = asText(dig(answer, 'spec', 'output')) ?? '';
    const failed =
      (asNumber(dig(answer, 'spec', 'exitCode')) ?? 0) !== 0 || scene.survey.vocabulary.phrase('command-ended', output) !== undefined;
    const outcome = failed ? (callTrouble(output, 'answer', scene.survey.vocabulary)?.class ?? 'failed') : 'answered';
    sink.fact(
      'try',
      about,
      { host: tried.host, port: String(tried.port), outcome, service: about.kind === 'Service' ? about.name : undefined },
      { source: `answer to: ${shorten(command, 160)}`, quote: shorten(output.trim(), 300) },
    );
  }
}

/** Whether it runs another command in a pod: `kubectl exec web -- curl …`. */
function execIn(command: string): boolean {
  const at = ` ${command}`.indexOf(' exec ');
  return at >= 0 && command.includes(' -- ', at);
}

/** The address in a command for looking at one: a URL, or host and port of nc, telnet and their like. */
function addressTried(command: string): { readonly host: string; readonly port: number } | undefined {
  const words = command
    .slice(command.indexOf(' -- ') + 4)
    .split(/\s+/)
    .slice(0, 40)
    .map((word) => word.replace(/^['"]|['"]$/g, ''));
  for (const [index, word] of words.entries()) {
    const address = parseAddress(word);
    if (address?.scheme !== undefined) return { host: address.host, port: address.port ?? (address.scheme === 'https' ? 443 : 80) };
    const next = parseInteger(words[index + 1]);
    if (index > 0 && address !== undefined && !word.startsWith('-') && next !== undefined && next > 0 && next < 65_536)
      return { host: address.host, port: next };
  }
  return undefined;
}

function namespaceIn(command: string, scene: Scene): string | undefined {
  return /(?:\s-n|--namespace)[\s=](\S+)/.exec(command)?.[1] ?? scene.request.namespace;
}

async function holderOf(host: string, namespace: string | undefined, scene: Scene): Promise<ObjectRef | undefined> {
  const pod = scene.pods.find((candidate) => dig(candidate, 'status', 'podIP') === host && dig(candidate, 'spec', 'hostNetwork') !== true);
  if (pod !== undefined) return refOf(pod);
  const services = await scene.survey.seen('Service', inNamespace(namespace));
  const named = serviceNamed(host, namespace);
  const service = services.find(
    (candidate) =>
      addressesOf(candidate).includes(host) ||
      (named !== undefined && candidate.metadata.name === named.name && candidate.metadata.namespace === named.namespace),
  );
  return service === undefined ? undefined : refOf(service);
}

function addressesOf(service: KubeObject): readonly string[] {
  return [asText(dig(service, 'spec', 'clusterIP')) ?? '', ...asList(dig(service, 'spec', 'clusterIPs')).map(String)];
}
