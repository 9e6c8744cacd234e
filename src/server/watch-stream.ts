import type { Writable } from 'node:stream';
import type { JsonObject } from '../base/json.ts';
import { parseInteger } from '../base/number.ts';
import type { ApiRequest, Cluster, Failure, Representation, WatchEvent, WatchHandle } from '../simulator/index.ts';
import { apiVersionOf, badRequest } from '../simulator/index.ts';
import type { Exchange } from './exchange.ts';
import { isOpen } from './exchange.ts';
import type { IssuedCertificates } from './issued-certificates.ts';
import { SIGNING_REQUESTS } from './issued-certificates.ts';
import { isTrue } from './route.ts';
import { sendFailure, sendText } from './send.ts';
import type { WireText } from './wire-text.ts';

/**
 * The watches under way. What a slow client has not taken yet is kept for it; while anyone has too much to take, `full` says so and
 * time is to stand still, so that nobody loses an event. Who takes nothing for too long is cut off, as a real server does.
 */
export class WatchStreams {
  readonly #cluster: Cluster;
  readonly #text: WireText;
  readonly #issued: IssuedCertificates;
  readonly #streams = new Set<WatchStream>();
  readonly #full = new Set<WatchStream>();

  constructor(cluster: Cluster, text: WireText, issued: IssuedCertificates) {
    this.#cluster = cluster;
    this.#text = text;
    this.#issued = issued;
  }

  get full(): boolean {
    return this.#full.size > 0;
  }

  get count(): number {
    return this.#streams.size;
  }

