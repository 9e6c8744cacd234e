/** How Go begins an error of a request: the verb and where it went. Source: net/url/url.go (Error). */
const REQUEST = /\b(?:Get|Post|Put|Patch|Delete|Head) "?https?:\/\/[^\s"/]{1,260}(\/[^\s"]{0,2000})?"?: /;
/**
 * What clients of a cluster ask its API server for, also behind Rancher. Programs have paths that begin with `/api/v1` as well. Source:
 * apiserver/pkg/server/routes, core/v1.
 */
const OF_CLUSTER =
  /^(?:\/k8s\/clusters\/[^/]{1,100})?\/(?:api(?:\/v1)?(?:\?|$)|api\/v1\/(?:namespaces|nodes|pods|services|events|endpoints|configmaps|secrets|persistentvolume|replicationcontrollers|resourcequotas|limitranges|watch)|apis(?:[/?]|$)|openapi\/|version(?:\?|$)|healthz|livez|readyz)/;
/** What container runtimes ask registries for, and what the API server asks webhooks. */
const OF_COMPONENTS = /^\/v[12](?:[/?]|$)|[?&]timeout=\d/;

/** Whether a line tells of a request that went to another server than that of the cluster, and who may have sent it. */
export function otherServer(text: string): 'of a program' | 'of a component' | undefined {
  const request = REQUEST.exec(text.slice(0, 4000));
  if (request === null) return undefined;
  const path = request[1] ?? '/';
  return OF_CLUSTER.test(path) ? undefined : OF_COMPONENTS.test(path) ? 'of a component' : 'of a program';
}
