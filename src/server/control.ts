import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { asText, dig, isJsonObject } from '../base/json.ts';
import { parsedJson } from '../base/parsed-json.ts';
import { headerOf, readBody } from './exchange.ts';

/** What a run can be told or asked, by the end of the path: `time` for /podcheck/v1/time. An error thrown is the answer. */
export type ControlRoutes = Readonly<Record<string, (body: JsonObject) => JsonObject | Promise<JsonObject>>>;

/** Where the control endpoints of a run are: on loopback, apart from the API, which may be down for its clients. */
export interface ControlAddress {
  readonly port: number;
  readonly token: string;
}

export interface Control extends ControlAddress {
  close(): void;
}

const ROOT = '/podcheck/v1/';
const HOST = '127.0.0.1';
const BODY_LIMIT = 1_000_000;

/** Serves the control endpoints to whoever has the token. */
export async function openControl(routes: ControlRoutes, token: string): Promise<Control> {
  const server = createServer((incoming, response) => void answer(incoming, response, routes, token));
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  return { port: (server.address() as AddressInfo).port, token, close: () => close(server) };
}

/** Asks a run; a run that does not answer, or refuses, is a PodcheckError. */
export function askControl(
  { port, token }: ControlAddress,
  route: string,
  body: JsonObject = {},
  timeoutMilliseconds = 600_000,
): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: HOST,
        port,
        path: `${ROOT}${route}`,
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        agent: false,
        timeout: timeoutMilliseconds,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const reply = parsedJson(Buffer.concat(parts).toString());
          if (response.statusCode === 200 && isJsonObject(reply)) resolve(reply);
          else
            reject(
              new PodcheckError(
                'bad-input',
                asText(dig(reply, 'error')) ?? `the served cluster answered with ${response.statusCode ?? 0}`,
                asText(dig(reply, 'hint')) ?? '',
              ),
            );
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('timed out')));
    sent.on('error', (error) =>
      reject(
        new PodcheckError(
          'unreachable',
          `the served cluster does not answer: ${reasonOf(error)}`,
          'start it again with `podcheck sim serve`',
        ),
      ),
    );
    sent.end(JSON.stringify(body));
  });
}

async function answer(incoming: IncomingMessage, response: ServerResponse, routes: ControlRoutes, token: string): Promise<void> {
  if (!isSame(headerOf(incoming, 'authorization') ?? '', `Bearer ${token}`))
    return send(response, 401, { error: 'the token of the run is missing' });
  const path = incoming.url ?? '';
  const name = path.startsWith(ROOT) ? path.slice(ROOT.length) : '';
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined)
    return send(response, 404, { error: `this run has no ${name}`, hint: `one of: ${Object.keys(routes).join(', ')}` });
  const body = await readBody(incoming, BODY_LIMIT);
  if (body === undefined) return;
  const given = body.length === 0 ? {} : parsedJson(Buffer.from(body.bytes).toString());
  if (body.length > BODY_LIMIT || !isJsonObject(given)) return send(response, 400, { error: 'the body is not a JSON object' });
  try {
    send(response, 200, await route(given));
  } catch (error) {
    send(response, 400, { error: reasonOf(error), ...(error instanceof PodcheckError ? { hint: error.hint } : {}) });
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function send(response: ServerResponse, code: number, body: JsonObject): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}
