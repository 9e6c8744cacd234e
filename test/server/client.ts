import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import type { Json } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';

export interface Reply {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly json: Json;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Whoever holds a kubeconfig, over HTTP/1.1, one connection a request. */
export class WireClient {
  readonly url: string;
  readonly tls: { readonly ca: string; readonly cert?: string; readonly key?: string };

  constructor(kubeconfig: string, credentials = true) {
    const config = JSON.parse(kubeconfig.slice(kubeconfig.indexOf('{'))) as Json;
    const pem = (...path: readonly (string | number)[]): string => Buffer.from(asText(dig(config, ...path)) ?? '', 'base64').toString();
    this.url = asText(dig(config, 'clusters', 0, 'cluster', 'server')) ?? '';
    const own = credentials
      ? { cert: pem('users', 0, 'user', 'client-certificate-data'), key: pem('users', 0, 'user', 'client-key-data') }
      : {};
    this.tls = { ca: pem('clusters', 0, 'cluster', 'certificate-authority-data'), ...own };
  }

  ask(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${path}`, { ...this.tls, method, headers, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ code: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** What a watch has sent so far, event by event, and how it goes on. */
export class WireWatch {
  readonly events: Json[] = [];
  code = 0;
  ended = false;
  readonly #sent: ClientRequest;
  #rest = '';

  constructor(client: WireClient, path: string, headers: Readonly<Record<string, string>> = {}) {
    this.#sent = request(`${client.url}${path}`, { ...client.tls, headers, agent: false }, (response) => {
      this.code = response.statusCode ?? 0;
      response.on('data', (part: Buffer) => this.#take(part.toString()));
      response.on('error', () => undefined);
      response.on('close', () => (this.ended = true));
    });
    this.#sent.on('error', () => (this.ended = true));
    this.#sent.end();
  }

  close(): void {
    this.#sent.destroy();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.events.push(JSON.parse(line) as Json);
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
