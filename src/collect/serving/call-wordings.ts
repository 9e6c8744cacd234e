import { withoutTail } from '../../base/text.ts';
import { parseInteger } from '../../base/number.ts';

/** What kept one program from talking to another, in the words of clients and servers. */
export interface CallTrouble {
  readonly class: 'name-not-resolved' | 'dns-timeout' | 'refused' | 'timeout' | 'credentials' | 'read-only' | 'connections-exhausted';
  readonly host?: string;
  readonly port?: number;
  /** The address of the caller, in the words of a server that refuses it. */
  readonly caller?: string;
  /** The family of server the words belong to, where they tell. */
  readonly server?: 'mysql' | 'postgres' | 'redis' | 'mongodb' | 'rabbitmq';
}

interface Wording {
  readonly class: CallTrouble['class'];
  readonly test: RegExp;
  /** Groups `host` and `port` where the words name them. */
  readonly address?: RegExp;
  readonly server?: CallTrouble['server'];
}

const HOST = '[A-Za-z0-9][A-Za-z0-9._-]{0,252}';

/** The first that fits counts, so what is more particular stands first. Every part is bounded: no line takes long. */
const WORDINGS: readonly Wording[] = [
  { class: 'connections-exhausted', test: /too many connections|data source rejected establishment of connection/i, server: 'mysql' },
  { class: 'connections-exhausted', test: /too many clients already|remaining connection slots are reserved|connection limit exceeded for/i, server: 'postgres' },
  { class: 'connections-exhausted', test: /max number of clients reached/i, server: 'redis' },
  { class: 'read-only', test: /running with the --(?:super-)?read-only option|in read only mode/i, server: 'mysql' },
  { class: 'read-only', test: /in a read-only transaction|cannot execute \w{1,20} during recovery/i, server: 'postgres' },
  { class: 'read-only', test: /READONLY You can't write against a read only/i, server: 'redis' },
  { class: 'read-only', test: /not ?(?:writable)?primary|not master and slaveOk/i, server: 'mongodb' },
  { class: 'credentials', test: /Access denied for user '[^']{0,80}'@'[^']{0,80}' \(using password: (?:YES|NO)\)|Access denied for user '[^']{0,80}'@'[^']{0,80}' to database/i, server: 'mysql' },
  { class: 'credentials', test: /password authentication failed for user|no pg_hba\.conf entry for host|role "[^"]{1,80}" does not exist/i, server: 'postgres' },
  { class: 'credentials', test: /WRONGPASS|NOAUTH Authentication required|invalid username-password pair|invalid password\b.{0,40}redis/i, server: 'redis' },
  { class: 'credentials', test: /ACCESS_REFUSED|Login was refused using authentication mechanism/i, server: 'rabbitmq' },
  { class: 'credentials', test: /MongoServerError: Authentication failed|SCRAM authentication failed|MongoSecurityException/i, server: 'mongodb' },
  { class: 'credentials', test: /Login failed for user|ORA-01017|invalid username\/password/i },
  { class: 'dns-timeout', test: /lookup \S{1,253}(?: on \S{1,60})? ?: (?:.{0,80})i\/o timeout/i, address: new RegExp(`lookup (?<host>${HOST})`, 'i') },
  { class: 'dns-timeout', test: /no servers could be reached|EAI_AGAIN|temporary failure in name resolution|DNS (?:server|query) .{0,40}timed? ?out/i, address: new RegExp(`(?:EAI_AGAIN|resolve(?: host)?:?) '?(?<host>${HOST})`, 'i') },
  { class: 'name-not-resolved', test: /lookup \S{1,253}(?: on \S{1,60})?: no such host/i, address: new RegExp(`lookup (?<host>${HOST})`, 'i') },
  { class: 'name-not-resolved', test: /UnknownHostException/i, address: new RegExp(`UnknownHostException: (?:[^:]{0,60}: )?(?<host>${HOST})`, 'i') },
  { class: 'name-not-resolved', test: /getaddrinfo ENOTFOUND/i, address: new RegExp(`ENOTFOUND (?<host>${HOST})(?::(?<port>\\d{1,5}))?`, 'i') },
  { class: 'name-not-resolved', test: /DNS resolution failed for|could not translate host name|could not resolve host|name or service not known|name does not resolve|nodename nor servname|bad address '|can't resolve '|server can't find|unknown host|cannot resolve /i, address: new RegExp(`(?:resolution failed for|host name "|resolve host:?|known \\(?|bad address '|can't resolve '|can't find|unknown host:?|cannot resolve) ?(?<host>${HOST})(?::(?<port>\\d{1,5}))?`, 'i') },
  { class: 'refused', test: /connection refused|ECONNREFUSED|actively refused/i, address: new RegExp(`(?:dial tcp|ECONNREFUSED|connect(?:ing|ion)? to|connect to|to server at|to host|to) "?\\[?(?<host>${HOST}(?<![.]))\\]?"?[:,] ?(?:port )?(?<port>\\d{1,5})`, 'i') },
  { class: 'timeout', test: /i\/o timeout|ETIMEDOUT|connect(?:ion)? timed out|Communications link failure|context deadline exceeded|download timed out/i, address: new RegExp(`(?:dial tcp|ETIMEDOUT|connect(?:ing|ion)? to|to) "?(?<host>${HOST})"?[:,] ?(?:port )?(?<port>\\d{1,5})`, 'i') },
];

/** The trouble a line (as `plainLine` gives it) tells of; undefined for a line that tells of none. */
export function callTrouble(line: string): CallTrouble | undefined {
  for (const { class: name, test, address, server } of WORDINGS) {
    if (!test.test(line)) continue;
    const groups = address?.exec(line)?.groups;
    const [host, port] = [withoutTail(groups?.['host'] ?? '', '.:'), parseInteger(groups?.['port'])];
    return {
      class: name,
      ...(host === '' ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(server === undefined ? {} : { server }),
      ...(name === 'credentials' ? callerIn(line) : {}),
    };
  }
  return undefined;
}

/** MySQL: `'user'@'10.1.0.7'`; PostgreSQL: `for host "10.1.0.7"`, `host=10.1.0.7`. */
function callerIn(line: string): { readonly caller?: string } {
  const caller = /(?:@'|for host "|host=)(\d{1,3}(?:\.\d{1,3}){3})/.exec(line)?.[1];
  return caller === undefined ? {} : { caller };
}
