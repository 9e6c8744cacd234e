import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AttackCase, AttackResult } from './attack-case.ts';
import { broken } from './invariants.ts';
import type { Order } from './worker.ts';

/** A case that is not over by then hangs. */
const HANGS_MILLISECONDS = 90_000;
/** Of JavaScript objects in the worker: more than a diagnosis of a large cluster takes. */
const HEAP_MEGABYTES = 1024;

/** What a case came to: what it breaks, in words, and whether it was refused as bad input. */
export interface Outcome {
  readonly fell: readonly string[];
  readonly refused: boolean;
  /** The command line with its answer. */
  readonly said: string;
}

/** Runs cases one after the other in a thread, which is begun again when it hangs or dies. */
export class Runner {
  readonly #script: URL;
  #worker: Worker | undefined;

  constructor(script: URL) {
    this.#script = script;
  }

  async run(attack: AttackCase): Promise<Outcome> {
    const folder = mkdtempSync(join(tmpdir(), 'podcheck-attack-'));
    const outcome = { fell: [] as string[], refused: true, said: '' };
    try {
      for (const order of ordered(attack, folder)) {
        const result = await this.#performed(order);
        outcome.fell.push(...(typeof result === 'string' ? [result] : broken(order.argv, attack.secrets ?? [], result, folder)));
        if (typeof result === 'string') break;
        outcome.refused &&= result.code === 2;
        outcome.said += `podcheck ${order.argv.join(' ')}: exit code ${String(result.code)}\n${result.out}${result.err}`;
      }
      return outcome;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #performed(order: Order): Promise<AttackResult | string> {
    const worker = (this.#worker ??= new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
      stdout: true,
      stderr: true,
    }));
    return new Promise((resolve) => {
      const over = (result: AttackResult | string): void => {
        clearTimeout(timer);
        worker.off('message', over).off('error', died).off('exit', ended);
        if (typeof result !== 'string') return resolve(result);
        this.#worker = undefined;
        void worker.terminate().then(() => resolve(result));
      };
      const died = (error: Error): void => over(`it dies: ${error.stack ?? String(error)}`);
      const ended = (code: number): void => over(`it ends the process with ${String(code)}`);
      const timer = setTimeout(() => over(`it hangs: no answer after ${String(HANGS_MILLISECONDS / 1000)} s`), HANGS_MILLISECONDS);
      worker.once('message', over).once('error', died).once('exit', ended);
      worker.postMessage(order, []);
    });
  }
}

function ordered({ commands, files = {}, stdin = '' }: AttackCase, folder: string): readonly Order[] {
  const placed = (text: string): string => text.replaceAll('{dir}', () => folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? placed(content) : content);
  }
  const env = {
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'state'),
    KUBECONFIG: join(folder, 'no-kubeconfig'),
    PATH: process.env['PATH'] ?? '',
  };
  return commands.map((argv) => ({ argv: argv.map(placed), stdin: typeof stdin === 'string' ? placed(stdin) : stdin, env }));
}
