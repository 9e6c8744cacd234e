import { asList } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { ApiRequest, Cluster, Failure, Success } from '../../simulator/index.ts';
import type { CommandLine } from './command-line.ts';

/** What a command printed, and its exit code. */
export interface CommandAnswer {
  readonly output: string;
  readonly code: number;
  /** A text to be edited first: the same command is run once more, with what became of it. */
  readonly edit?: { readonly name: string; readonly text: string };
}

/** What a command of kubectl has at hand. */
export interface Kubectl {
  readonly cluster: Cluster;
  /** Sends a request as the administrator; it is answered at once. */
  readonly send: (request: Omit<ApiRequest, 'credential'>) => Success | Failure;
  /** Tells of a request that was sent for this command in another way. */
  readonly sent: (request: Omit<ApiRequest, 'credential'>, code: number) => void;
  /** Lets time pass until it is so, at most so many milliseconds; whether it came to be so. */
  readonly passUntil: (done: () => boolean, milliseconds: number) => boolean;
  /** What was typed into the editor; undefined when nothing was. */
  readonly text: string | undefined;
}

/** A command of kubectl with its flags. */
export interface Call extends CommandLine {
  readonly kube: Kubectl;
  /** `-n`, or `default`. */
  readonly namespace: string;
}

export function said(output: string, code = 0): CommandAnswer {
  return { output, code };
}

export function failed(output: string): CommandAnswer {
  return { output, code: 1 };
}

/** The objects of a list. */
export function itemsOf(list: KubeObject): readonly KubeObject[] {
  return asList(list['items']) as readonly KubeObject[];
}
