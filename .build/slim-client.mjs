import { readFile } from 'node:fs/promises';

const UNUSED = [
  ['Agent', 'ProxyAgent', 'Socks5ProxyAgent', 'FormData', 'Dispatcher', 'fetch', 'request'],
  ['load', 'loadAll', 'dump', 'SocksClient', 'SocksProxyAgent', 'HttpProxyAgent', 'HttpsProxyAgent'],
]
  .flat()
  .map((name) => `unused as ${name}`)
  .join(', ');

/** `token-key: '{.credential.access_token}'` as `$.credential.access_token`: names after points, and all that client-node is given. */
const FIELD_PATH = `export function JSONPath({ path, json }) {
  let at = json;
  for (const name of path.slice(2).split('.')) at = at?.[name];
  return at === undefined ? [] : [at];
}`;

/**
 * Leaves out of the bundle what podcheck does not use of @kubernetes/client-node: its generated clients (most of its weight) and
 * undici (which does not run on Node 20), the proxies and YAML. podcheck takes the credentials of an auth-provider from it, reads
 * kubeconfigs and sends requests itself. Of JSONPath it keeps the paths that gcloud's and az's kubeconfigs have.
 * Of the server of the Model Context Protocol it leaves out ajv: podcheck gives its own validators. Of zod, which that server reads
 * messages with, it leaves out what writes JSON Schema: podcheck's tools come with theirs. Of yaml it leaves out YAML 1.1's sets, pairs and
 * times, which Kubernetes has not: manifests are read with tags of podcheck's own.
 */
export function slimClient() {
  return {
    name: 'slim-client',
    setup(build) {
      build.onLoad({ filter: /client-node\/dist\/config\.js$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace(/^import (.*) from '\.\/gen\/index\.js';$/m, (_, names) => {
          const wanted = names
            .replace(/[{}*]|\bas\b/g, ' ')
            .split(/[\s,]+/)
            .filter((name) => name !== '');
          return wanted.map((name) => `const ${name} = undefined;`).join(' ');
        });
        return { contents, loader: 'js' };
      });
      build.onLoad({ filter: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ }, () => ({
        contents: "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
        loader: 'js',
      }));
      build.onLoad({ filter: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ }, async ({ path }) => {
        const names = (await readFile(path, 'utf8')).matchAll(/^export (?:const|function) (\w+)/gm);
        return { contents: Array.from(names, ([, name]) => `export const ${name} = () => undefined;`).join('\n'), loader: 'js' };
      });
      build.onLoad({ filter: /yaml\/browser\/dist\/schema\/tags\.js$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source
          .replace(/^import .* from '\.\/yaml-1\.1\/(?!merge)\w+\.js';\n/gm, '')
          .replace(/^ {4}(?:floatTime|intTime|(?:'tag:yaml\.org,2002:)?(?:binary|omap|pairs|set|timestamp)(?:': \w+)?),?\n/gm, '')
          .replaceAll('schema$2', 'schema');
        return { contents, loader: 'js' };
      });
      build.onResolve({ filter: /^(undici|js-yaml|socks|socks-proxy-agent|hpagent|jsonpath-plus)$/ }, ({ path }) => ({
        path,
        namespace: 'left-out',
      }));
      build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
        contents: path === 'jsonpath-plus' ? FIELD_PATH : `const unused = class {}; export { ${UNUSED} }; export default {};`,
        loader: 'js',
      }));
    },
  };
}
