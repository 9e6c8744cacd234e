import type { ScenarioClient, ScenarioIdentity } from '../../model/scenario.ts';
import type { Credential } from '../apiserver/request.ts';
import { ANONYMOUS } from '../apiserver/request.ts';
import type { Cluster } from '../cluster.ts';
import type { CommandFrame, Identity } from '../terminal/command.ts';

/** Who gives a step's command, as the terminal takes it. */
export function clientOf({ as, kubeconfig }: ScenarioClient, cluster: Cluster): CommandFrame {
  return { ...(as === undefined ? {} : { identity: identityOf(as, cluster) }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

function identityOf(as: ScenarioIdentity, cluster: Cluster): Identity {
  switch (as.kind) {
    case 'user':
      return { kind: 'credential', credential: userCredential(as, cluster) };
    case 'token':
      return { kind: 'credential', credential: { kind: 'token', token: as.token } };
    case 'account':
      return { kind: 'account', namespace: as.account.namespace, account: as.account.name };
    case 'anonymous':
      return { kind: 'credential', credential: ANONYMOUS };
  }
}

function userCredential({ name, groups, certificate }: ScenarioIdentity & { readonly kind: 'user' }, cluster: Cluster): Credential {
  const given = cluster.userCredential(name, groups);
  if (certificate === undefined || given.kind !== 'certificate') return given;
  const { beginsInSeconds, endsInSeconds, issuer } = certificate;
  const now = cluster.now();
  return {
    kind: 'certificate',
    certificate: {
      ...given.certificate,
      ...(beginsInSeconds === undefined ? {} : { notBefore: now + beginsInSeconds * 1000 }),
      ...(endsInSeconds === undefined ? {} : { notAfter: now + endsInSeconds * 1000 }),
      ...(issuer === undefined ? {} : { issuer }),
    },
  };
}
