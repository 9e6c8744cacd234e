/** How Go begins an error of a request: the verb and where it went. Source: net/url/url.go (Error). */
const REQUEST = /\b(?:Get|Post|Put|Patch|Delete|Head) "?https?:\/\/[^\s"/]{1,260}(\/[^\s"]{0,2000})?"?: /;
/**
 * What clients of a cluster ask its API server for, also behind Rancher. Programs have paths that begin with `/api/v1` as well. Source:
 * apiserver/pkg/server/routes, core/v1.
 */
const OF_CLUSTER =
  /^(?:\/k8s\/clusters\/[^/]{1,100})?\/(?:api(?:\/v1)?(?:\?|$)|api\/v1\/(?:namespaces|nodes|pods|services|events|endpoints|configmaps|secrets|persistentvolume|replicationcontrollers|resourcequotas|limitranges|watch)|apis(?:[/?]|$)|openapi\/|version(?:\?|$)|healthz|livez|readyz)/;
/** What container runtimes ask registries for, and what the API server asks webhooks. */
const OF_COMPONENTS = /^\/v2(?:[/?]|$)|^\/v1\/?(?:$|_ping|repositories\b|images\b|search\b|users\b)|[?&]timeout=\d/;

/**
 * Clients speak HTTP with the API server: who speaks gRPC calls a program, also when it is the API server itself that calls etcd. And a
 * server tells of clients that it did not accept. Source: google.golang.org/grpc internal/transport, go.etcd.io/etcd server/embed.
 */
const NO_CLIENT = /\btransport: authentication handshake failed: |\brejected connection\b/;

/** Whether a line tells of a request that went to another server than that of the cluster, and who may have sent it. */
export function otherServer(text: string): 'of a program' | 'of a component' | undefined {
  const request = REQUEST.exec(text.slice(0, 4000));
  if (request === null && NO_CLIENT.test(text)) return 'of a program';
  if (request === null) return undefined;
  const path = request[1] ?? '/';
  return OF_CLUSTER.test(path) ? undefined : OF_COMPONENTS.test(path) ? 'of a component' : 'of a program';
}

/** Whether a line tells of the certificate of a server that it does not name: nothing says that it is the API server's. */
export function isUnnamedServer(text: string): boolean {
  return /\bx509: /.test(text) && !REQUEST.test(text.slice(0, 4000)) && !OF_API_SERVER.test(text);
}

/** What kubectl and the API server themselves say, and what a person calls them. Source: apiserver/pkg/endpoints/filters/authentication.go. */
const OF_API_SERVER =
  /\bUnable to (?:authenticate the request|connect to the server)\b|\b(?:kubectl|helm|kubeadm|kubelet|kubeconfig)\b|\bkube-?(?: |api)|\bapi[- ]?server\b|:6443\b/i;

/** Whether a program passes on what another one said of its own configuration: a client that finds none does not go on. */
export function isOfAnotherClient(line: string): boolean {
  return /\bno configuration has been provided\b/.test(line) && /\blevel="?info\b|"level": ?"info"|^I\d{4} /i.test(line);
}
