import type { AdmissionSurroundings } from '../admission/admission.ts';
import type { Call } from '../server-state.ts';

export function clusterViewOf(call: Call): AdmissionSurroundings {
  const { state, warnings } = call;
  return {
    store: state.store,
    now: state.now(),
    prng: state.prng,
    world: state.world,
    authorizer: state.authorizer,
    warn: (text) => void warnings.push(text),
  };
}
