import { LOADS } from './loads.ts';

/** What a load took: seconds of the processor, so that whatever else the machine does counts little, and megabytes at most. */
export interface LoadRun {
  readonly seconds: number;
  readonly megabytes: number;
  readonly result: number;
  readonly expected: number;
}

/** Plays a load of this name in this process, whose memory is taken for the load's. */
export function runLoad(name: string | undefined): LoadRun {
  const load = LOADS.find((known) => known.name === name);
  if (load === undefined) throw new Error(`no load is called ${name ?? ''}`);
  const cluster = load.prepare();
  const before = process.cpuUsage();
  const result = load.play(cluster);
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1_000_000, megabytes: process.resourceUsage().maxRSS / 1024, result, expected: load.expected };
}
