import { isLogEntry } from '../../snapshot/recognise.ts';
import { textFields } from '../../../base/parsed-json.ts';

/** A line without what a log puts around the words of a program. */
export interface Unframed {
  readonly text: string;
  /** Host that wrote it, where the journal names it. */
  readonly host?: string;
  /** Program that wrote it: `kubelet`, `containerd`. */
  readonly program?: string;
  /** The process that klog's header names. */
  readonly pid?: string;
  /** `namespace/name` of the pod that the log's own fields name. */
  readonly pod?: string;
  readonly container?: string;
  /** The line has the layout of a program's log: its words are no person's. */
  readonly isLog: boolean;
}

const BULLET = /^\s{0,40}(?:[-*•] |\d{1,3}\. )/;
/** An entry in JSON that a person put in quotation marks, and a message as `jq` prints it. */
const QUOTED_ENTRY = /^"(\{".*\}|(?:[^"\\]|\\.){1,8000})",?$/;
const STAMP = /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[.,\d]{0,12}(?:Z|[+-]\d\d:?\d\d)?\]?(?: (?:stdout|stderr) [FP])?\s{1,4}/;
const JOURNAL =
  /^(?:\[[ \d.]{1,20}\] )?(?:(?:\p{L}{3,5}\.?|\d{1,2}[月월]) {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?|\d{4}-\d\d-\d\dT\S{8,30}) ?([\w.-]{1,253})? {1,2}([A-Za-z][\w./@-]{0,100})(?:\[\d{1,10}\])?: {1,2}/u;
/** What `journalctl -o cat` or a person leaves of it. */
const PROCESS = /^()([a-z][\w./@-]{0,60})\[\d{1,10}\]: {1,2}/;
const DMESG = /^\[ {0,8}\d{1,9}\.\d{1,9}\] ([\w.-]{1,253}) ([A-Za-z][\w./@-]{0,100})\[\d{1,10}\]: /;
/** klog's header. Source: k8s.io/klog/v2 (formatHeader); a console may glue its own time in front. */
const KLOG = /(?:^|[\s\]APM])[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}\s{1,8}(\d{1,10}) ([\w./@-]{1,200}):\d{1,6}\] /;

/** Takes a line of a journal, of klog, of logfmt or of JSON apart, one within another. */
export function unframed(line: string): Unframed {
  const outer = withoutFrame(line);
  // As a service logs the lines of a component that it runs. Source: k0sproject/k0s pkg/supervisor.
  return outer.isLog && KLOG.exec(outer.text.slice(0, 60))?.index === 0 ? { ...outer, ...withoutFrame(outer.text), isLog: true } : outer;
}

function withoutFrame(line: string): Unframed {
  // YAML doubles an apostrophe within others.
  let text = line
    .replace(BULLET, '')
    .trim()
    .replace(QUOTED_ENTRY, '$1')
    .replaceAll(/\b''\b/g, "'");
  let [host, program, pid, isLog]: [string | undefined, string | undefined, string | undefined, boolean] = [
    undefined,
    undefined,
    undefined,
    false,
  ];
  const journal = JOURNAL.exec(text) ?? DMESG.exec(text) ?? PROCESS.exec(text);
  if (journal !== null) {
    [host, program, isLog] = [journal[1] === '' ? undefined : journal[1], OTHER_NAMES[journal[2] ?? ''] ?? journal[2], true];
    text = text.slice(journal[0].length);
  } else text = text.replace(STAMP, '');
  const klog = KLOG.exec(text.slice(0, 600));
  if (klog !== null) {
    isLog = true;
    pid = klog[1];
    // All components have a run.go. In a container each is process 1, and the kubelet runs in none.
    if (pid !== '1') program ??= programOf(klog[2] ?? '');
    text = text.slice(klog.index + klog[0].length);
  }
  const writer = {
    ...(host === undefined ? {} : { host }),
    ...(program === undefined ? {} : { program }),
    ...(pid === undefined ? {} : { pid }),
  };
  const fields = fieldsOf(text);
  return fields === undefined ? { ...withoutTail(pickedText(text)), isLog, ...writer } : { ...fields, isLog: true, ...writer };
}

/** What the kubelet is called where it is part of another program: in OpenShift. */
const OTHER_NAMES: Readonly<Record<string, string>> = { kubenswrapper: 'kubelet' };

/** Files that only the kubelet has. Source: pkg/kubelet, pkg/volume. */
const KUBELET_FILES =
  /^(?:kubelet\w*|pod_workers|kuberuntime_\w+|remote_(?:runtime|image)|docker_sandbox|prober\w*|eviction_manager|generic|cni|summary_sys\w*|run|transport|desired_state_of_world_populator|pod_startup_latency_tracker|container_manager_linux|server|setters|status_manager|log|bootstrap|certificate_manager|pod_container_deletor|image_gc_manager|cpu_manager|topology_manager)\.go$/;
/** Its volume manager and the plugins within it. */
const VOLUME_FILES =
  /^(?:nestedpendingoperations|reconciler\w*|operation_(?:executor|generator)|actual_state_of_world|volume_manager|mount_linux|csi_\w+|configmap|secret|projected|downwardapi|glusterfs\w*|nfs|rbd\w*|iscsi\w*|cephfs|host_path|empty_dir\w*|local|flexvolume\w*|subpath_linux)\.go$/;

