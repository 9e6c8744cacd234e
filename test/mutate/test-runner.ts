import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import type { Answered, Asked, Recorded } from './session.ts';

/** What came of a run of tests; `failed` has the name of the first test that did, `milliseconds` the processor time. */
export interface Ran {
  readonly ended: 'passed' | 'failed' | 'timeout';
  readonly failed?: string;
  readonly milliseconds: number;
  readonly recorded?: readonly Recorded[];
}

/** Starting vitest and reading the first files takes long on a busy machine. */
const START_MILLISECONDS = 120_000;
/** A process that has no processor time left ends itself. One that waits for ever is ended; a busy machine gives a process a tenth of it. */
const CLOCK_SHARE = 30;

/** Runs tests in a process of its own, which is ended and started again when it takes too long. */
export class TestRunner {
  readonly #session: URL;
  readonly #folder: string;
  readonly #situations: string;
  #child: ChildProcess | undefined;

  /** The tests keep in the file `situations` what they read of scenarios. */
  constructor(session: URL, folder: string, situations: string) {
    this.#session = session;
    this.#folder = folder;
    this.#situations = situations;
  }

  async run(asked: Omit<Asked, 'limitMilliseconds'>, limitMilliseconds: number): Promise<Ran> {
    const child = this.#child ?? (await this.#start());
    child.send({ ...asked, limitMilliseconds } satisfies Asked);
    const answer = await answerOf(child, limitMilliseconds * CLOCK_SHARE);
    if (answer === undefined) {
      await this.end();
      return { ended: 'timeout', milliseconds: limitMilliseconds };
    }
    const { milliseconds } = answer;
    const [failed] = answer.failed;
    return failed === undefined
      ? { ended: 'passed', milliseconds, recorded: answer.recorded ?? [] }
      : { ended: 'failed', failed, milliseconds };
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(this.#session, {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, NODE_ENV: 'test', VITEST: 'true', PODCHECK_TEST_SITUATIONS: this.#situations },
    });
    this.#child = child;
    if ((await answerOf(child, START_MILLISECONDS)) === undefined) throw new Error(`vitest did not start in ${this.#folder}`);
    return child;
  }
}

/** Undefined when the time is up, or when the process ended by itself. */
function answerOf(child: ChildProcess, limitMilliseconds: number): Promise<Answered | undefined> {
  return new Promise((resolve) => {
    const done = (answer: Answered | undefined): void => {
      clearTimeout(timer);
      child.removeListener('message', onMessage);
      child.removeListener('exit', onExit);
      resolve(answer);
    };
    const onMessage = (message: unknown): void => done(message as Answered);
    const onExit = (): void => done(undefined);
    const timer = setTimeout(() => done(undefined), limitMilliseconds);
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}
