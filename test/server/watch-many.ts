import { connect } from 'node:http2';
import { WireClient } from './client.ts';

/** What one watch heard: how many events, and a number that stands for their kinds and revisions in their order. */
export interface WatchCount {
  readonly count: number;
  readonly digest: number;
}

const PATH = '/api/v1/namespaces/shop/pods?watch=true';
const PER_SESSION = 100;
/** As client-go has them. Source: golang.org/x/net/http2/transport.go (transportDefaultStreamFlow, transportDefaultConnFlow). */
const STREAM_WINDOW = 4_194_304;
const SESSION_WINDOW = 1_073_741_824;
const REVISION = '"resourceVersion":"';

/** Watches so many times at once, reading a kubeconfig and then how many events are to come; says what each heard. */
export async function watchMany(watches: number, input: AsyncIterable<string>, say: (line: string) => void): Promise<void> {
  const lines = input[Symbol.asyncIterator]();
  const kubeconfig = JSON.parse(String((await lines.next()).value)) as string;
  const counters = openWatches(new WireClient(kubeconfig), watches);
  const expected = Number((await lines.next()).value);
  const end = Date.now() + 600_000;
  while (counters.some(({ count }) => count < expected) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
  // One that is heard twice would come now.
  await new Promise((resolve) => setTimeout(resolve, 500));
  say(JSON.stringify(counters));
}

function openWatches(client: WireClient, watches: number): readonly WatchCount[] {
  const counters: { count: number; digest: number }[] = [];
  for (let session = 0; session * PER_SESSION < watches; session++) {
    const connection = connect(client.url, { ...client.tls, settings: { initialWindowSize: STREAM_WINDOW } }, (opened) =>
      opened.setLocalWindowSize(SESSION_WINDOW),
    );
    for (let stream = 0; stream < PER_SESSION && counters.length < watches; stream++) {
      const counter = { count: 0, digest: 0 };
      counters.push(counter);
      let rest: Buffer = Buffer.alloc(0);
      connection.request({ ':path': PATH }).on('data', (part: Buffer) => {
        rest = take(rest.length === 0 ? part : Buffer.concat([rest, part]), counter);
      });
    }
  }
  return counters;
}

/** Counts whole lines and gives back what is left: `{"type":"MODIFIED","object":{…"resourceVersion":"123"…}}`. */
function take(bytes: Buffer, counter: { count: number; digest: number }): Buffer {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    if (end < 0) return start === 0 ? bytes : bytes.subarray(start);
    const kind = 'AMD'.indexOf(String.fromCharCode(bytes[start + 9] ?? 0));
    const at = bytes.indexOf(REVISION, start) + REVISION.length;
    const revision = Number.parseInt(bytes.toString('latin1', at, at + 12), 10);
    counter.count++;
    counter.digest = (Math.imul(counter.digest, 31) + revision * 4 + kind) | 0;
    start = end + 1;
  }
}
