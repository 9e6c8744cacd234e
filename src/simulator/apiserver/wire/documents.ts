import type { JsonObject } from '../../../base/json.ts';
import { onceEach } from '../../../base/once.ts';
import type { AggregatedApis } from '../../outside/aggregated-apis.ts';
import type { Store } from '../../store/store.ts';
import { KUBERNETES_VERSION } from '../../version.ts';
import type { OpenApiSource } from '../openapi/openapi.ts';
import { openApiDocument, openApiIndex } from '../openapi/openapi.ts';
import type { Descriptions } from '../openapi/schemas.ts';
import { swaggerDocument } from '../openapi/swagger.ts';
import { encodeSwagger } from '../openapi/swagger-protobuf.ts';
import type { Resources } from '../resources.ts';
import { discoverGroups, discoveryDocument } from './discovery.ts';
import { healthAt } from './health.ts';

/** A document outside the resources: version, health, discovery, OpenAPI. */
export interface WireDocument {
  readonly code: number;
  readonly contentType: string;
  readonly text: string | Uint8Array;
}

/** What the documents tell of. */
export interface DocumentSource {
  readonly resources: Resources;
  readonly store: Store;
  readonly aggregated: AggregatedApis;
  readonly etcdIsUp: boolean;
  readonly described: Descriptions;
}

/** What is asked for, beside the path: which forms are taken, and `?verbose` of health. */
export interface DocumentWish {
  readonly accept: string;
  readonly verbose: boolean;
}

/** The document at a path; undefined when nothing is served there. */
export function documentAt(path: string, { accept, verbose }: DocumentWish, source: DocumentSource): WireDocument | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const health = healthAt(plain, verbose, source.etcdIsUp);
  if (health !== undefined) return { code: health.code, contentType: 'text/plain; charset=utf-8', text: health.text };
  if (plain === '/version') return json(VERSION);
  if (plain === '/') return json({ paths: rootPaths(source) });
  const { store, aggregated, described } = source;
  const resources = source.resources.all();
  const openApi = { resources, store, version: KUBERNETES_VERSION, described };
  if (plain === '/openapi/v3') return json(openApiIndex(openApi));
  if (plain === '/openapi/v2') return swagger(openApi, accept);
  if (plain.startsWith(OPENAPI)) return ofText(openApiDocument(openApi, plain.slice(OPENAPI.length)));
  const found = discoveryDocument(plain, accept, discoverGroups({ resources, store, aggregated }));
  return found === undefined ? undefined : json(found.body, found.contentType);
}

/** In protobuf for those who take nothing else; written once, as long as the same is served. */
function swagger(source: OpenApiSource, accept: string): WireDocument {
  const inProtobuf = accept.includes(SWAGGER_PROTOBUF) && !accept.includes('application/json');
  const mark = `${inProtobuf ? SWAGGER_PROTOBUF : ''} ${JSON.stringify(openApiIndex(source))}`;
  const latest = latestSwagger(source.described);
  if (latest.mark === mark && latest.document !== undefined) return latest.document;
  const written = swaggerDocument(source);
  const document = inProtobuf
    ? { code: 200, contentType: SWAGGER_PROTOBUF.replace('@', '.'), text: encodeSwagger(written) }
    : json(written);
  Object.assign(latest, { mark, document });
  return document;
}

const latestSwagger = onceEach((_described: Descriptions): { mark?: string; document?: WireDocument } => ({}));

const SWAGGER_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

const OPENAPI = '/openapi/v3/';

/** Source: staging/src/k8s.io/component-base/version/base.go. */
const VERSION: JsonObject = {
  major: KUBERNETES_VERSION.slice(1).split('.')[0] ?? '',
  minor: KUBERNETES_VERSION.split('.')[1] ?? '',
  emulationMajor: KUBERNETES_VERSION.slice(1).split('.')[0] ?? '',
  emulationMinor: KUBERNETES_VERSION.split('.')[1] ?? '',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: KUBERNETES_VERSION,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-07-15T12:00:00Z',
  goVersion: 'go1.26.0',
  compiler: 'gc',
  platform: 'linux/amd64',
};

function rootPaths({ resources }: DocumentSource): readonly string[] {
  const groups = [
    ...new Set(
      resources
        .all()
        .filter(({ group }) => group !== '')
        .flatMap(({ group, version }) => [`/apis/${group}`, `/apis/${group}/${version}`]),
    ),
  ];
  return ['/api', '/api/v1', '/apis', ...groups, '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'].sort();
}

function ofText(text: string | undefined): WireDocument | undefined {
  return text === undefined ? undefined : { code: 200, contentType: 'application/json', text };
}

function json(object: JsonObject, contentType = 'application/json'): WireDocument {
  return { code: 200, contentType, text: JSON.stringify(object) };
}
