import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asText } from '../../../base/json.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { NetworkNamespace } from '../../network/sockets.ts';
import type { Routine } from '../../time/routine.ts';
import { wait } from '../../time/routine.ts';
import { AddressPools } from './address-pool.ts';
import { createTrouble } from './create-trouble.ts';
import type { ExecResult } from './exec-result.ts';
import { execFailed, gone, notStarted } from './exec-result.ts';
import type { FileEntry, Files } from '../../programs/file-tree.ts';
import { FileTree } from '../../programs/file-tree.ts';
import { kernelFiles } from './kernel-files.ts';
import type { Image } from '../../images/image-catalog.ts';
import { groupsOf, hasReadOnlyRoot } from '../pods/pod-fields.ts';
import { Process } from './container-process.ts';
import type { Program } from '../../programs/program.ts';
import { commandRoutine, programFor } from '../../programs/program-choice.ts';
import type { Container } from './runtime-container.ts';
import { newContainer } from './runtime-container.ts';
import type { ContainerSettings, RuntimeOptions } from './runtime-options.ts';
import { ownerOf } from './runtime-options.ts';
import type { RuntimeFaults } from './sandbox-trouble.ts';
import { withNetworkFiles } from './network-files.ts';
import { networkSetup, sandboxTrouble } from './sandbox-trouble.ts';
import { startTrouble } from './start-trouble.ts';

export interface MachineUsage {
  memoryBytes: number;
  /** Of the node's file system, 0 to 1. */
  diskFraction: number;
}

export interface Sandbox {
  readonly id: string;
  readonly podUid: string;
  readonly netns: NetworkNamespace;
  readonly hostNetwork: boolean;
  readonly attempt: number;
  ready: boolean;
}

/** When a container lived that was made, started, and ended by itself. */
export interface Life {
  readonly attempt: number;
  readonly createdAt: Instant;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

/** containerd of a machine: images, sandboxes and containers. They stay when the kubelet's process does not. */
export class NodeRuntime {
  readonly node: string;
  readonly netns: NetworkNamespace;
  readonly images = new Map<string, Image>();
  /** Private images by the logins they were pulled with: `user:password`. */
  readonly pulledWith = new Map<string, Set<string>>();
  readonly faults: RuntimeFaults = {};
  /** Bytes used on the machine beside what containers use. */
  readonly usage: MachineUsage = { memoryBytes: 0, diskFraction: 0 };
  readonly hostFiles = new Map<string, FileEntry>([
    ['/', { type: 'directory' }],
    ['/etc/hosts', { type: 'file', content: '127.0.0.1 localhost\n' }],
  ]);
  readonly options: RuntimeOptions;
  readonly #pools = new AddressPools();
  readonly #sandboxes = new Map<string, Sandbox>();
  readonly #containers = new Map<string, Container[]>();
  readonly #attempts = new Map<string, number>();
  readonly #writers = new Set<string>();
  #listener: RuntimeListener | undefined;

  constructor(options: RuntimeOptions) {
    this.options = options;
    this.node = options.node;
    this.netns = new NetworkNamespace(options.address, options.node);
    options.network.join(this.netns);
  }

  /** The kubelet that is told of what happens; a new one takes the place of the old, and nobody that of one that has stopped. */
  attach(listener: RuntimeListener | undefined): void {
    this.#listener = listener;
  }

