import { tellsTrouble } from '../logs/log-lines.ts';

const MADE =
  /(?<!not |dis|un|been |is |be |get |if |when |until |clients? |users? |peers? )connected\b(?! from|:? false)|\bconnection .{0,80}\bestablished/i;
/** Whose client it is tells no more than what it calls. */
const OF_CLIENT = /\b(?:redis|mongo\w*|mysql|postgres\w*|kafka|db|database)\b[\w ]{1,12}\bconnected\b/i;

/** Servers by their names and by their ports; a database may be one of the last. */
const SERVERS = [
  /redis|\b6379\b/i,
  /kafka|broker|\b9092\b/i,
  /rabbit|amqp|\b5672\b/i,
  /elastic|\b9200\b/i,
  /database|\bdb\b|mongo|\b27017\b/i,
  /database|\bdb\b|postgres|\b5432\b/i,
  /database|\bdb\b|mysql|maria|\b3306\b/i,
];

/** Whether a line of a log says that its program was connected to another. */
export function tellsConnection(line: string): boolean {
  return (MADE.test(line) || OF_CLIENT.test(line)) && !tellsTrouble(line);
}

/** Whether a line that goes on from its trouble, as a sentence of prose does, ends with a connection to the same server. */
export function endsConnected(line: string): boolean {
  const at = line.search(AT_LAST);
  if (at <= 0) return false;
  const [before, after] = [line.slice(0, at), line.slice(at)];
  return tellsTrouble(before) && !tellsTrouble(after) && mayBeSameServer(after, before);
}

const AT_LAST = /\bconnection .{1,80}\bestablished\b/i;

/** Whether what a line tells of a connection that was made may be about the server with which another line tells of trouble. */
export function mayBeSameServer(made: string, trouble: string): boolean {
  const [other, own] = [serversIn(made), serversIn(trouble)];
  return own.length === 0 ? other.length !== 1 : other.length === 0 || other.some((server) => own.includes(server));
}

function serversIn(line: string): readonly RegExp[] {
  return SERVERS.filter((server) => server.test(line));
}
