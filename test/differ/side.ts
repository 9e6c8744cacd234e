import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';
import type { Reply } from './operation.ts';

/** One of the two clusters, over connections that are kept. */
export interface Side {
  readonly name: string;
  ask(asked: Asked): Promise<Reply>;
  close(): void;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The cluster does not answer any more. */
export class SideGone extends Error {}

const TIMEOUT_MILLISECONDS = 30_000;

/** The cluster of a kubeconfig with client certificates in it. */
export function sideOf(name: string, kubeconfig: string): Side {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as JsonObject;
  const pem = (...path: readonly (string | number)[]): string => Buffer.from(asText(dig(config, ...path)) ?? '', 'base64').toString();
  const url = asText(dig(config, 'clusters', 0, 'cluster', 'server')) ?? '';
  const agent = new Agent({
    keepAlive: true,
    ca: pem('clusters', 0, 'cluster', 'certificate-authority-data'),
    cert: pem('users', 0, 'user', 'client-certificate-data'),
    key: pem('users', 0, 'user', 'client-key-data'),
  });
  return { name, ask: (asked) => asking(name, url, agent, asked), close: () => agent.destroy() };
}

function asking(name: string, url: string, agent: Agent, { method, path, headers = {}, body }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const gone = (error: Error): void => reject(new SideGone(`${name} has stopped answering (${method} ${path}: ${error.message})`));
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { agent, method, timeout: TIMEOUT_MILLISECONDS, headers: { 'user-agent': 'differ/1', ...length, ...headers } };
    const sent = request(`${url}${path}`, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', gone);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ code: response.statusCode ?? 0, warnings: warningsOf(response.headers['warning']), body: parsed(text) });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in 30 s')));
    sent.on('error', gone);
    sent.end(body);
  });
}

/** A body as it is sent. */
export function written(body: Json): string {
  return JSON.stringify(body).replaceAll(/"int:(-?\d{16,})"/g, '$1');
}

/** Every `299 - "text"` of a header that joins them. */
function warningsOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(', ');
  return [...text.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, warning = '']) => warning);
}

/** Whole numbers that a double cannot hold are kept as text that `written` makes numbers again. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text.replaceAll(/([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g, '$1"int:$2"')) as Json;
  } catch {
    return { text };
  }
}
