/** Does what a fault says to a part; words of what is wrong with the fault, or undefined. */
export type HostHandler = (what: string, given: Readonly<Record<string, unknown>>) => string | undefined;
