import { readFile } from 'node:fs/promises';

/**
 * Leaves out of the bundle what podcheck does not use of @kubernetes/client-node: its generated clients (most of its weight) and
 * undici (which does not run on Node 20). podcheck takes kubeconfig and credentials from it, and sends requests itself.
 * Of the server of the Model Context Protocol it leaves out ajv: podcheck gives its own validators.
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
      build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'left-out' }));
      build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
        contents:
          'const unused = class {}; export { unused as Agent, unused as ProxyAgent, unused as Socks5ProxyAgent, unused as FormData, unused as Dispatcher }; export const fetch = undefined; export const request = undefined; export default {};',
        loader: 'js',
      }));
    },
  };
}
