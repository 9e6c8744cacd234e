import type { LiveKind } from './live-case.ts';
import { killCase } from './live/kills.ts';
import { proxyCase } from './live/proxied.ts';
import { requestCase, tokenCase } from './live/requests.ts';

/** What is tried with a server, by name. */
export const LIVE_KINDS: Readonly<Record<string, LiveKind>> = { request: requestCase, token: tokenCase, proxy: proxyCase, kill: killCase };
