import { parseAddress } from '../../base/address.ts';
import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';

/** An address that the command of a container names: `until nc -z db 5432`, `wait-for-it.sh db:5432`, `pg_isready -h db`. */
export interface CommandedAddress {
  readonly host: string;
  readonly port?: number;
  readonly container: string;
  /** An init container mostly waits for what it names; a program may do without. */
  readonly isInit: boolean;
  /** The words of the command that name it. */
  readonly words: string;
}

/** All addresses in the commands of a pod spec. A word alone is none: it may be anything. */
export function commandedAddresses(podSpec: Json | undefined): readonly CommandedAddress[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    asList(dig(podSpec, field)).flatMap((container) => inContainer(container, field === 'initContainers')),
  );
}

function inContainer(container: Json, isInit: boolean): readonly CommandedAddress[] {
  const said = ['command', 'args'].flatMap((field) => asList(dig(container, field)).flatMap((word) => asText(word) ?? []));
  const words = said.join(' ').slice(0, LONGEST).split(BETWEEN_WORDS);
  const found = words.flatMap((word, index) => addressAt(word, words[index - 1] ?? '', words[index + 1] ?? '') ?? []);
  return found.slice(0, MOST).map((address) => ({ ...address, container: asText(dig(container, 'name')) ?? '', isInit }));
}

function addressAt(word: string, before: string, behind: string): Omit<CommandedAddress, 'container' | 'isInit'> | undefined {
  const given = /^--?(?:h|host|hostname|url|addr|address|server|wait)=(.+)$/i.exec(word)?.[1];
  const address = parseAddress(given ?? word);
  if (address === undefined) return undefined;
  const { scheme } = address;
  const { host, port = portOf(behind) ?? PORTS.get(scheme) } = address;
  const follows = TAKES_HOST.test(before);
  if (port === undefined && scheme === undefined && given === undefined && !follows) return undefined;
  const words = [
    ...(follows ? [before] : []),
    word,
    ...(portOf(behind) === port && address.port === undefined && port !== undefined ? [behind] : []),
  ];
  return { host, ...(port === undefined ? {} : { port }), words: words.join(' ') };
}

function portOf(word: string): number | undefined {
  const port = /^\d{2,5}$/.test(word) ? parseInteger(word) : undefined;
  return port !== undefined && port <= 65_535 ? port : undefined;
}

/** Where a URL leads that names no port. */
const PORTS: ReadonlyMap<string | undefined, number> = new Map([
  ['http', 80],
  ['https', 443],
]);

/** Options and programs whose next word is a host. */
const TAKES_HOST = /^(?:-h|-H|--host|--hostname|nslookup|host|dig|ping|hosts)$/;
const BETWEEN_WORDS = /[\s"'`;|&()<>[\]{}]+/;
/** Characters of a command that are read, and addresses that are taken from it. */
const [LONGEST, MOST] = [20_000, 20];
