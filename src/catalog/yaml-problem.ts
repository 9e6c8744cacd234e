/** What is wrong with a file of the catalog, and where: `line` counts from 1, `field` is the path to it. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  readonly message: string;
}
