import { parseInteger } from '../../base/number.ts';

/** An address that a text says something listens on. */
export interface ListenAddress {
  readonly port: number;
  readonly loopback: boolean;
  readonly protocol?: 'http' | 'https' | 'grpc' | 'tcp';
}

const STARTS =
  /listen|start(?:ed|ing)\b|running|serving|bound to|bind(?:ing)? to|accept(?:ing)? connections|ready for connections|available (?:at|on)/i;
/** Lines about somebody else's port, or about a port that could not be had. */
const NOT_OWN =
  /connect(?:ing|ed)? to|dial|upstream|proxy(?:ing)? to|forward|fail|error|refused|in use|unable|cannot|could not|metrics|debug|admin|pprof|process that|another/i;
/** `[::]:80`, `0.0.0.0:80`, `127.0.0.1:80`, `localhost:80`, `:80`, `*:80`, `http://…:80`; not `redis:6379`. */
const ADDRESS = /(?:(https?|grpc|tcp):\/\/)?(\[[0-9a-f:]{0,39}\]|\d{1,3}(?:\.\d{1,3}){3}|localhost|\*|(?<![\w.\]-])):(\d{2,5})(?!\d)/i;
const NAMED_PORT = /\bport(?:\(s\)|s)?["']?\s{0,3}(?:is |number )?[:=]?\s{0,3}["']?:?(\d{2,5})\b/i;
const BARE_PORT = /\b(?:listening|serving|running) (?:on|at) (\d{2,5})\b/i;
const HOST = /\b(?:on|at|to) (?:address )?["']?(127\.0\.0\.1|localhost|\[?::1\]?)["']?\b/i;

/** Reads a log line such as `Tomcat started on port(s): 8080 (http)` or `starting to listen on tcp: "[::]:5050"`. */
export function listenLine(line: string): ListenAddress | undefined {
  const text = line.slice(0, 500);
  if (!STARTS.test(text) || NOT_OWN.test(text)) return undefined;
  const [, scheme, host = '', addressPort] = ADDRESS.exec(text) ?? [];
  const port = portOf(addressPort ?? NAMED_PORT.exec(text)?.[1] ?? BARE_PORT.exec(text)?.[1]);
  return port === undefined ? undefined : address(port, isLoopback(host) || (host === '' && HOST.test(text)), protocolOf(scheme, text));
}

/** Spring Boot, Kafka, Elasticsearch, PostgreSQL, MySQL, nginx. */
const STARTED = /server started|\] started|^started|started \S+ in \d|[s:;*] ready (?:for|to accept) /i;

/** Whether a program says that it has started. */
export function tellsStart(line: string): boolean {
  return STARTED.test(line) || listenLine(line) !== undefined;
}

const FLAG =
  /(?:^|\s)(?:-p|-l|-b|-addr|--?([\w.-]{0,30}[-.])?(?:port|listen|bind|addr|address))(?:[= ]|\s{1,3})["']?(?:(https?):\/\/)?(\[?[\w.:*-]{0,60}\]?:)?(\d{2,5})(?!\d|\.)/g;
/** A flag that names another service, or a port that serves something else than the program's work. */
const OTHER_FLAG =
  /db|sql|postgres|pg|redis|mongo|rabbit|kafka|amqp|nats|upstream|remote|metric|debug|admin|peer|target|backend|client|health/i;
const BARE_LISTEN = /(?:^|\s)(?:runserver|http\.server|serve)\s{1,3}(?:(\[?[\w.:*-]{1,60}\]?):)?(\d{2,5})(?!\d|\.)/g;

/** Reads ports out of a command: `httpd -p 127.0.0.1:8080`, `server --port=9000`, `manage.py runserver 0.0.0.0:8000`. */
export function listenCommand(command: string): readonly ListenAddress[] {
  const text = command.slice(0, 4000);
  const flags = [...text.matchAll(FLAG)].flatMap(([, flag = '', scheme, host = '', port = '']) =>
    OTHER_FLAG.test(flag) ? [] : [{ scheme, host: host.replace(/:$/, ''), port }],
  );
  const bare = [...text.matchAll(BARE_LISTEN)].map(([, host = '', port = '']) => ({ scheme: undefined, host, port }));
  return [...flags, ...bare].flatMap(({ scheme, host, port: written }) => {
    const port = portOf(written);
    return port === undefined || !isAddress(host) ? [] : [address(port, isLoopback(host), protocolOf(scheme, ''))];
  });
}

const ENV_NAME =
  /^(?:(?:HTTP|HTTPS|GRPC|SERVER|APP|LISTEN|BIND|SERVICE|WEB|API|CONTAINER|ASPNETCORE_HTTP|ASPNETCORE)_)?(?:PORT|PORTS|LISTEN_ADDR|LISTEN_ADDRESS|SERVER_ADDR|URLS)$/;

/** Reads a variable that by custom says where the program is to listen: `PORT=8080`, `SERVER_PORT`, `ASPNETCORE_URLS=http://+:5000`. */
export function listenVariable(name: string, value: string): ListenAddress | undefined {
  if (!ENV_NAME.test(name)) return undefined;
  const parts = /^(?:(https?):\/\/)?(?:([\w.*+[\]:-]{0,60}):)?(\d{2,5})\/?$/.exec(value.trim().slice(0, 200));
  const [, scheme = name.startsWith('GRPC') ? 'grpc' : undefined, host = '', written] = parts ?? [];
  const port = portOf(written);
  return port === undefined ? undefined : address(port, isLoopback(host), protocolOf(scheme, ''));
}

function protocolOf(scheme: string | undefined, text: string): ListenAddress['protocol'] {
  const word = scheme?.toLowerCase();
  if (word === 'http' || word === 'https' || word === 'grpc') return word;
  if (/\bgrpc\b/i.test(text)) return 'grpc';
  if (/\(http\)|\bhttp server\b|\bweb ?server\b|\btomcat\b|\bjetty\b|\buvicorn\b|\bgunicorn\b|serving http\b/i.test(text)) return 'http';
  return /\(https\)/i.test(text) ? 'https' : undefined;
}

function isLoopback(host: string): boolean {
  return /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[?::1\]?)$/i.test(host);
}

/** Whether a host in a command is an address to bind to, and not the name of another machine to call. */
function isAddress(host: string): boolean {
  return isLoopback(host) || /^(?:\*|\+|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]*\]|:*)$/i.test(host);
}

function portOf(text: string | undefined): number | undefined {
  const port = parseInteger(text);
  return port !== undefined && port > 0 && port < 65_536 ? port : undefined;
}

function address(port: number, loopback: boolean, protocol: ListenAddress['protocol']): ListenAddress {
  return { port, loopback, ...(protocol === undefined ? {} : { protocol }) };
}
