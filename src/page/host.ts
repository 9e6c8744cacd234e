import { parseDuration } from '../base/duration.ts';
import { reasonOf } from '../base/errors.ts';
import { DrillSession } from '../drill/session.ts';
import { drillOfScenario } from '../drill/drill-of-scenario.ts';
import { statusText } from '../drill/session-text.ts';
import type { Drill } from '../model/drill.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import type { Scenario } from '../model/scenario.ts';
import type { Look } from '../report/format/text-style.ts';
import { stepWords } from '../report/simulation/scenario-text.ts';
import { completions } from './complete.ts';
import { runLine } from './console.ts';
import type { CommandAnswer, Kubectl } from './kubectl/call.ts';
import { failed, said } from './kubectl/call.ts';
import { linkOf, readLink } from './link.ts';
import type { Asked, Told } from './messages.ts';
import { dotsOf } from './picture.ts';
import type { Given } from './play.ts';
import { Play } from './play.ts';
import { yamlTrouble } from './yaml-trouble.ts';

export interface HostSource {
  readonly rules: readonly Rule[];
  readonly scenarios: readonly Scenario[];
  readonly drills: readonly Drill[];
  readonly version: string;
  readonly look: Look;
  readonly tell: (told: Told) => void;
  /** Milliseconds of the wall. */
  readonly clock: () => number;
}

interface Opened {
  readonly id: string;
  readonly seed: number | string;
  readonly scenario: Scenario;
  readonly drill: Drill | undefined;
}