  /** Runs when a container has ended, unless the kubelet that asked has stopped by then. */
  afterExit(container: Container, run: () => void): void {
    container.whenExited.push(this.#forThisKubelet(run));
  }

  sandboxOf(podUid: string): Sandbox | undefined {
    return this.#sandboxes.get(podUid);
  }

  /** Containers of a pod, oldest first. */
  containersOf(podUid: string): readonly Container[] {
    return this.#containers.get(podUid) ?? [];
  }

  podUids(): readonly string[] {
    return [...new Set([...this.#sandboxes.keys(), ...this.#containers.keys()])];
  }

  /** Makes a sandbox with its network, or says why not, as the CRI does. */
  runSandbox(pod: KubeObject, podUid: string, hostNetwork: boolean, handler: string): Sandbox | { readonly message: string } {
    const id = this.options.prng.hex(64);
    const trouble = sandboxTrouble(this.faults, id, handler, hostNetwork, this.options);
    if (trouble !== undefined) return { message: trouble };
    const pool = this.#pools.of(this.faults.podNetwork ?? this.options.podNetwork);
    const ip = hostNetwork ? undefined : pool.take();
    if (!hostNetwork && ip === undefined)
      return {
        message: `${networkSetup(id)}: plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: ${pool.first}-${pool.last}`,
      };
    const netns =
      ip === undefined
        ? this.netns
        : new NetworkNamespace(ip, this.node, { namespace: pod.metadata.namespace ?? '', name: pod.metadata.name });
    if (ip !== undefined) this.options.network.join(netns);
    const attempt = this.#attempts.get(podUid) ?? 0;
    this.#attempts.set(podUid, attempt + 1);
    const sandbox: Sandbox = { id, podUid, netns, hostNetwork, attempt, ready: true };
    this.#sandboxes.set(podUid, sandbox);
    this.#listener?.record({ node: this.node, pod: `${pod.metadata.namespace}/${pod.metadata.name}`, what: 'sandbox ready', ip: netns.ip });
    return sandbox;
  }

  /** Ends a sandbox and gives its address back. Its containers must have ended. */
  stopSandbox(podUid: string): void {
    const sandbox = this.#sandboxes.get(podUid);
    this.#sandboxes.delete(podUid);
    if (sandbox === undefined || sandbox.hostNetwork) return;
    this.options.network.leave(sandbox.netns);
    this.#pools.release(sandbox.netns.ip);
  }

  createContainer(
    settings: ContainerSettings,
    podUid: string,
    kind: Container['kind'],
    attempt: number,
  ): Container | { readonly message: string } {
    const chance = this.chanceOf(podUid, asText(settings.spec['name']) ?? '', attempt);
    const id = chance.hex(64);
    const trouble = createTrouble(settings, id, this.hostFiles, this.faults);
    if (trouble !== undefined) return { message: trouble };
    const sandboxId = this.#sandboxes.get(podUid)?.id;
    const container = newContainer({ id, chance, podUid, sandboxId, kind, attempt, settings, createdAt: this.options.agenda.now });
    const list = this.#containers.get(podUid);
    if (list === undefined) this.#containers.set(podUid, [container]);
    else list.push(container);
    this.#record(container, 'created');
    return container;
  }

  /** What an attempt to run a container draws from: its id first, then its program. The same whenever it is asked. */
  chanceOf(podUid: string, name: string, attempt: number): Prng {
    return this.options.prng.split(`${podUid} ${name} ${attempt}`);
  }

  /** The container went on crashing as it last did: what is left of its last lives, oldest first. */
  crashedAgain(last: Container, lives: readonly Life[]): void {
    const others = this.containersOf(last.podUid).filter(({ name }) => name !== last.name);
    const again = lives.map(({ attempt, createdAt, startedAt, finishedAt }): Container => {
      const chance = this.chanceOf(last.podUid, last.name, attempt);
      const logs = last.logs.map(({ at, line }) => ({ at: finishedAt - ((last.finishedAt ?? at) - at), line }));
      return { ...last, chance, id: chance.hex(64), attempt, createdAt, startedAt, finishedAt, logs, whenExited: [] };
    });
    this.#containers.set(last.podUid, [...others, ...again]);
  }

  /** Starts its program; the words of the OCI runtime when that fails. */
  startContainer(container: Container): string | undefined {
    const { settings } = container;
    const sandbox = this.#sandboxes.get(container.podUid);
    const withEtc = (): Files => withNetworkFiles(settings, sandbox, this.options.network.dnsServer);
    const files = new FileTree(
      settings.image.files,
      settings.mounts,
      hasReadOnlyRoot(settings.spec),
      () => this.#sandboxes.get(container.podUid)?.netns.changed(),
      { owner: ownerOf(settings), groups: groupsOf(settings), withEtc, kernel: () => kernelFiles(container) },
    );
    const trouble = startTrouble(settings, files);
    if (trouble !== undefined) {
      this.#exited(container, { code: 128, reason: 'StartError', message: trouble, startedAt: 0 });
      return trouble;
    }
    container.state = 'running';
    container.startedAt = this.options.agenda.now;
    this.#record(container, 'started');
    const process = this.#process(
      container,
      { prng: container.chance, files, args: settings.argv },
      (line) => this.#log(container, line),
      (code, oom) => {
        this.#exited(container, {
          code,
          reason: oom ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error',
          message: undefined,
          startedAt: undefined,
        });
      },
    );
    container.process = process;
    process.start(programFor(settings, this.options.behaviours, this.options.architecture, files));
    return undefined;
  }

  /** SIGTERM now, SIGKILL when the grace has passed. */
  stopContainer(container: Container, graceMilliseconds: number): void {
    const { process } = container;
    if (process === undefined || !process.alive) return;
    process.terminate();
    this.options.agenda.after(graceMilliseconds, 'SIGKILL', () => process.kill());
  }

  removeContainers(podUid: string, keep: (container: Container) => boolean): void {
    const kept = this.containersOf(podUid).filter(keep);
    if (kept.length === 0) this.#containers.delete(podUid);
    else this.#containers.set(podUid, [...kept]);
  }

  /** Forgets a pod: sandbox, containers and logs. */
  forget(podUid: string): void {
    this.stopSandbox(podUid);
    this.#writers.delete(podUid);
    this.#containers.delete(podUid);
    this.#attempts.delete(podUid);
  }

  /** The machine went down and came up again: everything on it has ended, nothing was cleaned up. */
  reboot(): void {
    for (const list of this.#containers.values()) for (const container of list) container.process?.kill();
    for (const sandbox of this.#sandboxes.values()) sandbox.ready = false;
  }

  /** Runs a command in a container, as an exec probe or hook does. */
  exec(container: Container, argv: readonly string[], timeoutMilliseconds: number | undefined): Routine<ExecResult> {
    const { settings, process: main } = container;
    if (main === undefined || !main.alive) return gone();
    const { files } = main;
    const trouble = startTrouble({ ...settings, argv, workingDir: '/', memoryLimit: undefined, mounts: [] }, files);
    if (trouble !== undefined) return notStarted(this.options.prng.hex(64), trouble);
    return wait<ExecResult>((answer) => {
      let result: ExecResult = { kind: 'timeout' };
      const resume = this.#forThisKubelet(() => answer(result));
      let [stdout, stderr] = ['', ''];
      let late = false;
      const process = this.#process(
        container,
        { prng: this.options.prng, files, args: argv },
        (line) => void (stdout += `${line}\n`),
        (code) => {
          deadline?.cancel();
          if (!late) result = { kind: 'ended', code, stdout, stderr };
          resume();
        },
      );
      const deadline =
        timeoutMilliseconds === undefined
          ? undefined
          : this.options.agenda.after(timeoutMilliseconds, 'exec times out', () => {
              late = true;
              process.kill();
            });
      process.start(commandRoutine(argv, settings, { output: (text) => void (stdout += text), errors: (text) => void (stderr += text) }));
    });
  }

  /** A process in a running container beside its own; why there can be none, in containerd's words. */
  beside(
    container: Container,
    argv: readonly string[],
    program: Program,
    ended: (code: number) => void,
  ): Process | { readonly why: string } {
    const { settings, process: main } = container;
    if (main === undefined || !main.alive) return { why: 'failed to exec in container: failed to load task: no running task found' };
    const trouble = startTrouble({ ...settings, argv, workingDir: '/', memoryLimit: undefined, mounts: [] }, main.files);
    if (trouble !== undefined) return { why: `${execFailed(this.options.prng.hex(64), trouble)}: unknown` };
    const process = this.#process(container, { prng: this.options.prng, files: main.files, args: argv }, () => undefined, ended);
    container.whenExited.push(() => process.kill());
    process.start(program);
    return process;
  }

  /** Sets what is broken; the kubelet is told. */
  breakWith(faults: RuntimeFaults): void {
    Object.assign(this.faults, faults);
    this.#listener?.reachabilityChanged();
  }

  /** Whether a program of the pod has said how much it writes. */
  writes(podUid: string): boolean {
    return this.#writers.has(podUid);
  }

  writers(): number {
    return this.#writers.size;
  }

  #wrote(podUid: string): void {
    this.#writers.add(podUid);
    this.#listener?.memoryChanged();
  }

  memoryInUse(): number {
    let sum = 0;
    for (const list of this.#containers.values()) for (const container of list) sum += container.process?.memory ?? 0;
    return sum;
  }

  #forThisKubelet(run: () => void): () => void {
    const asking = this.#listener;
    return () => {
      if (this.#listener === asking) run();
    };
  }

  #process(
    container: Container,
    { prng, files, args }: { readonly prng: Prng; readonly files: FileTree; readonly args: readonly string[] },
    log: (line: string) => void,
    ended: (code: number, outOfMemory: boolean) => void,
  ): Process {
    const { settings } = container;
    const sandbox = this.#sandboxes.get(container.podUid);
    const netns = sandbox?.netns ?? this.netns;
    const origin = {
      node: this.node,
      netns,
      ...(sandbox?.hostNetwork === true ? { pod: undefined, hostPod: settings.pod } : { pod: settings.pod }),
    };
    const { agenda, network } = this.options;
    const { env, hostname, user, memoryLimit } = settings;
    return new Process({
      agenda,
      prng,
      files,
      args,
      network,
      netns,
      origin,
      env,
      hostname,
      user,
      groups: groupsOf(settings),
      memoryLimit,
      log,
      ended,
      memoryChanged: () => this.#listener?.memoryChanged(),
      diskChanged: () => this.#wrote(container.podUid),
      usageChanged: () => this.options.usageChanged(settings.pod.metadata.namespace ?? ''),
    });
  }

  #log(container: Container, line: string): void {
    container.logs.push({ at: this.options.agenda.now, line });
    container.settings.streams.logged(line);
    if (container.logs.length <= MAX_LOG_LINES) return;
    container.droppedLines += container.logs.splice(0, container.logs.length - MAX_LOG_LINES).length;
  }

  #exited(
    container: Container,
    end: { readonly code: number; readonly reason: string; readonly message: string | undefined; readonly startedAt: Instant | undefined },
  ): void {
    container.state = 'exited';
    container.finishedAt = this.options.agenda.now;
    container.exitCode = end.code;
    container.reason = end.reason;
    container.message = end.message;
    if (end.startedAt !== undefined) container.startedAt = end.startedAt;
    this.#record(container, `exited ${end.code} ${end.reason}`);
    for (const run of container.whenExited.splice(0)) run();
    this.#listener?.containerChanged(container.podUid);
  }

  #record(container: Container, what: string): void {
    const { pod } = container.settings;
    this.#listener?.record({ node: this.node, pod: `${pod.metadata.namespace}/${pod.metadata.name}`, container: container.name, what });
  }
}

export interface RuntimeListener {
  record(fields: JsonObject): void;
  /** The runtime went down or came up again. */
  reachabilityChanged(): void;
  containerChanged(podUid: string): void;
  memoryChanged(): void;
}

const MAX_LOG_LINES = 1000;