  /** Begins a watch and answers with its code; the stream goes on by itself. */
  start(exchange: Exchange, request: ApiRequest, representation: Representation): number {
    const initial = exchange.query.has('sendInitialEvents') ? isTrue(exchange.query.get('sendInitialEvents')) : undefined;
    const bookmarks = isTrue(exchange.query.get('allowWatchBookmarks')) && exchange.query.has('allowWatchBookmarks');
    const refused = refusedOptions(request, initial);
    if (refused !== undefined) return sendFailure(exchange, refused);
    const kind = `${representation.contentType} ${exchange.query.get('includeObject') ?? ''}`;
    const write = (event: WatchEvent, first: boolean): Uint8Array => {
      const body = (): JsonObject =>
        representation.watched(request.resource === SIGNING_REQUESTS ? this.#issued.shown(event.object) : event.object, first);
      return first
        ? this.#text.firstLine(event.type, body())
        : this.#text.line(event.type, { object: event.object, kind, at: this.#cluster.now() }, body);
    };
    const stream: WatchStream = new WatchStream({
      exchange,
      contentType: representation.contentType,
      write,
      most: () => this.#mostOfEach(),
      setFull: (full) => void (full ? this.#full.add(stream) : this.#full.delete(stream)),
    });
    const { resourceVersion, ...rest } = request;
    // Everything first, then what changes: a revision to start from would leave out what is there.
    const asked = initial === true || resourceVersion === undefined ? rest : request;
    const started = this.#cluster.watch(
      asked,
      (event) => stream.event(event),
      () => stream.end(),
    );
    if (!started.ok) return started.code === 410 ? sendTooOld(exchange, started) : sendFailure(exchange, started);
    this.#streams.add(stream);
    stream.open();
    const bookmark = (): JsonObject => this.#bookmark(request);
    if (initial === true) stream.bookmark(withAnnotation(bookmark()));
    const timers = this.#timers(exchange, stream, bookmarks ? bookmark : undefined);
    const leaves = (): void => stream.end();
    // Over HTTP/1.1 a client that sends no more has left, as Go's server sees it.
    if (exchange.request.httpVersionMajor === 1) exchange.socket.once('end', leaves);
    stream.whenClosed(() => {
      exchange.socket.removeListener('end', leaves);
      this.#forget(stream, started.handle, timers);
    });
    return 200;
  }

  /** Ends all: the server goes away. */
  end(): void {
    for (const stream of Array.from(this.#streams)) stream.end();
  }

  /** How much is kept for each: what is on its way is encrypted for everybody apart, so all of them together have a limit too. */
  #mostOfEach(): number {
    return Math.min(FULL_BYTES, Math.max(LEAST_BYTES, ALL_BYTES / Math.max(1, this.#streams.size)));
  }

  #forget(stream: WatchStream, handle: WatchHandle, timers: readonly NodeJS.Timeout[]): void {
    for (const timer of timers) clearTimeout(timer);
    handle.stop();
    this.#streams.delete(stream);
    this.#full.delete(stream);
  }

  #timers({ query }: Exchange, stream: WatchStream, bookmark: (() => JsonObject) | undefined): readonly NodeJS.Timeout[] {
    const asked = parseInteger(query.get('timeoutSeconds') ?? '') ?? 0;
    const seconds = asked > 0 ? asked : DEFAULT_SECONDS;
    const timers = [setTimeout(() => stream.end(), Math.min(seconds, LONGEST_SECONDS) * 1000)];
    if (bookmark !== undefined) timers.push(setInterval(() => stream.bookmark(bookmark()), BOOKMARK_MILLISECONDS));
    return timers;
  }

  /** An object of the watched kind that says nothing but how far the watch has come. */
  #bookmark(request: ApiRequest): JsonObject {
    const { server, store } = this.#cluster;
    const resource = server.resources.at(request.group, request.version, request.resource);
    return {
      kind: resource?.kind ?? '',
      apiVersion: resource === undefined ? '' : apiVersionOf(resource),
      metadata: { resourceVersion: String(store.revision), creationTimestamp: null },
    };
  }
}

/** Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/internalversion/validation/validation.go (ValidateListOptions). */
function refusedOptions({ resourceVersionMatch }: ApiRequest, initial: boolean | undefined): Failure | undefined {
  if (initial === undefined)
    return resourceVersionMatch === undefined
      ? undefined
      : badRequest('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  if (resourceVersionMatch !== 'NotOlderThan')
    return badRequest('resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  return undefined;
}

/**
 * What is known only once the watch is under way is an event of it. Source: staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go
 * (newErrWatcher).
 */
function sendTooOld(exchange: Exchange, { status }: Failure): number {
  return sendText(exchange, 200, 'application/json', `{"type":"ERROR","object":${JSON.stringify(status)}}\n`);
}

function withAnnotation(bookmark: JsonObject): JsonObject {
  return { ...bookmark, metadata: { ...(bookmark['metadata'] as JsonObject), annotations: { 'k8s.io/initial-events-end': 'true' } } };
}

interface StreamOptions {
  readonly exchange: Exchange;
  readonly contentType: string;
  readonly write: (event: WatchEvent, first: boolean) => Uint8Array;
  /** Bytes that may be kept for it. */
  readonly most: () => number;
  readonly setFull: (full: boolean) => void;
}

/** One client's stream of events. Events before it is opened wait too: whether it can be opened is known only after they came. */
class WatchStream {
  readonly #options: StreamOptions;
  readonly #queue: Uint8Array[] = [];
  #first = true;
  #opened = false;
  #gathering = false;
  #stuck: NodeJS.Timeout | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  event(event: WatchEvent): void {
    this.#write(this.#options.write(event, this.#first));
    this.#first = false;
  }

  bookmark(object: JsonObject): void {
    this.#write(Buffer.from(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}\n`));
  }

  open(): void {
    const { response } = this.#options.exchange;
    response.statusCode = 200;
    response.setHeader('content-type', this.#options.contentType);
    response.flushHeaders();
    this.#opened = true;
    this.#flush();
  }

  end(): void {
    const { exchange } = this.#options;
    if (!isOpen(exchange)) return;
    for (const line of this.#queue.splice(0)) exchange.response.write(line);
    exchange.response.end();
  }

  whenClosed(run: () => void): void {
    this.#options.exchange.response.once('close', () => {
      clearTimeout(this.#stuck);
      this.#queue.length = 0;
      run();
    });
  }

  /** What happens in one slice of time goes out together: a thousand events to hundreds of clients are few writes then. */
  #write(line: Uint8Array): void {
    this.#queue.push(line);
    if (!this.#opened || this.#gathering) return;
    this.#gathering = true;
    setImmediate(() => {
      this.#gathering = false;
      this.#flush();
    });
  }

  /** Hands over as much as may be on its way; the rest waits in the queue, where it is the same bytes for all who watch. */
  #flush(): void {
    const { exchange, most } = this.#options;
    if (!isOpen(exchange) || this.#stuck !== undefined) return;
    const sink = sinkOf(exchange);
    const limit = most();
    let taken = 0;
    sink.cork();
    for (const line of this.#queue) {
      if (sink.writableLength >= limit) break;
      sink.write(line);
      taken++;
    }
    sink.uncork();
    this.#queue.splice(0, taken);
    if (sink.writableLength >= limit) this.#waitUntilTaken(sink);
  }

  #waitUntilTaken(sink: Writable): void {
    this.#options.setFull(true);
    this.#waitFor(sink, sink.writableLength);
    sink.once('drain', () => {
      clearTimeout(this.#stuck);
      this.#stuck = undefined;
      this.#options.setFull(false);
      this.#flush();
    });
  }

  /** Slow is not gone: only who takes nothing at all for so long is cut off. */
  #waitFor(sink: Writable, left: number): void {
    this.#stuck = setTimeout(() => {
      const now = sink.writableLength;
      if (now < left) this.#waitFor(sink, now);
      else this.#options.exchange.response.destroy();
    }, STUCK_MILLISECONDS);
  }
}

/** Where the bytes of an answer go: the stream of HTTP/2, which tells how much of them has not been taken, or the answer itself. */
function sinkOf({ response }: Exchange): Writable {
  return (response as { readonly stream?: Writable }).stream ?? response;
}

/**
 * A server of its own accord ends a watch after half an hour to an hour. Source:
 * staging/src/k8s.io/apiserver/pkg/server/options/server_run_options.go.
 */
const DEFAULT_SECONDS = 1800;
/** As long as a timer of Node can be. */
const LONGEST_SECONDS = 2_000_000;
/** Source: staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go (defaultBookmarkFrequency). */
const BOOKMARK_MILLISECONDS = 60_000;
/** More than this is not kept for one client while time goes on. */
const FULL_BYTES = 131_072;
const ALL_BYTES = 16_777_216;
/** A few events, however many watch: a client that is given less at a time waits more than it reads. */
const LEAST_BYTES = 16_384;
const STUCK_MILLISECONDS = 20_000;
