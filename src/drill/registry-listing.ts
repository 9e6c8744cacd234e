import type { Cluster } from '../simulator/index.ts';
import type { TraineeFile } from './trainee-files.ts';

/** A repository that takes any tag lists none. */
const ANY_TAG = '*';

/**
 * The tags of the drill's registries, which kubectl cannot show: a wrong tag can only be corrected by whoever sees the right ones.
 * Undefined where nothing is said of any registry: then every image is there.
 */
export function registryListing({ world }: Cluster): TraineeFile | undefined {
  const repositories = world.datacenter.registries
    .all()
    .flatMap(([host, { repositories: listed = {} }]) =>
      Object.entries(listed).map(([name, { tags }]) => ({ name: `${host}/${name}`, tags })),
    );
  if (repositories.length === 0) return undefined;
  const lines = repositories
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, tags }) => [name, ...Object.keys(tags).map((tag) => `  ${tag === ANY_TAG ? '(any tag)' : tag}`)]);
  return {
    path: 'registry.txt',
    content: { text: `${lines.join('\n')}\n` },
    about: 'the repositories of the image registries, and their tags',
  };
}
