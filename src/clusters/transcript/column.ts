/** A title and where it begins. */
export interface Column {
  readonly title: string;
  readonly start: number;
  /** Its number, where tabs stand between the columns: then a cell may be empty. */
  readonly tab?: number;
}
