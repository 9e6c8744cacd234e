import type { DrillSession } from '../../src/drill/session.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import type { Drill } from '../../src/model/drill.ts';
import type { ScenarioStep } from '../../src/model/scenario.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { ANONYMOUS, doStep } from '../../src/simulator/index.ts';
import { applyDocument } from '../../src/simulator/terminal/kubectl.ts';
import { withAuthorities } from '../../src/simulator/scenario/authorities.ts';

export const TRAINEE = 'anna';

/** Does what a drill's cure does, as a trainee with kubectl would: by requests, of which no terminal beside the cluster knows. */
export function mend({ scenario }: Drill, cluster: Cluster, session: DrillSession): void {
  for (const step of scenario.cure) {
    if (step.do === 'apply') applyAll(step, cluster);
    else if (step.do !== 'fault' && step.do !== 'look' && step.do !== 'drain')
      doStep(cluster, { ...step, atMilliseconds: undefined }, cluster.now());
    cluster.advance(1000);
    session.observe(request(cluster, { verb: 'update' }));
  }
}

export function request(cluster: Cluster, fields: Partial<AuditEntry>): AuditEntry {
  return {
    at: cluster.now(),
    wall: 0,
    user: TRAINEE,
    userAgent: 'kubectl',
    verb: 'get',
    resource: 'configmaps',
    namespace: 'shop',
    name: 'web-settings',
    path: '/',
    code: 200,
    ...fields,
  };
}

function applyAll({ documents, namespace, create, place }: ScenarioStep & { readonly do: 'apply' }, cluster: Cluster): void {
  for (const document of documents) {
    cluster.advance(1000);
    const { did, output } = applyDocument(withAuthorities(document, cluster.world.certificates, place), {
      resources: cluster.server.resources,
      credential: ANONYMOUS,
      namespace,
      create,
      file: 'manifest.yaml',
      dryRun: false,
      server: 'https://shop.example',
      send: ({ credential: _credential, ...rest }) => cluster.request(rest),
    });
    if (did === 'refused') throw new Error(output);
  }
}
