import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onceEach } from '../base/once.ts';

export interface ServedFiles {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves files from memory over HTTP, read-only: `index.html` for `/`. Throws what the system says when the port or address cannot be had.
 */
export async function serveFiles(
  files: ReadonlyMap<string, string>,
  { port, listen, headers }: { readonly port: number; readonly listen: string; readonly headers: Readonly<Record<string, string>> },
): Promise<ServedFiles> {
  const contents = new Map([...files].map(([path, text]) => [path, { path, text }]));
  const server = createServer((request, response) => answer(request, response));
  function answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries({ ...headers, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }))
      response.setHeader(name, value);
    const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
    const file = contents.get(path === '/' ? 'index.html' : path.slice(1));
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    if (file === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    const type = TYPES[file.path.slice(file.path.lastIndexOf('.'))] ?? 'text/plain';
    const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    const body = isPacked ? packed(file) : Buffer.from(file.text);
    response.writeHead(200, { 'content-type': type, 'content-length': body.length, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, listen, resolve);
  });
  const { address, family, port: own } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${own}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const packed = onceEach(({ text }: { readonly text: string }): Buffer => gzipSync(text, { level: 6 }));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
};
