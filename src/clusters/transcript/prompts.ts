import { VERSIONED } from './command.ts';

/** A line on which a command was typed. */
export interface Prompt {
  readonly command: string;
  /** The host the prompt names, if it names one. */
  readonly host?: string;
}

/**
 * How commands are marked in one text. `sharp` also takes `# kubectl …` and `> kubectl …` for commands: only where nothing better
 * occurs, since these are comments and redirections elsewhere. `bare` takes lines that simply begin with kubectl.
 */
export type PromptStyle = 'dollar' | 'sharp';

const SYMBOL = '[$#%>❯➜»λ]';
const WORD = String.raw`[^\s$#%>❯➜»λ"'{}|]{1,100}`;
/** `user@host:~/app$`, `[root@master ~]#`, `[7:00:45] user:~ $`, `(venv) host:~ user$`, `PS C:\work>`, `/ #`. */
const PREFIX = String.raw`(?:\([\w.:/@-]{1,60}\) ?)?(?:\[[\w.-]{1,64}@(?:([\w.-]{1,253})|[#*x]{3,60})[^\]]{0,80}\]|[\w.+-]{1,64}@([\w.-]{1,253})(?:[: ]${WORD}){0,2}|PS [A-Za-z]:[^>]{0,100}|[A-Za-z]:\\[^>]{0,100}|[~/][^\s$#%>]{0,100}|[\w.-]{1,253}:[~/][^\s$#%>]{0,80}(?: ${WORD})?)`;
/** `(base) ➜  shop git:(main) ✗`: the symbol stands in front. */
const ARROW = String.raw`(?:\([\w.:/@-]{1,60}\) {1,2})?➜ {1,2}${WORD}(?: git:\([^)]{1,60}\))?(?: ✗)?`;
const CLOCK = String.raw`(?:\[\d{1,2}:\d\d(?::\d\d)?\] )?`;
const WITH_HOST = new RegExp(`^\\s{0,12}(?:${CLOCK}${PREFIX} ?${SYMBOL}|${ARROW}) {1,2}(\\S.*)$`, 'u');
/** `C:\work>kubectl`: the shell of Windows puts no blank behind its mark. */
const OF_WINDOWS = /^\s{0,12}[A-Za-z]:\\[^<>"|?*]{0,100}>(\S.*)$/;
const COMMAND = String.raw`(?:sudo\s+)?(?:[A-Z_]{1,64}=\S*\s+){0,8}(?:(?:\./)?(?:k3s|k0s|microk8s|minikube)\s+(?:--\s+)?)?(?:kubectl(?:[-_]?v?1[\d.]{1,7})?|oc|k|kc|kubectl\.exe|microk8s\.kubectl)\s+(?:-\S+\s+(?:[^\s-]\S*\s+)?){0,12}(?:get|describe|logs?|apply|create|delete|edit|patch|scale|rollout|expose|run|exec|events|top|explain|auth|config|cordon|uncordon|drain|taint|label|annotate|replace|set|debug|version|cluster-info|wait|diff|port-forward|api-resources|attach|cp)\b`;
/** A prompt of any other form, where what follows is unmistakably a command of kubectl: `projects$`, `><>`; the end of an arrow's. */
const OTHER_PROMPT = new RegExp(`^\\s{0,12}(?:[^\\s"'{}|]{1,60}${SYMBOL}|✗) {1,2}(${COMMAND}.*)`, 'u');
/** A sentence that ends with a command and a colon: its output follows. */
const ANNOUNCED = new RegExp(`[.,;!?)\\w] {1,3}\`?(${COMMAND}[^\`:]{0,200})\`?:\\s{0,10}$`);
const DOLLAR = /^\s{0,12}[$❯➜»λ] {0,2}(\S.*)$/u;
const SHARP = new RegExp(`^\\s{0,12}(?:[#%>] ?(?=${COMMAND})|# (?=(?:crictl|docker) (?:ps(?:$| -)|logs (?:-|[0-9a-f]{4}|k8s_)|-)))(.*)`);
/** Deeper ones may be arguments of a container that describe prints. */
const BARE = new RegExp(`^ {0,3}(${COMMAND}.*)`);
/** A whole line that is a read with flags and nothing else: no output and no sentence is. */
const FLAGGED =
  /^ {0,3}(?:kubectl|oc|kc?) (?:get|describe|logs?) [a-z][\w,./-]{0,252}(?: [a-z0-9][\w.-]{0,252})?(?: (?:-A|--all-namespaces|-p|--previous|(?:-n|--namespace|-o|-l|-c|--container|--tail)[ =]?[\w.,/=-]{1,253}))+\s*$/;
/** Headings of scripts, traces of shells, and what GitHub's and Azure's runners print before a step. */
const HEADER = /^(?:(?:={2,}|-{2,}|\+{1,2}|>{2,3}|\*{2,3}) +|##\[group\]Run |(?:##)?\[command\])(?:\$ )?(?:\/usr\/(?:local\/)?bin\/)?(.*)/;
const HEADER_END = / (?:={2,}|-{2,}|\*{2,3}):?$/;
const SHELL_WORD = /^(?:\.{0,2}\/)?[A-Za-z_][\w.+-]*(?:\/[\w.+-]+)*(?:=\S*)?(?:\s|$)/;

/** Words that begin what people type next to kubectl; anything else after a bare `$` may be a price or a variable in a log. */
const PROGRAMS = new Set(
  (
    'kubectl oc k kc cat ssh systemctl journalctl service sudo helm docker crictl nerdctl ctr podman echo export grep egrep curl wget cd ls vi vim nano ps top free df du ' +
    'ping nslookup dig host ip ss netstat lsof less more head tail watch for while if date uname id whoami pwd mkdir rm cp mv scp make git kind minikube k3d k3s ' +
    'microk8s microk8s.kubectl k0s kubectx kubens kustomize stern jq yq awk sed tee time alias source env printenv dmesg uptime hostname clear exit history openssl nc telnet etcdctl ' +
    'eksctl gcloud aws az terraform ansible calicoctl cilium istioctl argocd flux velero sh bash zsh'
  ).split(' '),
);

/** Which marks this text uses: looks for the unmistakable ones first. */
export function promptStyle(lines: Iterable<string>): PromptStyle {
  for (const line of lines) {
    const typed = DOLLAR.exec(line)?.[1] ?? hostPrompt(line)?.command;
    if (typed !== undefined && isProgram(typed)) return 'dollar';
  }
  return 'sharp';
}

/** The command typed on a line, if it is one. */
export function promptOn(line: string, style: PromptStyle): Prompt | undefined {
  const command = afterDollar(line) ?? inHeader(line);
  if (command !== undefined) return { command };
  const hosted = hostPrompt(line);
  if (hosted !== undefined) return hosted;
  const other = line.length > 4096 ? undefined : (OTHER_PROMPT.exec(line)?.[1] ?? announced(line));
  const typed =
    other ?? (style === 'sharp' ? (SHARP.exec(line)?.[1] ?? BARE.exec(line)?.[1]) : FLAGGED.test(line) ? line.trim() : undefined);
  return typed === undefined ? undefined : { command: typed };
}

function afterDollar(line: string): string | undefined {
  const typed = DOLLAR.exec(line)?.[1];
  return typed !== undefined && isProgram(typed) ? typed : undefined;
}

/** `=== kubectl get pods ===`: scripts that collect outputs print each command as a heading. */
function inHeader(line: string): string | undefined {
  const header = HEADER.exec(line)?.[1]?.replace(HEADER_END, '').trimEnd();
  return header !== undefined && BARE.test(header) ? header : undefined;
}

function announced(line: string): string | undefined {
  return line.length < 500 && line.trimEnd().endsWith(':') ? ANNOUNCED.exec(line)?.[1]?.split(/[,;] /)[0]?.trimEnd() : undefined;
}

/** What somebody calls kubectl: a word before arguments that only kubectl takes. */
const ALIASED =
  /^(?!\S*ctl\s)[a-z][\w.-]{0,40}\s+((?:-n|--namespace)[ =][a-z][a-z0-9-]{0,62}\s+(?:(?:get|describe)\s+(?:pods?|po|events?|ev|all|deploy\w*|sts|statefulsets?|rs|jobs?|svc|pvc|no|nodes?)\b|logs?\s).*)$/;

function hostPrompt(line: string): Prompt | undefined {
  if (line.length > 4096 || !/[$#%>❯➜»λ]/u.test(line.slice(0, 256))) return undefined;
  const found = WITH_HOST.exec(line) ?? [];
  const command = found[3] ?? OF_WINDOWS.exec(line)?.[1];
  if (command === undefined) return undefined;
  const host = found[1] ?? found[2];
  const aliased = ALIASED.exec(command);
  if (!isProgram(command) && aliased === null) return undefined;
  return { command: aliased === null ? command : `kubectl ${aliased[1] ?? ''}`, ...(host === undefined ? {} : { host }) };
}

function isProgram(command: string): boolean {
  if (!SHELL_WORD.test(command)) return false;
  const [first = ''] = command.replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, '').split(/\s/, 1);
  const name = first.replace(/^.*\//, '').replace(/\.exe$/, '');
  return PROGRAMS.has(name) || VERSIONED.test(name);
}
