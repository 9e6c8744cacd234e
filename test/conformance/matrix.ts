/** One row of the table in the server's README: commands of kubectl, and how the served cluster answers them. */
export interface Row {
  readonly commands: string;
  readonly answer: string;
}

const WORKS = 'works';

/** Each row is held true by tests of its name (`row('get', …)` in this folder). */
export const MATRIX = {
  get: { commands: '`get` (`-o wide`, `yaml`, `json`, `jsonpath`, `name`, `custom-columns`, `--show-labels`, `-A`, `-l`, `--field-selector`, `--sort-by`, `--chunk-size`)', answer: WORKS },
  watch: { commands: '`get --watch`, `wait`', answer: WORKS },
  describe: { commands: '`describe` of every kind', answer: WORKS },
  create: { commands: '`create` with every generator, `run`, `expose`, `autoscale`', answer: WORKS },
  apply: { commands: '`apply` (client- and server-side, `--dry-run=server`, `--prune`), `diff`, `replace`', answer: WORKS },
  change: { commands: '`edit`, `patch` (all types), `label`, `annotate`, `set image\\|env\\|resources\\|selector\\|serviceaccount\\|subject`, `scale`', answer: WORKS },
  delete: { commands: '`delete` (`--wait`, `--force`, `--cascade`, `-l`)', answer: WORKS },
  rollout: { commands: '`rollout status\\|history\\|undo\\|restart\\|pause\\|resume`', answer: WORKS },
  logs: { commands: '`logs` (`-f`, `--previous`, `--tail`, `--since`, `-l`, `deploy/…`)', answer: WORKS },
  exec: { commands: '`exec` (`-i`, a command, a shell)', answer: 'a modelled shell: what a container would have to look with' },
  attach: { commands: '`attach`, `run -it`, `debug -it`', answer: 'a modelled shell that is typed into; of other programs what they say' },
  cp: { commands: '`cp`', answer: WORKS },
  debug: { commands: '`debug` (of a pod, a copy of it, a node)', answer: WORKS },
  nodes: { commands: '`cordon`, `uncordon`, `drain`, `taint`, `top`', answer: WORKS },
  access: { commands: '`auth can-i` (`--list`), `auth whoami`, `create token`, `--as`', answer: WORKS },
  discovery: { commands: '`api-resources`, `api-versions`, `explain`, `version`, `cluster-info` (`dump`)', answer: WORKS },
  events: { commands: '`events`, `get events`', answer: WORKS },
  certificates: { commands: '`certificate approve\\|deny`', answer: 'works: whoever has the key comes in with what was issued' },
  custom: { commands: 'all of these on custom resources', answer: 'works; a conversion webhook that cannot be reached fails as it would, one that answers changes nothing; patterns that could take for ever are taken to fit' },
  refused: { commands: 'what is refused: wrong fields of the common kinds, what may not change, conflicts, missing rights, policies, webhooks and custom resources whose CEL or schema is wrong', answer: 'word for word, with the lines and carets of compile errors; not modelled are the cost limits of CEL, and defaults that a schema of a custom resource does not take' },
  notModelled: { commands: '`port-forward`', answer: 'not modelled, and said so' },
  clients: { commands: '`@kubernetes/client-node` (informers, watch), `python3-kubernetes`', answer: WORKS },
} as const satisfies Readonly<Record<string, Row>>;

export type RowId = keyof typeof MATRIX;

/** The table as the server's README has it. */
export function formatMatrix(): string {
  const rows = Object.values(MATRIX).map(({ commands, answer }) => `| ${commands} | ${answer} |`);
  return ['| command | answer |', '|---|---|', ...rows].join('\n');
}
