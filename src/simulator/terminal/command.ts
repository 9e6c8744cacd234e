import type { JsonObject } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Credential } from '../apiserver/request.ts';

/**
 * What a person types into a terminal beside the cluster, as data, so that it can stand in a saved state. It is answered in
 * kubectl's words, and what was said is kept as a client's answer for whoever looks at the cluster.
 */
export type TerminalCommand = CommandFrame &
  (
    | { readonly command: 'apply'; readonly manifest: Manifest; readonly namespace?: string; readonly create?: boolean }
    /** kubectl waits until what it deleted is gone, unless `wait` is false. */
    | {
        readonly command: 'delete';
        readonly objects: readonly ObjectRef[];
        readonly cascade?: Cascade;
        readonly graceSeconds?: number;
        readonly force?: boolean;
        readonly wait?: boolean;
      }
    /**
     * A token of an account, kept in the terminal: `identity` may name the account from then on. At least 600 seconds, as the API demands.
     */
    | { readonly command: 'token'; readonly namespace: string; readonly account: string; readonly seconds?: number }
    /** With --ignore-daemonsets and --delete-emptydir-data unless it says otherwise, and without a time-out (0) unless it names one. */
    | {
        readonly command: 'drain';
        readonly node: string;
        readonly ignoreDaemonSets?: boolean;
        readonly deleteEmptyDirData?: boolean;
        readonly force?: boolean;
        readonly timeoutSeconds?: number;
      }
    | { readonly command: 'cordon' | 'uncordon'; readonly node: string }
    | { readonly command: 'exec'; readonly pod: ObjectRef; readonly argv: readonly string[] }
    /** `systemctl status`, on the node itself. */
    | { readonly command: 'service-status'; readonly node: string; readonly service: string }
  );

export interface CommandFrame {
  /** The administrator when not given. */
  readonly identity?: Identity;
  readonly kubeconfig?: Kubeconfig;
}

export type Identity =
  | { readonly kind: 'credential'; readonly credential: Credential }
  /** With the token the terminal has of it. */
  | { readonly kind: 'account'; readonly namespace: string; readonly account: string };

/** A kubeconfig as kubectl is given it. Without content it is a good one of this cluster, unless it is missing. */
export interface Kubeconfig {
  /** `--kubeconfig`. */
  readonly file: string;
  /** `--context`. */
  readonly context?: string;
  readonly missing?: boolean;
  /** YAML or JSON, good or bad. */
  readonly content?: string;
}

/** A manifest by its documents, or by its text as it stands in the file; with neither there is no such file. */
export interface Manifest {
  readonly file: string;
  readonly documents?: readonly JsonObject[];
  readonly text?: string;
}

export type Cascade = 'background' | 'foreground' | 'orphan';

/** What was printed, and the exit code. */
export interface CommandAnswer {
  readonly output: string;
  readonly exitCode: number;
}
