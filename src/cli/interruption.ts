const holders = new Set<symbol>();

/** Lets the first Ctrl-C only raise the signal, until the function that is given back is called. */
export function holdInterruption(): () => void {
  const holder = Symbol('holder');
  holders.add(holder);
  return () => void holders.delete(holder);
}

export function isInterruptionHeld(): boolean {
  return holders.size > 0;
}
