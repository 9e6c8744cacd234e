import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Scenario } from '../../src/model/scenario.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import type { FaultyProxy } from './faulty-proxy.ts';
import { faultyProxy } from './faulty-proxy.ts';
import { played } from './scenario-runs.ts';
import type { WireRead } from './wire-faults.ts';
import { readOf, WIRE_FAULTS } from './wire-faults.ts';

/** Which form of fault a read meets, if any. */
export type Faults = (read: WireRead) => string | undefined;

/** A scenario, played and served, behind a proxy. */
export interface ServedScenario {
  readonly scenario: Scenario;
  readonly serving: Serving;
  readonly proxy: FaultyProxy;
  readonly kubeconfig: string;
  /** What reads meet from now on, by the user agent that makes them; and for all others under `''`. */
  readonly faults: Map<string, Faults>;
}

export async function servedScenario(scenario: Scenario): Promise<ServedScenario> {
  // Hardly any time passes: what is seen stays as it is.
  const serving = await startServing({ cluster: played(scenario), speed: 0.0001 });
  const forms = new Map(Object.entries(WIRE_FAULTS));
  const faults = new Map<string, Faults>();
  const proxy = await faultyProxy(serving.kubeconfig, (request) =>
    forms.get((faults.get(request.userAgent) ?? faults.get(''))?.(readOf(request)) ?? '')?.(request),
  );
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'podcheck-')), 'config');
  writeFileSync(kubeconfig, proxy.kubeconfig);
  return { scenario, serving, proxy, kubeconfig, faults };
}

export async function closeServed({ proxy, serving, kubeconfig }: ServedScenario): Promise<void> {
  rmSync(dirname(kubeconfig), { recursive: true });
  await proxy.close();
  await serving.close();
}

export function keyOf({ verb, kind }: WireRead): string {
  return `${verb} ${kind}`;
}
