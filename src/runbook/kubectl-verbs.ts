/** A use of kubectl that only reads, with the flags that leave it so. */
export interface KubectlVerb {
  readonly flags: readonly KubectlFlag[];
  /** It prints what objects hold. */
  readonly showsContent?: boolean;
  /** With further words it does something else: `cluster-info dump` writes files. */
  readonly takesNone?: boolean;
}

interface KubectlFlag {
  readonly name: string;
  readonly short?: string;
  readonly takesValue: boolean;
}

/**
 * Flags of every verb. Missing on purpose, for each makes reading dangerous: --kubeconfig, --kuberc and --context (another
 * kubeconfig starts its credential plugin), --server, --token, --user and --as (other rights, or credentials sent elsewhere),
 * --profile and --cache-dir (write files), -v (prints what is sent).
 */
export const EVERYWHERE: readonly KubectlFlag[] = flags('n/namespace= request-timeout=');

/** Missing on purpose: --raw and -f (any address), -w (never ends), --template (reads files). */
const LISTING =
  'A/all-namespaces l/selector= field-selector= o/output= L/label-columns= show-labels show-kind show-managed-fields no-headers ignore-not-found chunk-size= sort-by= server-print subresource=';

/** Source: staging/src/k8s.io/kubectl/pkg/cmd (AddFlags of each command). */
export const KUBECTL_VERBS: ReadonlyMap<string, KubectlVerb> = new Map<string, KubectlVerb>([
  ['get', { flags: flags(LISTING), showsContent: true }],
  ['describe', { flags: flags('A/all-namespaces l/selector= show-events chunk-size='), showsContent: true }],
  [
    'logs',
    {
      flags: flags(
        'c/container= p/previous l/selector= tail= since= since-time= timestamps prefix all-containers all-pods limit-bytes= max-log-requests= ignore-errors',
      ),
    },
  ],
  ['events', { flags: flags('A/all-namespaces for= types= no-headers o/output=') }],
  ['top pod', { flags: flags('A/all-namespaces l/selector= field-selector= containers no-headers sort-by= sum') }],
  ['top pods', { flags: flags('A/all-namespaces l/selector= field-selector= containers no-headers sort-by= sum') }],
  ['top node', { flags: flags('l/selector= no-headers sort-by= show-capacity') }],
  ['top nodes', { flags: flags('l/selector= no-headers sort-by= show-capacity') }],
  ['explain', { flags: flags('recursive api-version=') }],
  ['rollout history', { flags: flags('revision= l/selector= o/output=') }],
  ['rollout status', { flags: flags('revision= timeout= watch') }],
  ['auth can-i', { flags: flags('A/all-namespaces list no-headers q/quiet subresource=') }],
  ['auth whoami', { flags: flags('o/output='), takesNone: true }],
  ['api-resources', { flags: flags('api-group= namespaced verbs= categories= no-headers sort-by= o/output=') }],
  ['api-versions', { flags: [], takesNone: true }],
  ['version', { flags: flags('client o/output='), takesNone: true }],
  ['cluster-info', { flags: [], takesNone: true }],
]);

/** `o/output=`: -o and --output with a value. */
function flags(words: string): readonly KubectlFlag[] {
  return words.split(' ').map((word) => {
    const [long = '', short] = word.replace('=', '').split('/').toReversed();
    return { name: long, ...(short === undefined ? {} : { short }), takesValue: word.endsWith('=') };
  });
}