/** What runs in the Worker: one play at a time, and all that the page asks of it, one after the other. */
export class Host {
  readonly #source: HostSource;
  #opened: Opened | undefined;
  #play: Play | undefined;
  #session: DrillSession | undefined;
  /** Milliseconds after the start at which a drill begins: nobody goes back behind it. */
  #begun = 0;
  #speed = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(source: HostSource) {
    this.#source = source;
  }

  /** Answers when what was asked before is answered. */
  ask(asked: Asked): Promise<void> {
    this.#queue = this.#queue
      .then(() => this.#answer(asked))
      .catch((error: unknown) =>
        this.#source.tell({ tell: 'trouble', says: `This failed, and that is a bug in podcheck: ${reasonOf(error)}` }),
      );
    return this.#queue;
  }

  /** Lets time pass as long as the wall did, times the speed; as far as it gets in half the time of a picture. */
  tick(milliseconds: number): void {
    const play = this.#play;
    if (play === undefined || this.#speed === 0) return;
    const [end, until] = [play.elapsed + milliseconds * this.#speed, this.#source.clock() + BUDGET_MILLISECONDS];
    while (play.elapsed < end && this.#source.clock() < until) play.advanceTo(Math.min(end, play.elapsed + milliseconds));
    this.#show();
  }

  async #answer(asked: Asked): Promise<void> {
    switch (asked.do) {
      case 'open':
        return this.#open(asked.id, asked.seed, asked.drill);
      case 'link':
        return this.#openLink(asked.link);
      case 'share':
        return this.#share();
      case 'speed':
        this.#speed = asked.speed;
        return this.#show();
      default:
        return this.#inPlay(asked);
    }
  }

  async #inPlay(asked: InPlay): Promise<void> {
    const play = this.#play;
    if (play === undefined) return;
    switch (asked.do) {
      case 'line':
        this.#told(asked.line, await play.run(asked.line, asked.text, (line, kube) => this.#perform(line, kube)));
        break;
      case 'save': {
        const trouble = yamlTrouble(asked.text);
        if (trouble !== undefined) return this.#source.tell({ tell: 'broken', ...trouble });
        this.#source.tell({ tell: 'saved' });
        this.#told(asked.line, await play.run(asked.line, asked.text, (line, kube) => this.#perform(line, kube)));
        break;
      }
      case 'complete':
        this.#source.tell({ tell: 'completions', line: asked.line, words: completions(asked.line, play.cluster) });
        return;
      case 'step':
        play.step();
        break;
      case 'finish':
        play.finish();
        break;
      case 'back':
        await this.#begin(Math.max(this.#begun, asked.to), play.given);
    }
    this.#show();
  }

  #perform(line: string, kube: Kubectl): CommandAnswer | Promise<CommandAnswer> {
    const [word, duration = ''] = line.trim().split(/\s+/);
    if (word !== 'sleep') return runLine(line, kube, { rules: this.#source.rules, look: this.#source.look, drill: this.#session });
    const seconds = parseDuration(duration);
    if (seconds === undefined || seconds <= 0 || seconds > MOST_SECONDS)
      return failed('error: sleep 30s, sleep 10m, sleep 1h; at most 30d');
    this.#play?.sleep(seconds * 1000);
    return said('');
  }

  #told(line: string, { output, code, edit }: CommandAnswer): void {
    this.#source.tell({ tell: 'answer', line, output: output.replace(/\n$/, ''), code, ...(edit === undefined ? {} : { edit }) });
  }

  async #open(id: string, seed: number | string, asDrill: boolean): Promise<void> {
    const written = this.#source.drills.find((drill) => drill.id === id);
    const scenario = written?.scenario ?? this.#source.scenarios.find((one) => one.id === id);
    if (scenario === undefined) return this.#source.tell({ tell: 'trouble', says: `There is no scenario "${id}".` });
    const drill = written ?? (asDrill ? drillOfScenario(scenario) : undefined);
    if (asDrill && drill === undefined)
      this.#source.tell({ tell: 'trouble', says: `${id} cannot be a drill: it is opened as a scenario.` });
    this.#opened = { id, seed, scenario, drill };
    this.#begun = 0;
    await this.#begin(0, []);
    this.#tellOpened();
    this.#show();
  }

  async #begin(to: number, given: readonly Given[]): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    const play = new Play({ scenario: opened.scenario, seed: opened.seed, audit: (entry) => this.#session?.observe(entry) });
    this.#play = play;
    this.#session = undefined;
    if (opened.drill !== undefined) {
      play.finish();
      this.#begun = play.elapsed;
      this.#session = await DrillSession.open({
        run: 'page',
        trainee: 'you',
        drill: opened.drill,
        cluster: play.cluster,
        rules: this.#source.rules,
        wall: play.cluster.now(),
        broke: [],
      });
    }
    await play.replay(
      given.filter(({ at }) => at <= to),
      (line, kube) => this.#perform(line, kube),
      () => undefined,
    );
    play.advanceTo(to);
  }

  #tellOpened(): void {
    const [opened, play] = [this.#opened, this.#play];
    if (opened === undefined || play === undefined) return;
    const { id, seed, scenario, drill } = opened;
    const target = scenario.expect?.target;
    const intro =
      this.#session === undefined
        ? [
            scenario.title,
            ...scenario.steps.map(stepWords),
            ...(target === undefined ? [] : [`Ask: podcheck diagnose ${formatRef(target)}`]),
          ].join('\n')
        : statusText(this.#session.status(play.cluster.now()), this.#source.look);
    this.#source.tell({
      tell: 'opened',
      id,
      seed,
      drill: drill !== undefined,
      title: drill === undefined ? scenario.title : 'Drill',
      intro,
    });
  }

  async #openLink(link: string): Promise<void> {
    const shared = await readLink(link, this.#source.version);
    if ('trouble' in shared) return this.#source.tell({ tell: 'trouble', says: shared.trouble });
    await this.#open(shared.scenario, shared.seed, shared.drill);
    if (this.#opened?.id !== shared.scenario) return;
    await this.#begin(0, []);
    await this.#play?.replay(
      shared.given,
      (line, kube) => this.#perform(line, kube),
      ({ line }, answer) => this.#told(line, answer),
    );
    this.#play?.advanceTo(shared.at);
    this.#show();
  }

  async #share(): Promise<void> {
    const [opened, play] = [this.#opened, this.#play];
    if (opened === undefined || play === undefined) return;
    const { id, seed, drill } = opened;
    const link = await linkOf(
      { scenario: id, seed, drill: drill !== undefined, at: play.elapsed, given: play.given },
      this.#source.version,
    );
    if (link !== undefined) this.#source.tell({ tell: 'link', link });
    else this.#source.tell({ tell: 'trouble', says: 'This is too much for a link of 2 kB: use fewer or shorter commands and manifests.' });
  }

  #show(): void {
    const play = this.#play;
    if (play === undefined) return;
    const { cluster, elapsed, isPlayed } = play;
    this.#source.tell({ tell: 'picture', picture: { ...dotsOf(cluster), now: cluster.now(), elapsed, isPlayed }, speed: this.#speed });
  }
}

type InPlay = Exclude<Asked, { readonly do: 'open' | 'link' | 'share' | 'speed' }>;

const BUDGET_MILLISECONDS = 10;
const MOST_SECONDS = 30 * 86_400;