function programOf(file: string): string | undefined {
  const name = file.replace(/^.*\//, '');
  return KUBELET_FILES.test(name) || VOLUME_FILES.test(name) ? 'kubelet' : undefined;
}

const QUOTED = /^"((?:[^"\\]|\\.){0,4000})"/;
/** The rest of a message that was cut off at its beginning. */
const CUT = /^([^"=]{1,300})"(?= err="(?:[^"\\]|\\.){1,4000}" pod=")/;
const FIELD = /(?:^|\s)([A-Za-z][\w./-]{0,60})=(?:"((?:[^"\\]|\\.){0,8000})"?|([^\s"]{1,4000}))/g;

/** The words of a structured line: its error where it has one, else its message. */
function fieldsOf(text: string): Pick<Unframed, 'text' | 'pod' | 'container'> | undefined {
  const json = text.startsWith('{') ? (textFields(text) ?? cutFields(text)) : undefined;
  return json === undefined ? pairedWords(text) : wordsOf(json.get('msg') ?? json.get('message') ?? json.get('log') ?? '', json);
}

/** Whoever picks fields with `jq` names them anyhow: the words are the longest of them. */
function pickedText(text: string): string {
  const fields = text.startsWith('{') && text.endsWith('}') ? [...(textFields(text)?.values() ?? [])] : [];
  return fields.toSorted((one, other) => other.length - one.length)[0] ?? text;
}

/** Texts of an entry that is JSON up to where it was cut. */
function cutFields(text: string): ReadonlyMap<string, string> | undefined {
  if (!isLogEntry(text) || text.endsWith('}')) return undefined;
  const fields = new Map<string, string>();
  for (const [, key = '', value = ''] of text.slice(0, 16_384).matchAll(CUT_FIELD)) if (!fields.has(key)) fields.set(key, unescaped(value));
  return fields;
}

const CUT_FIELD = /"([\w@.-]{1,60})" ?: ?"((?:[^"\\]|\\.){0,8000})(?:"|$)/g;

/** `"message" key="value"` of klog, `msg=message key=value` of logfmt. */
function pairedWords(text: string): Pick<Unframed, 'text' | 'pod' | 'container'> | undefined {
  const message = QUOTED.exec(text)?.[1] ?? CUT.exec(text)?.[1];
  if (message === undefined && !/(?:^|\s)(?:msg|level|time)=/.test(text)) return undefined;
  const fields = pairsIn(text);
  if (message !== undefined && fields.size === 0) return undefined;
  return wordsOf(message === undefined ? (fields.get('msg') ?? '') : unescaped(message), fields);
}

/** Of equal keys the first. */
function pairsIn(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [, key = '', quoted, bare = ''] of text.slice(0, 16_384).matchAll(FIELD))
    if (!fields.has(key)) fields.set(key, quoted === undefined ? bare : unescaped(quoted));
  return fields;
}

function wordsOf(message: string, fields: ReadonlyMap<string, string>): Pick<Unframed, 'text' | 'pod' | 'container'> | undefined {
  const error = fields.get('err') ?? fields.get('error') ?? fields.get('error.message');
  const told = fields.get('message') ?? fields.get('output') ?? fields.get('probeResult') ?? fields.get('resourceName');
  const text = error === undefined ? (told !== undefined && told !== message ? `${message}: ${told}` : message) : `${message}: ${error}`;
  if (text.trim() === '') return undefined;
  const [pod, container] = [fields.get('pod') ?? podOf(fields), fields.get('containerName')];
  return { text: unescaped(text), ...(pod === undefined ? {} : { pod }), ...(container === undefined ? {} : { container }) };
}

function podOf(fields: ReadonlyMap<string, string>): string | undefined {
  if (fields.get('kind') !== 'Pod') return fields.get('logging_pod'); // CloudNativePG pkg/management/log
  const [object, namespace, name] = ['object', 'namespace', 'name'].map((key) => fields.get(key));
  return object ?? (namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`);
}

/** A message with the error, and the pod, that the JSON behind it names. Source: go.uber.org/zap zapcore/console_encoder.go. */
function withoutTail(text: string): Pick<Unframed, 'text' | 'pod'> {
  const start = text.endsWith('}') ? Math.max(text.lastIndexOf('\t{"'), text.lastIndexOf('    {"')) : -1;
  const fields = start < 0 ? undefined : textFields(text.slice(start).trim());
  const [pod, error] = [fields?.get('pod'), fields?.get('error')];
  if (pod === undefined && error === undefined) return { text: unescaped(text) };
  const message = unescaped(text.slice(0, start)).trimEnd();
  return { text: error === undefined ? message : `${message}: ${error}`, ...(pod === undefined ? {} : { pod }) };
}

/** A text within a text within a log has its quotation marks escaped as often. */
function unescaped(text: string): string {
  let plain = text;
  for (let depth = 0; depth < 3 && plain.includes('\\"'); depth++) plain = plain.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
  return plain;
}
