import { without } from '../../../base/lists.ts';
import type { Prng } from '../../../base/prng.ts';
import type { Agenda, Task } from '../../time/agenda.ts';
import type { Resolution } from '../../network/dns.ts';
import type { Attempt, Network, Origin } from '../../network/network.ts';
import type { Caller, NetworkNamespace, Response, Socket, Speech } from '../../network/sockets.ts';
import type { Routine } from '../../time/routine.ts';
import { runRoutine, wait } from '../../time/routine.ts';
import type { FileTree } from '../../programs/file-tree.ts';
import type { ProcessContext, Program, Reaction, Variables } from '../../programs/program.ts';
import { UsageHistory } from '../../programs/usage-history.ts';

export interface ProcessOptions {
  readonly agenda: Agenda;
  readonly prng: Prng;
  readonly network: Network;
  readonly netns: NetworkNamespace;
  readonly origin: Origin;
  readonly args: readonly string[];
  readonly env: Variables;
  readonly files: FileTree;
  readonly hostname: string;
  readonly user: number;
  readonly groups: readonly number[];
  readonly memoryLimit: number | undefined;
  readonly log: (line: string) => void;
  /** Told once, when it has ended: by itself, by a signal, or for want of memory. */
  readonly ended: (code: number, outOfMemory: boolean) => void;
  readonly memoryChanged: () => void;
  readonly diskChanged: () => void;
  /** Told when it begins to use more or less of anything. */
  readonly usageChanged: () => void;
}

/** A running program. It lives in the machine, not in the kubelet: its tasks go on when the kubelet's process is stopped. */
export class Process implements ProcessContext {
  readonly args: readonly string[];
  readonly env: Variables;
  readonly files: FileTree;
  readonly hostname: string;
  readonly user: number;
  readonly groups: readonly number[];
  readonly usage = new UsageHistory();
  readonly #options: ProcessOptions;
  #tasks: readonly Task[] = [];
  #sockets: readonly Socket[] = [];
  #alive = true;
  #outward = false;
  #signalled = false;
  #wake: (() => void) | undefined;
  #reaction: Reaction = { kind: 'ignore' };
  #memory = 0;
  #memoryLimit: number | undefined;
  #disk = 0;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#memoryLimit = options.memoryLimit;
    ({ args: this.args, env: this.env, files: this.files, hostname: this.hostname, user: this.user, groups: this.groups } = options);
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether it did nothing but wait and say something: whenever it is run, it does the same. */
  get inward(): boolean {
    return !this.#outward && !this.files.sawMounts;
  }

  /** Bytes it has written. */
  get disk(): number {
    return this.#disk;
  }

  get memory(): number {
    return this.#memory;
  }

  start(program: Program): void {
    this.#later(startupMilliseconds(this.#options.prng), false, () => runRoutine(program(this), (code) => this.#end(code, false)));
  }

  /** It may use so many bytes from now on. */
  limitMemory(bytes: number | undefined): void {
    this.#outward = true;
    this.#memoryLimit = bytes;
  }

