import type { Json } from '../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { Credential } from '../apiserver/request.ts';
import { ANONYMOUS } from '../apiserver/request.ts';
import { CLUSTER_CA, verifyCertificate, verifyServer } from '../x509/certificates.ts';
import type { Instant } from '../../base/instant.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import type { Kubeconfig } from './command.ts';
import { yamlWords } from './yaml-mistakes.ts';

/** What kubectl makes of its kubeconfig: whom it asks, as whom, and what stands in its way. */
export interface Configured {
  /** Its words when it cannot even begin. */
  readonly trouble?: string;
  /** What its transport says instead of an answer, as Go's client has it: a connection, TLS, a credential program. */
  readonly transport?: string;
  /** `https://10.77.0.1:6443`. */
  readonly server: string;
  /** What the kubeconfig says of who asks; undefined when it leaves that to the administrator's certificate. */
  readonly credential?: Credential;
}

export interface ConfigSurroundings {
  /** Where the API server is: `10.77.0.1`. */
  readonly serverAddress: string;
  readonly serverCertificate: Certificate | undefined;
  readonly now: Instant;
}

/**
 * Reads a kubeconfig as kubectl does. Its certificate authority is named by the file that it names: `ca.crt` is the cluster's.
 * Source: staging/src/k8s.io/client-go/tools/clientcmd/{loader,validation,client_config}.go, plugin/pkg/client/auth/exec/exec.go.
 */
export function readKubeconfig(kubeconfig: Kubeconfig | undefined, around: ConfigSurroundings): Configured {
  const good = `https://${around.serverAddress}:6443`;
  if (kubeconfig === undefined) return { server: good };
  const { file, missing, content, context } = kubeconfig;
  if (missing === true)
    return isDefault(file) ? withoutConfig() : { server: good, trouble: `error: stat ${file}: no such file or directory` };
  if (content === undefined) return { server: good, ...(context === undefined ? {} : { trouble: CONTEXT_NOT_FOUND(context) }) };
  const { documents, errors } = parseKubeYaml(content, file);
  const [error] = errors;
  if (error !== undefined) return { server: good, trouble: `error: error loading config file "${file}": ${yamlWords(error)}` };
  return followed(documents[0]?.value ?? {}, context, around);
}

/** Without any configuration kubectl asks where an insecure API server would have been long ago. */
function withoutConfig(): Configured {
  return { server: 'http://localhost:8080', transport: 'dial tcp 127.0.0.1:8080: connect: connection refused' };
}

function isDefault(file: string): boolean {
  return file.endsWith('/.kube/config');
}

const CONTEXT_NOT_FOUND = (context: string): string => `Error in configuration: context was not found for specified context: ${context}`;

function followed(config: Json, flag: string | undefined, around: ConfigSurroundings): Configured {
  const name = flag ?? asText(dig(config, 'current-context')) ?? '';
  if (name === '') return withoutConfig();
  const context = dig(named(config, 'contexts', name), 'context');
  const server = `https://${around.serverAddress}:6443`;
  if (context === undefined) return { server, trouble: CONTEXT_NOT_FOUND(name) };
  const cluster = dig(named(config, 'clusters', asText(dig(context, 'cluster')) ?? ''), 'cluster');
  const user = dig(named(config, 'users', asText(dig(context, 'user')) ?? ''), 'user');
  const address = asText(dig(cluster, 'server')) ?? server;
  const transport = programTrouble(user) ?? serverTrouble(cluster, address, around);
  const credential = credentialOf(user);
  return { server: address, ...(transport === undefined ? {} : { transport }), ...(credential === undefined ? {} : { credential }) };
}

function named(config: Json, list: string, name: string): Json | undefined {
  return asList(dig(config, list)).find((entry) => asText(dig(entry, 'name')) === name);
}

/** No program is installed where the simulated kubectl runs. */
function programTrouble(user: Json | undefined): string | undefined {
  const program = asText(dig(user, 'exec', 'command'));
  if (program === undefined) return undefined;
  const hint = asText(dig(user, 'exec', 'installHint'));
  return `getting credentials: exec: executable ${program} not found\n\nIt looks like you are trying to use a client-go credential plugin that is not installed.\n\nTo learn more about this feature, consult the documentation available at:\n      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins${hint === undefined ? '' : `\n\n${hint}`}`;
}

function credentialOf(user: Json | undefined): Credential | undefined {
  const token = asText(dig(user, 'token'));
  if (token !== undefined) return { kind: 'token', token };
  return isJsonObject(user) && Object.keys(user).length > 0 ? undefined : ANONYMOUS;
}

function serverTrouble(cluster: Json | undefined, server: string, around: ConfigSurroundings): string | undefined {
  const [, scheme = 'https', host = '', port = scheme === 'http' ? '80' : '443'] = /^(https?):\/\/([^/:]+)(?::(\d+))?/.exec(server) ?? [];
  if (host !== around.serverAddress)
    return /^[\d.]+$/.test(host) ? `dial tcp ${host}:${port}: i/o timeout` : `dial tcp: lookup ${host} on ${RESOLVER}:53: no such host`;
  if (port !== '6443') return `dial tcp ${host}:${port}: connect: connection refused`;
  if (around.serverCertificate === undefined || dig(cluster, 'insecure-skip-tls-verify') === true) return undefined;
  const { serverCertificate, now } = around;
  const wrong = verifyServer(serverCertificate, asText(dig(cluster, 'tls-server-name')) ?? host, now, () =>
    verifyCertificate(serverCertificate, [authorityOf(cluster)], now),
  );
  return wrong === undefined ? undefined : `tls: failed to verify certificate: ${wrong}`;
}

/** Where kubectl's machine looks names up. */
const RESOLVER = '10.77.0.2';

function authorityOf(cluster: Json | undefined): string {
  const file = asText(dig(cluster, 'certificate-authority')) ?? '';
  const name = (file.split('/').at(-1) ?? '').replace(/\.(crt|pem)$/, '');
  return name === 'ca' ? CLUSTER_CA : name;
}
