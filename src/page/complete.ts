import type { Cluster } from '../simulator/index.ts';
import { resourceOf } from './kubectl/named-objects.ts';
import { VERB_NAMES } from './kubectl/kubectl.ts';

/** What the last word of a line may become, in order. */
export function completions(line: string, cluster: Cluster): readonly string[] {
  const words = line.split(/\s+/);
  const last = words.at(-1) ?? '';
  return [...new Set(candidates(words, cluster))]
    .filter((word) => word.startsWith(last) && word !== last)
    .toSorted()
    .slice(0, 60);
}

function candidates(words: readonly string[], cluster: Cluster): readonly string[] {
  const [program = '', verb = ''] = words;
  const before = words.at(-2) ?? '';
  if (words.length === 1) return ['kubectl', 'podcheck', 'help', 'sleep', 'clear'];
  if (before === '-n' || before === '--namespace') return cluster.store.list('namespaces').map(({ metadata }) => metadata.name);
  if (program === 'podcheck') return words.length === 2 ? ['diagnose', 'scan', 'drill'] : ofPodcheck(verb, words, cluster);
  return words.length === 2 ? VERB_NAMES : ofKubectl(verb, words, cluster);
}

function ofPodcheck(verb: string, words: readonly string[], cluster: Cluster): readonly string[] {
  return verb === 'drill' ? ['answer', 'check', 'hint', 'status', 'give-up'] : namesOf('', words, cluster);
}

function ofKubectl(verb: string, words: readonly string[], cluster: Cluster): readonly string[] {
  if (verb === 'rollout' && words.length === 3) return ['status', 'history', 'undo', 'restart', 'pause', 'resume'];
  const kind = verb === 'logs' || verb === 'exec' ? 'pods' : (words.slice(2, -1).find((word) => !word.startsWith('-')) ?? '');
  if (resourceOf(kind, cluster.server.resources) !== undefined) return namesOf(kind, words, cluster);
  return [...cluster.server.resources.all().map(({ plural }) => plural), ...namesOf('', words, cluster)];
}

/** Names of a kind; without one, workloads and pods as KIND/NAME. */
function namesOf(kind: string, words: readonly string[], cluster: Cluster): readonly string[] {
  const at = words.findIndex((word) => word === '-n' || word === '--namespace');
  const namespace = at < 0 ? 'default' : (words[at + 1] ?? 'default');
  return (kind === '' ? ['pods', 'deployments', 'statefulsets', 'daemonsets', 'jobs', 'services'] : [kind]).flatMap((word) => {
    const resource = resourceOf(word, cluster.server.resources);
    if (resource === undefined) return [];
    const objects = cluster.store.list(resource.key).filter(({ metadata }) => !resource.namespaced || metadata.namespace === namespace);
    return objects.map(({ metadata }) => (kind === '' ? `${resource.singular}/${metadata.name}` : metadata.name));
  });
}
