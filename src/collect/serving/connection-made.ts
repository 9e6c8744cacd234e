import { tellsTrouble } from '../logs/log-lines.ts';

const MADE =
  /(?<!not |dis|un|been |is |be |get |if |when |until |clients? |users? |peers? )connected\b(?! from|:? false)|\bconnection .{0,80}\bestablished/i;
/** Whose client it is tells no more than what it calls. */
const OF_CLIENT = /\b(?:redis|valkey|mongo\w*|mysql|postgres\w*|kafka|db|database)\b[\w ]{1,12}\bconnected\b/i;

/** Servers by their names and by their ports; where one is called a database, it may be one of the last. */
const SERVERS = [
  /redis|valkey|\b6379\b/i,
  /kafka|broker|\b9092\b/i,
  /rabbit|amqp|\b5672\b/i,
  /elastic|opensearch|\b9200\b/i,
  /mongo|\b27017\b/i,
  /postgres|\bpg\b|\b5432\b/i,
  /mysql|maria|\b3306\b/i,
] as const;
const DATABASES_FROM = 4;
const DATABASE = /database|\bdb\b/i;

/** Whether a line of a log says that its program was connected to another. */
export function tellsConnection(line: string): boolean {
  return (MADE.test(line) || OF_CLIENT.test(line)) && !tellsTrouble(line);
}

/** Whether what a line tells of a connection that was made may be about the server with which another line tells of trouble. */
export function mayBeSameServer(made: string, trouble: string): boolean {
  const [other, own] = [serversIn(made), serversIn(trouble)];
  if (own.length === 0) return other.length === 0;
  if (other.length > 0) return other.some((server) => own.includes(server));
  return !DATABASE.test(made) || own.some((server) => server >= DATABASES_FROM);
}

function serversIn(line: string): readonly number[] {
  return SERVERS.flatMap((server, index) => (server.test(line) ? [index] : []));
}
