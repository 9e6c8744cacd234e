import type { OutputOptions, SourceOptions } from '../options.ts';

export interface CertExpiryOptions extends SourceOptions, OutputOptions {
  readonly allContexts?: boolean;
  /** Files and folders of a node. */
  readonly dir?: readonly string[];
  readonly secrets?: boolean;
  readonly probe?: boolean;
  /** How far ahead what ends is told. */
  readonly within?: string;
  /** Print what runs this in the cluster instead. */
  readonly manifest?: boolean;
  /** podcheck's own, for the image's tag. */
  readonly version?: string;
}
