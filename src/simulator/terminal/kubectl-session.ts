import { qualified, unreachable } from '../apiserver/failures.ts';
import type { Answer, ApiRequest, Credential } from '../apiserver/request.ts';
import type { ApiServer } from '../apiserver/server.ts';
import { addressOfKind } from '../components/client.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import type { World } from '../outside/outside-world.ts';
import type { CommandFrame, Identity } from './command.ts';
import { readKubeconfig } from './kubeconfig.ts';

/** What the terminal is beside. */
export interface TerminalSurroundings {
  readonly server: ApiServer;
  readonly world: World;
  administrator(): Credential;
  now(): number;
  /** What is there now, without a question to the API server: for who watches. */
  find(ref: ObjectRef): KubeObject | undefined;
  /** Lets time pass. */
  pass(milliseconds: number): void;
  /** Lets time pass until it is done, at most so long; false when it was not. */
  passUntil(done: () => boolean, milliseconds: number): boolean;
}

/** kubectl with its configuration read: it asks under an identity, or says why it cannot ask at all. */
export interface KubectlSession {
  /** `--kubeconfig anna.yaml `: what stands behind `kubectl` in the command line. */
  readonly flags: string;
  readonly trouble: string | undefined;
  readonly server: string;
  readonly credential: Credential;
  send(request: Omit<ApiRequest, 'credential'>): Answer;
}

export function openSession(frame: CommandFrame, around: TerminalSurroundings, tokens: ReadonlyMap<string, string>): KubectlSession {
  const { identity, kubeconfig } = frame;
  const configured = readKubeconfig(kubeconfig, {
    serverAddress: around.world.configuration.serverAddress,
    serverCertificate: around.world.certificates.get('apiserver'),
    now: around.now(),
  });
  const credential = credentialOf(identity, tokens) ?? configured.credential ?? around.administrator();
  const flags = [
    ...(kubeconfig === undefined || kubeconfig.file.endsWith('/.kube/config') ? [] : ['--kubeconfig', kubeconfig.file]),
    ...(kubeconfig?.context === undefined ? [] : ['--context', kubeconfig.context]),
    ...(kubeconfig === undefined && credential.kind === 'token' ? ['--token=$TOKEN'] : []),
  ];
  return {
    flags: flags.map((flag) => `${flag} `).join(''),
    trouble: configured.trouble,
    server: configured.server,
    credential,
    send: (request) =>
      configured.transport === undefined
        ? around.server.handle({ manager: 'kubectl', ...request, credential })
        : unreachable(configured.transport),
  };
}

function credentialOf(identity: Identity | undefined, tokens: ReadonlyMap<string, string>): Credential | undefined {
  if (identity?.kind !== 'account') return identity?.credential;
  return { kind: 'token', token: tokens.get(`${identity.namespace}/${identity.account}`) ?? '' };
}

/** Where an object is in the API, and how kubectl names it in its answers: `deployment.apps`. */
export function placeOf(
  ref: ObjectRef,
  around: TerminalSurroundings,
): { readonly at: Pick<ApiRequest, 'group' | 'version' | 'resource' | 'namespace' | 'name'>; readonly word: string } | undefined {
  const served = around.server.resources.named(ref.kind);
  if (served === undefined) return undefined;
  const namespace = ref.namespace === undefined ? {} : { namespace: ref.namespace };
  return {
    at: { ...addressOfKind(around.server.resources, ref.kind), ...namespace, name: ref.name },
    word: qualified({ group: served.group, resource: served.kind.toLowerCase() }),
  };
}
