import { parseInteger } from '../../base/number.ts';
import type { WordOf } from '../survey/fact-sink.ts';

/** What a client's own words say: why a command came to nothing before the API server judged an object. */
export interface ClientFailure {
  readonly reason: WordOf<'answer', 'reason'>;
  /** An address, a path, a context, a program. */
  readonly subject?: string | undefined;
  readonly detail?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly kubeKind?: string | undefined;
  readonly apiVersion?: string | undefined;
}

interface Words {
  readonly reason: ClientFailure['reason'];
  /** Named groups are fields of `ClientFailure`. No pattern can take more than linear time. */
  readonly find: RegExp;
  readonly detail?: string;
}

/**
 * The words of kubectl and client-go, the more telling ones first.
 * Sources: kubectl/pkg/cmd/util/helpers.go, client-go/tools/clientcmd/{loader,validation}.go, client-go/plugin/pkg/client/auth/exec/exec.go,
 * cli-runtime/pkg/resource/{builder,visitor,mapper}.go, Go's crypto/x509/verify.go and net/net.go (all below staging/src/k8s.io but Go's own).
 */
const WORDS: readonly Words[] = [
  { reason: 'kubeconfig-not-found', find: /stat (?<subject>[^\n]{1,500}?): no such file or directory/ },
  { reason: 'kubeconfig-not-found', find: /server (?<subject>localhost:8080) was refused/, detail: 'without a kubeconfig, kubectl connects to localhost:8080' },
  { reason: 'kubeconfig-not-found', find: /"(?<subject>http:\/\/localhost:8080)\//, detail: 'without a kubeconfig, kubectl connects to localhost:8080' },
  { reason: 'kubeconfig-not-found', find: /(?<detail>no configuration has been provided|invalid configuration: no configuration)/ },
  { reason: 'kubeconfig-not-parsable', find: /error loading config file "(?<subject>[^"]{1,500})": (?<detail>[^\n]{1,500})/ },
  { reason: 'context-not-found', find: /context was not found for specified context: (?<subject>\S{1,253})/ },
  { reason: 'context-not-found', find: /context "(?<subject>[^"]{1,253})" does not exist/ },
  { reason: 'context-not-found', find: /no context exists with the name: "(?<subject>[^"]{1,253})"/ },
  { reason: 'credential-file-not-found', find: /unable to read (?:client-cert|client-key|certificate-authority) (?<subject>\S{1,500}) for/ },
  { reason: 'credential-program-failed', find: /exec: executable (?<subject>\S{1,500}) (?<detail>not found|failed[^\n]{0,300})/ },
  { reason: 'credential-program-failed', find: /getting credentials: (?<detail>[^\n]{1,500})/ },
  { reason: 'server-certificate-expired', find: /x509: certificate has expired or is not yet valid(?:: (?<detail>[^\n;]{1,300}))?/ },
  { reason: 'server-certificate-name-mismatch', find: /x509: (?<detail>certificate is valid for [^\n;]{1,500}, not [^\s;]{1,253}|cannot validate certificate for [^\n;]{1,300}|certificate is not valid for any names[^\n;]{0,300})/ },
  { reason: 'server-certificate-untrusted', find: /x509: (?<detail>certificate signed by unknown authority[^\n;]{0,300}|certificate is not trusted[^\n;]{0,200})/ },
  { reason: 'server-certificate-untrusted', find: /tls: (?<detail>failed to verify certificate[^\n;]{0,300})/ },
  { reason: 'unauthorized', find: /You must be logged in to the server(?: \((?<detail>[^\n]{1,300})\))?/ },
  { reason: 'unauthorized', find: /(?<detail>the server has asked for the client to provide credentials)/ },
  { reason: 'unauthorized', find: /Error from server \((?<detail>Unauthorized)\)/ },
  { reason: 'manifest-not-found', find: /the path "(?<file>[^"]{1,500})" does not exist/ },
  { reason: 'manifest-not-found', find: /(?:open|read) (?<file>[^\n:]{1,500}): no such file or directory/ },
  { reason: 'manifest-not-found', find: /no objects passed to (?:apply|create|replace|delete)/, detail: 'the file declares no object' },
  { reason: 'manifest-not-parsable', find: /error parsing (?<file>[^\n:]{1,500}): (?<detail>error converting YAML to JSON: yaml: line (?<line>\d{1,9}): [^\n]{1,500})/ },
  { reason: 'manifest-not-parsable', find: /error parsing (?<file>[^\n:]{1,500}): (?<detail>[^\n]{1,500})/ },
  { reason: 'manifest-not-parsable', find: /(?<detail>error converting YAML to JSON: yaml: (?:line (?<line>\d{1,9}): )?[^\n]{1,500})/ },
  { reason: 'manifest-without-kind', find: /error validating "(?<file>[^"]{1,500})": error validating data: \[?(?<detail>(?:apiVersion|kind) not set(?:, (?:apiVersion|kind) not set)?)/ },
  { reason: 'manifest-without-kind', find: /(?:unable to decode "(?<file>[^"]{1,500})": )?Object '(?:Kind|apiVersion)' is missing(?: in '(?<detail>[^\n]{1,300}))?/ },
  { reason: 'manifest-without-name', find: /from server for: "(?<file>[^"]{1,500})": (?<detail>resource name may not be empty)/ },
  { reason: 'manifest-without-name', find: /(?<detail>resource name may not be empty|cannot use generate name with apply|name or generateName is required)/ },
  {
    reason: 'namespace-mismatch',
    find: /the namespace from the provided object "(?<subject>[^"]{1,253})" does not match the namespace "(?<detail>[^"]{1,253})"/,
  },
  {
    reason: 'kind-not-served',
    find: /(?:from "(?<file>[^"]{1,500})": |recognize "(?<file2>[^"]{1,500})": )?no matches for kind "(?<kubeKind>[^"]{1,253})" in version "(?<apiVersion>[^"]{1,253})"/,
  },
  { reason: 'kind-not-served', find: /the server doesn't have a resource type "(?<kubeKind>[^"]{1,253})"/ },
  { reason: 'server-unreachable', find: /The connection to the server (?<subject>\S{1,300}) was refused/, detail: 'connection refused' },
  { reason: 'server-unreachable', find: /dial tcp: lookup (?<subject>[^\s:]{1,253})[^\n:]{0,100}(?::\d+)?: (?<detail>no such host|[^\n;]{1,200})/ },
  { reason: 'server-unreachable', find: /dial tcp (?<subject>[^\s]{1,300}): (?:connect: )?(?<detail>connection refused|i\/o timeout|no route to host|network is unreachable|connection timed out|connect: [a-z ]{1,100})/ },
  {
    reason: 'server-unreachable',
    find: /(?:Unable to connect to the server: |Get "(?<subject>[^"]{1,500})": )(?<detail>net\/http: [^\n;]{1,200}|context deadline exceeded[^\n;]{0,200}|EOF|read tcp [^\n;]{1,200}|http: server gave HTTP response[^\n;]{0,100}|[^\n;]{1,200})/,
  },
];

/** Reads the words of one failure; undefined when they are the API server's, or unknown. */
export function readClientFailure(text: string): ClientFailure | undefined {
  for (const { reason, find, detail } of WORDS) {
    const found = find.exec(text);
    if (found === null) continue;
    const groups: Readonly<Record<string, string | undefined>> = found.groups ?? {};
    const file = groups['file'] ?? groups['file2'] ?? fileIn(text);
    return {
      reason,
      subject: groups['subject'],
      detail: groups['detail'] ?? detail,
      file,
      line: parseInteger(groups['line']),
      kubeKind: groups['kubeKind'],
      apiVersion: groups['apiVersion'],
    };
  }
  return undefined;
}

/** The manifest that words of kubectl name: `error when creating "web.yaml": …`. */
export function fileIn(text: string): string | undefined {
  return /(?:error when [a-z]{1,30}(?: [a-z]{1,30}){0,8} |error validating |from server for: |recognize |from |decode )"([^"\n]{1,500})"/.exec(text)?.[1];
}
