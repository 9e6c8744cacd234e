import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { annotationsOf } from '../../model/kube-object.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { containersOf } from '../containers/containers.ts';
import { listenVariable } from '../logs/listen-words.ts';
import { isReady } from '../objects/pods.ts';
import { probesOf } from '../probes/probe-specs.ts';

/**
 * Whether a pod serves a port though no container declares it: `containerPort` is only information, and many programs leave out a port
 * of theirs. A probe that passes there proves it; a flag, a variable or an annotation for scrapers tells it.
 */
export function isToldPort(pod: KubeObject, port: number): boolean {
  const containers = containersOf(pod).filter(({ role }) => role !== 'init' && role !== 'ephemeral');
  const isProbed = isReady(pod) === true && containers.some((container) => probesOf(container).some((probe) => probe.port === port));
  return (
    isProbed ||
    annotationsOf(pod)['prometheus.io/port'] === String(port) ||
    containers.some(({ spec }) => isFlag(spec, port) || isVariable(spec, port))
  );
}

/**
 * `--port=6443`, `-listen :6443`, `0.0.0.0:6443`; neither `db:6443`, which is elsewhere, nor `127.0.0.1:6443`, which a Service cannot
 * reach.
 */
function isFlag(container: Json, port: number): boolean {
  const words = [...asList(dig(container, 'command')), ...asList(dig(container, 'args'))]
    .map((word) => asText(word) ?? '')
    .join(' ')
    .slice(0, MAX_WORDS);
  return new RegExp(String.raw`(?:^|[\s="'])(?:0\.0\.0\.0:|\*:|\[::\]:|:)?${String(port)}(?![\w.:])`).test(words);
}

const MAX_WORDS = 16_000;

function isVariable(container: Json, port: number): boolean {
  return asList(dig(container, 'env')).some((entry) => {
    const [name, value] = [asText(dig(entry, 'name')), asText(dig(entry, 'value'))];
    const address = name === undefined || value === undefined ? undefined : listenVariable(name, value);
    return address?.port === port && !address.loopback;
  });
}