  /** SIGTERM. */
  terminate(): void {
    this.#outward = true;
    if (!this.#alive) return;
    const reaction = this.#reaction;
    if (reaction.kind === 'exit') this.#later(reaction.afterMilliseconds, false, () => this.#end(reaction.code, false));
    if (reaction.kind !== 'notice') return;
    this.#signalled = true;
    this.#wake?.();
  }

  /** SIGKILL. */
  kill(): void {
    this.#outward = true;
    this.#end(137, false);
  }

  now(): number {
    return this.#options.agenda.now;
  }

  clock(): number {
    this.#outward = true;
    return this.now();
  }

  sleep(milliseconds: number, background = false): Routine {
    return wait<void>((resume) => this.#later(milliseconds, background, () => resume()));
  }

  *idle(periodMilliseconds: number): Routine {
    this.#outward = true;
    const started = this.now();
    if (!this.#signalled) yield* wait<void>((resume) => (this.#wake = () => resume()));
    this.#wake = undefined;
    const passed = this.now() - started;
    const rest = periodMilliseconds === 0 ? 0 : Math.ceil(passed / periodMilliseconds) * periodMilliseconds - passed;
    if (rest > 0) yield* this.sleep(rest);
  }

  log(line: string): void {
    if (this.#alive) this.#options.log(line);
  }

  listen(address: string, port: number, speech: Speech): string | undefined {
    const socket = this.#options.netns.open(address, port, speech);
    if (typeof socket === 'string' || this.#options.origin.pod === undefined) this.#outward = true;
    if (typeof socket === 'string') return socket;
    this.#sockets = this.#sockets.concat(socket);
    return undefined;
  }

  useDisk(bytes: number): void {
    this.#outward = true;
    this.#disk = bytes;
    this.#options.diskChanged();
  }

  useMemory(bytes: number): void {
    const { memoryChanged } = this.#options;
    const memoryLimit = this.#memoryLimit;
    this.#memory = memoryLimit === undefined ? bytes : Math.min(bytes, memoryLimit);
    memoryChanged();
    this.#use({ memory: this.#memory });
    if (memoryLimit !== undefined && bytes > memoryLimit) this.#end(137, true);
  }

  useCpu(cores: number): void {
    this.#outward = true;
    this.#use({ cores });
  }

  *connect(host: string, port: number, timeoutMilliseconds: number, protocol?: string): Routine<Attempt> {
    this.#outward = true;
    const attempt = this.#options.network.reach(this.#options.origin, host, port, protocol);
    yield* this.sleep(costOf(attempt, timeoutMilliseconds));
    return attempt;
  }

  *request(
    host: string,
    port: number,
    path: string,
    timeoutMilliseconds: number,
    protocol?: string,
  ): Routine<Attempt & { readonly response?: Response }> {
    const attempt = yield* this.connect(host, port, timeoutMilliseconds, protocol);
    if (!attempt.ok) return attempt;
    const response = attempt.socket.speech.respond(path, this.#caller);
    yield* this.sleep(Math.min(response.afterMilliseconds, timeoutMilliseconds));
    if (response.afterMilliseconds > timeoutMilliseconds)
      return { ok: false, trouble: 'i/o timeout', ip: attempt.ip, why: 'no answer in time' };
    return { ...attempt, response };
  }

  ask(
    host: string,
    port: number,
    path: string,
    protocol: string,
  ): { readonly milliseconds: number } & ({ readonly response: Response } | { readonly trouble: string }) {
    this.#outward = true;
    const attempt = this.#options.network.reach(this.#options.origin, host, port, protocol);
    const milliseconds = costOf(attempt, ASK_MILLISECONDS);
    if (!attempt.ok) return { milliseconds, trouble: attempt.trouble };
    const response = attempt.socket.speech.respond(path, this.#caller);
    return { milliseconds: milliseconds + response.afterMilliseconds, response };
  }

  quit(code: number): void {
    this.#outward = true;
    this.#later(QUIT_MILLISECONDS, false, () => this.#end(code, false));
  }

  get #caller(): Caller {
    return { ip: this.#options.netns.ip, port: SOURCE_PORT };
  }

  *resolve(name: string): Routine<Resolution> {
    this.#outward = true;
    const resolution = this.#options.network.resolve(this.#options.origin, name);
    yield* this.sleep(!resolution.ok && resolution.trouble === 'timeout' ? DNS_TIMEOUT_MILLISECONDS : 2);
    return resolution;
  }

  *lookUp(name: string, type: string): Routine<readonly string[] | undefined> {
    this.#outward = true;
    const found = this.#options.network.lookUp(this.#options.origin, name, type);
    yield* this.sleep(found === undefined ? DNS_TIMEOUT_MILLISECONDS : 2);
    return found;
  }

  takeSignal(): boolean {
    const signalled = this.#signalled;
    this.#signalled = false;
    return signalled;
  }

  onTerminate(reaction: Reaction): void {
    this.#reaction = reaction;
  }

  #use(change: { readonly cores?: number; readonly memory?: number }): void {
    if (this.usage.set(this.now(), change)) this.#options.usageChanged();
  }

  #later(milliseconds: number, background: boolean, run: () => void): void {
    const task = this.#options.agenda.after(
      milliseconds,
      'container',
      () => {
        this.#tasks = without(this.#tasks, task);
        if (this.#alive) run();
      },
      { background },
    );
    this.#tasks = this.#tasks.concat(task);
  }

  #end(code: number, outOfMemory: boolean): void {
    if (!this.#alive) return;
    this.#alive = false;
    for (const task of this.#tasks) task.cancel();
    for (const socket of this.#sockets) this.#options.netns.close(socket);
    this.#memory = 0;
    this.#options.memoryChanged();
    this.#options.ended(code, outOfMemory);
  }
}

/** Until a program's first line runs. */
export function startupMilliseconds(prng: Prng): number {
  return 2 * prng.between(0.5, 1.5);
}

const DNS_TIMEOUT_MILLISECONDS = 10_000;
/** How long a program waits for another while it is asked itself. */
const ASK_MILLISECONDS = 5000;
/** The answer to who told it to end goes out first. */
const QUIT_MILLISECONDS = 5;
/** Clients come from one of the upper ports; which one tells nobody anything. */
const SOURCE_PORT = 40_000;

/** What the attempt takes: a refusal comes at once, a lost packet costs the whole time-out. */
export function costOf(attempt: Attempt, timeoutMilliseconds: number): number {
  if (attempt.ok || attempt.trouble === 'connection refused') return 1;
  if (attempt.trouble === 'no such host') return 3;
  if (attempt.trouble === 'dns timeout') return Math.min(DNS_TIMEOUT_MILLISECONDS, timeoutMilliseconds);
  return attempt.trouble === 'no route to host' ? Math.min(3000, timeoutMilliseconds) : timeoutMilliseconds;
}
