import { setTimeout as pause } from 'node:timers/promises';
import type { LiveCluster } from '../clusters/live/open-live.ts';
import { resourceNamed } from '../model/resources.ts';
import type { CommandContext } from './context.ts';
import type { SourceOptions } from './options.ts';

/** Somebody waits with a finger on the tab key: what takes longer is not shown. */
const PATIENCE_SECONDS = 1;

type Flags = Pick<SourceOptions, 'namespace' | 'context' | 'cluster' | 'user' | 'kubeconfig' | 'as'>;

/** Names of the cluster's namespaces; none when they cannot be had quickly. */
export function namespaceNames(flags: Flags, context: CommandContext): Promise<readonly string[]> {
  return quickly(flags, context, (cluster) => names(cluster, 'Namespace', {}));
}

/** Names of the pods of the namespace, or for `deploy/we` of the Deployments, with what stands before the slash. */
export function targetNames(flags: Flags, typed: string, context: CommandContext): Promise<readonly string[]> {
  const slash = typed.indexOf('/');
  const kind = slash < 0 ? 'Pod' : resourceNamed(typed.slice(0, slash))?.kind;
  if (kind === undefined) return Promise.resolve([]);
  const lead = slash < 0 ? '' : typed.slice(0, slash + 1);
  return quickly(flags, context, async (cluster) =>
    (await names(cluster, kind, { namespace: cluster.config.namespace })).map((name) => lead + name),
  );
}

/** Names of the kubeconfig's contexts. */
export async function contextNames(flags: Flags, context: CommandContext): Promise<readonly string[]> {
  try {
    const { loadKubeconfig } = await import('../clusters/live/kubeconfig/kubeconfig-files.ts');
    const config = await loadKubeconfig(flags.kubeconfig, {
      env: context.env,
      homeFolder: context.homeFolder,
      workingFolder: context.workingFolder,
    });
    return [...config.contexts.keys()];
  } catch {
    return [];
  }
}

async function names({ reader }: LiveCluster, kind: string, scope: { readonly namespace?: string }): Promise<readonly string[]> {
  const list = await reader.list(kind, scope);
  return list.ok ? list.value.map(({ metadata }) => metadata.name) : [];
}

/** Silence is the answer to every trouble: a completion has nowhere to complain. */
async function quickly(
  flags: Flags,
  context: CommandContext,
  read: (cluster: LiveCluster) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let cluster: LiveCluster | undefined;
  try {
    const { openLive } = await import('../clusters/live/open-live.ts');
    cluster = await openLive({
      ...flags,
      around: { env: context.env, homeFolder: context.homeFolder, workingFolder: context.workingFolder },
      clock: context.clock,
      signal: context.signal,
      interactive: false,
      limits: { connectSeconds: PATIENCE_SECONDS, totalSeconds: PATIENCE_SECONDS, idleSeconds: PATIENCE_SECONDS, retries: 0 },
    });
    return await Promise.race([read(cluster), pause(PATIENCE_SECONDS * 1000, [], { ref: false })]);
  } catch {
    return [];
  } finally {
    cluster?.close();
  }
}
