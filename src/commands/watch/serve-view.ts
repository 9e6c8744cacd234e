import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PodcheckError } from '../../base/errors.ts';
import { maskedJson } from '../../base/mask/masked-json.ts';
import { parseInteger } from '../../base/number.ts';
import { systemReason } from '../../base/system-error.ts';
import type { WatchView } from '../../model/watch-change.ts';
import { jsonText } from '../../report/diagnosis/cause-json.ts';
import { causesJson } from '../../report/watching/causes-json.ts';
import { watchMetrics } from '../../report/watching/watch-metrics.ts';

/** Where a watch is served. */
export interface ServeAddress {
  /** All addresses of the machine without it. */
  readonly host: string | undefined;
  readonly port: number;
}

/** `:8080`, `127.0.0.1:8080`, `[::1]:8080`. Throws a PodcheckError for anything else. */
export function serveAddress(text: string): ServeAddress {
  const [, bracketed, plain, digits = ''] = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([\w.-]{0,253})):(\d{1,5})$/.exec(text) ?? [];
  const port = parseInteger(digits);
  if (port === undefined || port > 65_535)
    throw new PodcheckError('usage', `--serve: ${JSON.stringify(text)} is not a valid address`, 'for example :8080 or 127.0.0.1:8080');
  const host = bracketed ?? plain ?? '';
  return { host: host === '' ? undefined : host, port };
}

export interface ServedView {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** More than a scraper, a probe and some people with a browser need. */
const MOST_CONNECTIONS = 256;

/** Serves what a watch knows to whoever can connect: it only reads. */
export async function serveView(address: ServeAddress, view: () => WatchView, version: string): Promise<ServedView> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    void answer(request, response, view, version).catch(() => response.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, address);
  const { address: host, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function listening(server: Server, { host, port }: ServeAddress): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PodcheckError('usage', `--serve: cannot listen on ${host ?? ''}:${port}: ${systemReason(error)}`, 'choose another port');
  }
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  view: () => WatchView,
  version: string,
): Promise<void> {
  const isRead = method === 'GET' || method === 'HEAD';
  const reply = isRead
    ? await replyTo(url.split('?', 1)[0] ?? '', view, version)
    : { ...text(405, 'method not allowed'), headers: { allow: 'GET, HEAD' } };
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-length': Buffer.byteLength(reply.body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...reply.headers,
  });
  response.end(method === 'HEAD' ? undefined : reply.body);
}

async function replyTo(path: string, view: () => WatchView, version: string): Promise<Reply> {
  switch (path) {
    case '/':
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        body: (await import('../../report/html/watch-page.ts')).watchPage(view()),
        headers: { refresh: '30' },
      };
    case '/causes':
      return { status: 200, type: 'application/json', body: jsonText(maskedJson(causesJson(view()))) };
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: watchMetrics(view(), version) };
    case '/healthz':
      return text(200, 'ok');
    case '/readyz':
      return view().complete ? text(200, 'ok') : text(503, 'not ready: not everything is listed yet');
    default:
      return text(404, 'not found');
  }
}

function text(status: number, body: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}
