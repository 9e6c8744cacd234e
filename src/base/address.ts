import { parseInteger } from './number.ts';

/** A host, with a port where one is named, as configuration and logs write it. */
export interface Address {
  readonly host: string;
  readonly port?: number;
  /** In lower case, without `://`: `http`, `jdbc:mysql`, `redis`. */
  readonly scheme?: string;
}

const HOST = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?';
const URL_FORM = new RegExp(`^([a-z][a-z0-9+.:-]{0,30})://(?:[^/@\\s]{0,200}@)?(${HOST})(?::(\\d{1,5}))?(?:[/?,;]|$)`, 'i');
const PLAIN_FORM = new RegExp(`^(${HOST})(?::(\\d{1,5}))?$`);

/** Reads `host`, `host:port` or a URL; the first of a comma-separated list; undefined for any other text. */
export function parseAddress(text: string): Address | undefined {
  const first = text.trim().split(',')[0] ?? '';
  if (first.length > 500) return undefined;
  const url = URL_FORM.exec(first);
  if (url !== null) return address(url[2], url[3], url[1]?.toLowerCase());
  const plain = PLAIN_FORM.exec(first);
  return plain === null ? undefined : address(plain[1], plain[2], undefined);
}

function address(host: string | undefined, port: string | undefined, scheme: string | undefined): Address | undefined {
  if (host === undefined || /^\d+$/.test(host)) return undefined;
  const number = parseInteger(port);
  return { host, ...(number === undefined ? {} : { port: number }), ...(scheme === undefined ? {} : { scheme }) };
}
