import { RESOURCES } from '../../src/model/resources.ts';
import type { Answer, Credential, Impersonation } from '../../src/simulator/apiserver/request.ts';
import { qualified } from '../../src/simulator/apiserver/failures.ts';
import type { Cluster, OutsideRequest } from '../../src/simulator/index.ts';
import { failureWords } from '../../src/simulator/terminal/kubectl.ts';

/** What the command printed and its exit status; undefined for a command this does not know how to give. */
export interface CommandAnswer {
  readonly output: string;
  readonly exitCode: number;
}

export interface Terminal {
  readonly cluster: Cluster;
  /** Where the files of `-f` are. */
  readonly folder: string;
  readonly credential: Credential | undefined;
  /** `--as`, `--as-group`. */
  readonly impersonate: Impersonation | undefined;
  /** Keeps a token that was made, for the kubeconfig that uses it. */
  keepToken(account: string, token: string): void;
  /** The pods a recorded name of a pod may stand for, of another random name here. */
  podOf(recordedName: string): string;
  /** A text with the addresses pods, Services and nodes have here in the place of those they were recorded with. */
  addressHere(text: string): string;
}

export function failed(answer: Answer & { readonly ok: false }, doing: string): CommandAnswer {
  return { output: failureWords(answer, doing), exitCode: 1 };
}

export function send(terminal: Terminal, request: OutsideRequest): Answer {
  const { credential, impersonate } = terminal;
  return terminal.cluster.request({
    ...request,
    ...(credential === undefined ? {} : { credential }),
    ...(impersonate === undefined ? {} : { impersonate }),
  });
}

export interface Address {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  /** As kubectl names it in its answers: `deployment.apps`. */
  readonly word: string;
}

export function addressOf(kind: string, namespace: string | undefined): Address | undefined {
  const wanted = kind.toLowerCase();
  const found = RESOURCES.find((row) => row.plural === wanted || row.kind.toLowerCase() === wanted || row.shortNames.includes(wanted));
  if (found === undefined) return undefined;
  const [version = 'v1', group = ''] = found.apiVersion.split('/').toReversed();
  return {
    group,
    version,
    resource: found.plural,
    ...(found.namespaced ? { namespace: namespace ?? 'default' } : {}),
    word: qualified({ group, resource: found.kind.toLowerCase() }),
  };
}
