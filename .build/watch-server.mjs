// Serves a file with one object a line as a Kubernetes API server would, for lists, single objects and watches in which nothing happens.
// It keeps places in the file only: what is measured is the client. node watch-server.mjs FILE; prints its port. /asked tells what it was
// asked for so far, and over how many connections.
import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';

const VERSION = '1000';
const file = openSync(process.argv[2], 'r');

/** `[start, length]` of each object, by kind and by kind and namespace, and by kind, namespace and name. */
const [lists, objects] = [new Map(), new Map()];
index();

const asked = { requests: [], connections: 0 };
const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://server');
  if (url.pathname === '/asked') {
    response.end(JSON.stringify(asked));
    return;
  }
  asked.requests.push(request.url);
  if (url.searchParams.has('watch')) {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    return;
  }
  const [code, body] = answer(url);
  response.writeHead(code, { 'content-type': 'application/json' }).end(body);
});
server.on('connection', () => asked.connections++);
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

function answer({ pathname, searchParams }) {
  if (pathname === '/version') return [200, '{"gitVersion":"v1.36.0"}'];
  const [, , namespace, plural, name] =
    /^\/apis?(\/[a-z0-9.]+){1,2}(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (plural === undefined) return [404, status(404)];
  if (name === undefined) return [200, list(plural, namespace, searchParams)];
  const place = objects.get(`${plural} ${namespace ?? ''} ${name}`);
  return place === undefined ? [404, status(404, name)] : [200, textAt(place)];
}

function list(plural, namespace, parameters) {
  const all = lists.get(namespace === undefined ? plural : `${plural} ${namespace}`) ?? [];
  const wanted = filterOf(parameters);
  const from = Number(parameters.get('continue') ?? 0);
  const limit = Number(parameters.get('limit') ?? all.length);
  const page = wanted === undefined ? all.slice(from, from + limit) : all.filter((place) => wanted(JSON.parse(textAt(place))));
  const next = wanted === undefined && from + limit < all.length ? `,"continue":"${from + limit}"` : '';
  return `{"kind":"List","metadata":{"resourceVersion":"${VERSION}"${next}},"items":[${page.map(textAt).join(',')}]}`;
}

function filterOf(parameters) {
  const [labels, fields] = [parameters.get('labelSelector'), parameters.get('fieldSelector')];
  if (labels === null && fields === null) return undefined;
  const pairs = (text) =>
    (text ?? '')
      .split(',')
      .filter(Boolean)
      .map((one) => one.split(/==?/));
  return (object) =>
    pairs(labels).every(([key, value]) => object.metadata.labels?.[key] === value) &&
    pairs(fields).every(([path, value]) => valueAt(object, path) === value);
}

function valueAt(object, path) {
  let at = object;
  for (const step of path.split('.')) at = at?.[step];
  return at;
}

function index() {
  const piece = Buffer.allocUnsafe(8 * 1024 * 1024);
  let [at, rest] = [0, Buffer.alloc(0)];
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
    const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const last = bytes[end - 1] === 44 ? end - 1 : end;
      if (bytes[start] === 123 && bytes[last - 1] === 125) add(JSON.parse(bytes.toString('utf8', start, last)), [at + start, last - start]);
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
    at += start;
  }
}

function add({ kind, metadata: { namespace, name } }, place) {
  const lower = kind.toLowerCase();
  const plural = lower.endsWith('s') ? `${lower}es` : `${lower}s`;
  for (const key of namespace === undefined ? [plural] : [plural, `${plural} ${namespace}`]) {
    if (!lists.has(key)) lists.set(key, []);
    lists.get(key).push(place);
  }
  objects.set(`${plural} ${namespace ?? ''} ${name}`, place);
}

function textAt([start, length]) {
  const bytes = Buffer.allocUnsafe(length);
  readSync(file, bytes, 0, length, start);
  return bytes.toString('utf8');
}

function status(code, name) {
  return JSON.stringify({ kind: 'Status', status: 'Failure', code, reason: 'NotFound', message: 'not found', details: { name } });
}
