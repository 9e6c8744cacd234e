/** One row of the table in the server's README: commands of kubectl, and how the served cluster answers them. */
export interface Row {
  readonly commands: string;
  readonly answer: string;
}

const WORKS = 'works';

/** Each row is verified by tests of its name (`row('get', …)` in this folder). */
export const MATRIX = {
  get: {
    commands:
      '`get` (`-o wide`, `yaml`, `json`, `jsonpath`, `name`, `custom-columns`, `--show-labels`, `-A`, `-l`, `--field-selector`, `--sort-by`, `--chunk-size`)',
    answer: WORKS,
  },
  watch: { commands: '`get --watch`, `wait`', answer: WORKS },
  describe: { commands: '`describe` of every kind', answer: WORKS },
  create: { commands: '`create` with every generator, `run`, `expose`, `autoscale`', answer: WORKS },
  apply: { commands: '`apply` (client- and server-side, `--dry-run=server`, `--prune`), `diff`, `replace`', answer: WORKS },
  change: {
    commands:
      '`edit`, `patch` (all types), `label`, `annotate`, `set image\\|env\\|resources\\|selector\\|serviceaccount\\|subject`, `scale`',
    answer: WORKS,
  },
  delete: { commands: '`delete` (`--wait`, `--force`, `--cascade`, `-l`)', answer: WORKS },
  rollout: { commands: '`rollout status\\|history\\|undo\\|restart\\|pause\\|resume`', answer: WORKS },
  logs: { commands: '`logs` (`-f`, `--previous`, `--tail`, `--since`, `-l`, `deploy/…`)', answer: WORKS },
  exec: { commands: '`exec` (`-i`, a command, a shell)', answer: 'a modelled shell with the usual tools of a container' },
  attach: { commands: '`attach`, `run -it`, `debug -it`', answer: 'a modelled interactive shell; other programs only print their output' },
  cp: { commands: '`cp`', answer: WORKS },
  debug: { commands: '`debug` (of a pod, a copy of it, a node)', answer: WORKS },
  nodes: { commands: '`cordon`, `uncordon`, `drain`, `taint`, `top`', answer: WORKS },
  access: { commands: '`auth can-i` (`--list`), `auth whoami`, `create token`, `--as`', answer: WORKS },
  discovery: { commands: '`api-resources`, `api-versions`, `explain`, `version`, `cluster-info` (`dump`)', answer: WORKS },
  events: { commands: '`events`, `get events`', answer: WORKS },
  certificates: { commands: '`certificate approve\\|deny`', answer: 'works: the issued certificate authenticates its owner' },
  custom: {
    commands: 'all of these on custom resources',
    answer: 'works, also with conversion webhooks that a pod serves. Patterns that take too long count as matched',
  },
  refused: {
    commands:
      'requests that are denied: invalid or immutable fields, conflicts, missing permissions, policies, webhooks, invalid CEL or schemas of custom resources',
    answer: 'same messages, with lines and carets of compile errors. Not modelled: cost limits of CEL, and invalid defaults in schemas',
  },
  forward: {
    commands: '`port-forward` (pods, Deployments, Services)',
    answer: 'works for HTTP and HTTPS. Other protocols get the modelled answer of their program, gRPC none',
  },
  clients: {
    commands:
      'kubectl 1.25 to 1.36, `helm`, `client-go` (informers, leader election), `@kubernetes/client-node` (informers, watch), `python3-kubernetes`, popeye, k9s',
    answer: WORKS,
  },
} as const satisfies Readonly<Record<string, Row>>;

export type RowId = keyof typeof MATRIX;

/** The table as the server's README has it. */
export function formatMatrix(): string {
  const rows = Object.values(MATRIX).map(({ commands, answer }) => `| ${commands} | ${answer} |`);
  return ['| command | answer |', '|---|---|', ...rows].join('\n');
}
