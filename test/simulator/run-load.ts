import { LOADS } from './loads.ts';

/**
 * What a load took: seconds by the clock, which whatever else the machine does makes more; seconds of the processor, which it does not, but
 * which count what V8 does beside; megabytes at most.
 */
export interface LoadRun {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly megabytes: number;
  readonly result: number;
  readonly expected: number;
}

/** Plays a load of this name in this process, whose memory is taken for the load's. */
export function runLoad(name: string | undefined): LoadRun {
  const load = LOADS.find((known) => known.name === name);
  if (load === undefined) throw new Error(`no load is called ${name ?? ''}`);
  const cluster = load.prepare();
  const [before, start] = [process.cpuUsage(), performance.now()];
  const result = load.play(cluster);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return {
    seconds,
    processorSeconds: (user + system) / 1_000_000,
    megabytes: process.resourceUsage().maxRSS / 1024,
    result,
    expected: load.expected,
  };
}
