import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { APPLIED_MANIFEST, CLIENT_ANSWER, NODE_SERVICE, RECORD_API_VERSION } from '../../model/record-kinds.ts';
import type { Credential } from '../apiserver/request.ts';
import type { ProcessName } from '../components/component.ts';
import type { Applied } from './kubectl.ts';
import { failureWords } from './kubectl.ts';
import type { Process } from '../components/component-process.ts';
import { applyManifest, sendDocuments } from './apply.ts';
import type { CommandAnswer, TerminalCommand } from './command.ts';
import { deleteObjects } from './delete.ts';
import { cordon, drain } from './drain.ts';
import { exec } from './exec.ts';
import type { KubectlSession, TerminalSurroundings } from './kubectl-session.ts';
import { openSession, placeOf } from './kubectl-session.ts';
import { serviceStatus } from './service-status.ts';

export interface ApplyOptions {
  /** `-n`: the namespace of documents that name none (`default` when not given); those that name another are refused. */
  readonly namespace?: string;
  readonly file?: string;
  readonly credential?: Credential;
  readonly dryRun?: boolean;
  /** `kubectl create` instead of apply. */
  readonly create?: boolean;
}

/** A terminal beside the cluster: carries commands out, and keeps what they were answered for whoever looks at the cluster later. */
export class Terminal {
  readonly #around: TerminalSurroundings & { process(name: ProcessName, node: string): Process | undefined };
  readonly #records: KubeObject[] = [];
  /** Tokens that were asked for, by `namespace/account`. */
  readonly #tokens = new Map<string, string>();

  constructor(around: TerminalSurroundings & { process(name: ProcessName, node: string): Process | undefined }) {
    this.#around = around;
  }

  /**
   * What was applied, answered and looked at, oldest first; undefined for a kind that is not kept here, or of which there is nothing.
   * Where nobody who looks under this credential is answered now, the last answer is what kubectl says of that.
   */
  records(kind: string, credential = this.#around.administrator()): readonly KubeObject[] | undefined {
    if (kind === CLIENT_ANSWER) return [...this.#records.filter((record) => record.kind === kind), ...this.#connectionAnswer(credential)];
    if (kind === NODE_SERVICE)
      return this.#records.some((record) => record.kind === kind) ? this.#records.filter((record) => record.kind === kind) : undefined;
    return kind === APPLIED_MANIFEST ? this.#records.filter((record) => record.kind === kind) : undefined;
  }

  run(command: TerminalCommand): CommandAnswer {
    if (command.command === 'service-status') return this.#lookAtService(command.node, command.service);
    const session = openSession(command, this.#around, this.#tokens);
    if (command.command === 'apply') return this.#apply(command, session);
    const refused = session.trouble === undefined ? undefined : { output: session.trouble, exitCode: 1 };
    switch (command.command) {
      case 'delete': {
        const [first] = command.objects;
        const answer = refused ?? deleteObjects(command, session, this.#around);
        return this.#answered(
          'delete',
          `${session.flags}${inNamespace(first?.namespace)}delete ${command.objects.map((ref) => `${this.#word(ref)} ${ref.name}`).join(' ')}${deleteFlags(command)}`,
          answer,
          first?.namespace,
        );
      }
      case 'drain':
        return this.#answered(
          'drain',
          `${session.flags}drain ${command.node}${drainFlags(command)}`,
          refused ?? drain(command, session, this.#around),
          undefined,
        );
      case 'cordon':
      case 'uncordon': {
        const [output, exitCode] =
          session.trouble === undefined ? cordon(command.node, command.command === 'cordon', session) : [session.trouble, 1];
        return this.#answered(command.command, `${session.flags}${command.command} ${command.node}`, { output, exitCode }, undefined);
      }
      case 'token':
        return refused ?? this.#createToken(command, session);
      case 'exec': {
        const { namespace } = command.pod;
        const done = refused === undefined ? exec(command.pod, command.argv, session, this.#around) : { ...refused, argv: command.argv };
        return this.#answered(
          'exec',
          `${session.flags}${inNamespace(namespace)}exec ${this.#name(command.pod)} -- ${done.argv.join(' ')}`,
          done,
          namespace,
        );
      }
    }
  }

  /** `kubectl apply` of documents that are at hand. */
  apply(
    documents: readonly JsonObject[],
    { file = 'manifest.yaml', namespace, create = false, dryRun = false, credential }: ApplyOptions,
  ): readonly Applied[] {
    const session = openSession(
      credential === undefined ? {} : { identity: { kind: 'credential', credential } },
      this.#around,
      this.#tokens,
    );
    return sendDocuments(documents, { file, namespace, create, dryRun }, session, this.#around).map(({ document, applied }) => {
      this.#keepApplied(document, applied, { file, namespace, create, flags: '' });
      return applied;
    });
  }

  /** Keeps one document that was applied, and what kubectl said of it. */
  #keepApplied(
    document: JsonObject,
    { output, did }: Applied,
    how: { readonly file: string; readonly namespace: string | undefined; readonly create: boolean; readonly flags: string },
  ): void {
    const namespace = asText(dig(document, 'metadata', 'namespace')) ?? how.namespace ?? 'default';
    this.#keep(APPLIED_MANIFEST, { file: how.file, object: document }, namespace);
    const verb = how.create ? 'create' : 'apply';
    this.#answered(
      verb,
      `${how.flags}${inNamespace(how.namespace ?? namespace)}${verb} -f ${how.file}`,
      { output, exitCode: did === 'refused' ? 1 : 0 },
      namespace,
    );
  }

