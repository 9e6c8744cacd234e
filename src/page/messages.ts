import type { Picture } from './picture.ts';
import type { YamlTrouble } from './yaml-trouble.ts';

/** What the page asks of the Worker. */
export type Asked =
  | { readonly do: 'open'; readonly id: string; readonly seed: number | string; readonly drill: boolean }
  | { readonly do: 'link'; readonly link: string }
  | { readonly do: 'line'; readonly line: string; readonly text?: string }
  /** A command with what stands in the editor: it is read first. */
  | { readonly do: 'save'; readonly line: string; readonly text: string }
  | { readonly do: 'complete'; readonly line: string }
  /** Virtual seconds per second; 0 pauses. */
  | { readonly do: 'speed'; readonly speed: number }
  | { readonly do: 'share' }
  | { readonly do: 'step' }
  | { readonly do: 'finish' }
  /** Back to so many milliseconds after the start. */
  | { readonly do: 'back'; readonly to: number };

/** What the Worker tells the page. */
export type Told =
  | { readonly tell: 'ready'; readonly choices: readonly Choice[] }
  | {
      readonly tell: 'opened';
      readonly id: string;
      readonly seed: number | string;
      readonly drill: boolean;
      readonly title: string;
      readonly intro: string;
    }
  | {
      readonly tell: 'answer';
      readonly line: string;
      readonly output: string;
      readonly code: number;
      readonly edit?: { readonly name: string; readonly text: string };
    }
  | ({ readonly tell: 'broken' } & YamlTrouble)
  | { readonly tell: 'saved' }
  | { readonly tell: 'completions'; readonly line: string; readonly words: readonly string[] }
  | { readonly tell: 'picture'; readonly picture: Picture; readonly speed: number }
  | { readonly tell: 'link'; readonly link: string }
  | { readonly tell: 'trouble'; readonly says: string };

/** A line of the list. */
export interface Choice {
  readonly id: string;
  readonly title: string;
  readonly drill: boolean;
}