  #apply(command: TerminalCommand & { readonly command: 'apply' }, session: KubectlSession): CommandAnswer {
    const {
      manifest: { file },
      namespace,
      create = false,
    } = command;
    const { done, refused, unreadable } = applyManifest(command, session, this.#around);
    for (const { document, applied } of done) this.#keepApplied(document, applied, { file, namespace, create, flags: session.flags });
    if (unreadable !== undefined) {
      const { line, message, seems } = unreadable;
      this.#keep(APPLIED_MANIFEST, { file, error: { line, message, ...(seems === undefined ? {} : { seems: { ...seems } }) } }, namespace);
    }
    if (refused !== undefined)
      return this.#answered(
        create ? 'create' : 'apply',
        `${session.flags}${inNamespace(namespace)}${create ? 'create' : 'apply'} -f ${file}`,
        { output: refused, exitCode: 1 },
        namespace,
      );
    return {
      output: done.map(({ applied }) => applied.output).join('\n'),
      exitCode: done.some(({ applied }) => applied.did === 'refused') ? 1 : 0,
    };
  }

  #createToken({ namespace, account, seconds }: TerminalCommand & { readonly command: 'token' }, session: KubectlSession): CommandAnswer {
    const spec = seconds === undefined ? {} : { expirationSeconds: seconds };
    const answer = session.send({
      verb: 'create',
      group: '',
      version: 'v1',
      resource: 'serviceaccounts',
      subresource: 'token',
      namespace,
      name: account,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
    });
    if (!answer.ok) return { output: failureWords(answer, 'failed to create token'), exitCode: 1 };
    this.#tokens.set(`${namespace}/${account}`, asText(dig(answer.object, 'status', 'token')) ?? '');
    return { output: '', exitCode: 0 };
  }

  /** Nobody needs kubectl for it, and what it says is kept as what it is about, not as an answer. */
  #lookAtService(node: string, service: string): CommandAnswer {
    const { world } = this.#around;
    const status = serviceStatus(node, service, world, (name, where) => this.#around.process(name, where));
    this.#keep(NODE_SERVICE, { ...status, lines: [...status.lines] }, undefined);
    return {
      output: [`Active: ${status.active}${status.sub === undefined ? '' : ` (${status.sub})`}`, ...status.lines].join('\n'),
      exitCode: status.active === 'active' ? 0 : 3,
    };
  }

  #answered(verb: string, words: string, answer: CommandAnswer, namespace: string | undefined): CommandAnswer {
    const { output, exitCode } = answer;
    this.#keep(
      CLIENT_ANSWER,
      { command: `kubectl ${words}`, verb, output, exitCode, order: this.#records.length, at: this.#around.now() },
      namespace ?? 'default',
    );
    return { output, exitCode };
  }

  #connectionAnswer(credential: Credential): readonly KubeObject[] {
    const failure = this.#around.server.authorizePath({ credential }, 'get', '/version');
    if (failure === undefined || failure.code === 403) return [];
    const spec = {
      command: 'kubectl get --raw /version',
      verb: 'get',
      output: failureWords(failure, ''),
      exitCode: 1,
      order: this.#records.length,
      at: this.#around.now(),
    };
    return [{ apiVersion: RECORD_API_VERSION, kind: CLIENT_ANSWER, metadata: { name: 'connection' }, spec }];
  }

  #keep(kind: string, spec: Readonly<Record<string, Json>>, namespace: string | undefined): void {
    const metadata = { name: `${this.#records.length}`, ...(namespace === undefined ? {} : { namespace }) };
    this.#records.push({ apiVersion: RECORD_API_VERSION, kind, metadata, spec });
  }

  #word(ref: ObjectRef): string {
    return placeOf(ref, this.#around)?.word ?? ref.kind.toLowerCase();
  }

  #name(ref: ObjectRef): string {
    return ref.kind === 'Pod' ? ref.name : `${this.#word(ref)}/${ref.name}`;
  }
}

function inNamespace(namespace: string | undefined): string {
  return namespace === undefined ? '' : `-n ${namespace} `;
}

function drainFlags({
  ignoreDaemonSets = true,
  deleteEmptyDirData = true,
  force = false,
  timeoutSeconds,
}: TerminalCommand & { readonly command: 'drain' }): string {
  return `${ignoreDaemonSets ? ' --ignore-daemonsets' : ''}${deleteEmptyDirData ? ' --delete-emptydir-data' : ''}${force ? ' --force' : ''}${timeoutSeconds === undefined ? '' : ` --timeout=${timeoutSeconds}s`}`;
}

function deleteFlags({ cascade, graceSeconds, force, wait }: TerminalCommand & { readonly command: 'delete' }): string {
  const grace = force === true ? 0 : graceSeconds;
  return `${cascade === undefined ? '' : ` --cascade=${cascade}`}${grace === undefined ? '' : ` --grace-period=${grace}`}${force === true ? ' --force' : ''}${wait === false ? ' --wait=false' : ''}`;
}
