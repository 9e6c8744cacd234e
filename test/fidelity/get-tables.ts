import type { Json } from '../../src/base/json.ts';
import { canonicalJson, withFields } from '../../src/base/json-edit.ts';
import { textOf } from '../../src/base/json-text.ts';
import { largest } from '../../src/base/lists.ts';
import { withoutUndefined } from '../../src/base/without-undefined.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { asItems } from '../../src/simulator/apiserver/lists.ts';
import { qualified } from '../../src/simulator/apiserver/failures.ts';
import { printerFor } from '../../src/simulator/apiserver/table/table.ts';
import type { OutsideRequest } from '../../src/simulator/index.ts';
import type { CommandLine } from './command-line.ts';
import type { Address, CommandAnswer, Terminal } from './kubectl-terminal.ts';
import { addressOf, failed, send } from './kubectl-terminal.ts';

/**
 * `kubectl get`, as tables, and one object as JSON whatever form was wanted; undefined for what is not drawn here. Source:
 * staging/src/k8s.io/kubectl/pkg/cmd/get/get.go.
 */
export function getTables({ options }: CommandLine, what: string, names: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const [kinds = '', inOne] = what.split('/');
  const form = FORMS.get(options.get('o') ?? '');
  if (kinds === '' || kinds === 'all' || options.has('w') || form === undefined) return undefined;
  const wanted = inOne ?? names[0];
  const wish: Wish = { wanted, form, several: kinds.includes(','), options };
  const parts: string[] = [];
  for (const kind of kinds.split(',')) {
    const part = getKind(kind, wish, terminal);
    if (typeof part !== 'string') return part;
    if (part !== '') parts.push(part);
  }
  return { output: parts.join('\n\n'), exitCode: 0 };
}

type Form = 'plain' | 'wide' | 'whole';

/** What is wanted of each kind. */
interface Wish {
  /** The one object that is named. */
  readonly wanted: string | undefined;
  readonly form: Form;
  readonly several: boolean;
  readonly options: CommandLine['options'];
}

/** The table of one kind, empty without objects; or the whole answer, where no other table can be in it. */
function getKind(kind: string, { wanted, form, several, options }: Wish, terminal: Terminal): string | CommandAnswer {
  const at = addressOf(kind, options.get('n'));
  if (at === undefined) return { output: `error: the server doesn't have a resource type "${kind}"`, exitCode: 1 };
  const namespace = options.has('A') || options.has('all-namespaces') ? undefined : at.namespace;
  const answer = send(terminal, requestFor(withoutUndefined({ ...at, namespace }), wanted, options, terminal));
  if (!answer.ok) return failed(answer, '');
  if (form === 'whole') return wholeObject(answer.object);
  const objects = wanted === undefined ? asItems(answer.object) : [answer.object];
  if (objects.length === 0) return several ? '' : nothingIn(namespace);
  const drawing: Drawing = {
    key: qualified({ group: at.group, resource: at.resource }),
    wide: form === 'wide',
    prefix: several ? `${at.word}/` : '',
    namespaced: namespace === undefined && at.namespace !== undefined,
  };
  return tableText(objects, drawing, terminal);
}

/** What `-o` may ask for. */
const FORMS: ReadonlyMap<string, Form> = new Map([
  ['', 'plain'],
  ['wide', 'wide'],
  ['yaml', 'whole'],
  ['json', 'whole'],
]);

/** All objects at a place, or the one that is named. */
function requestFor(at: Address, wanted: string | undefined, options: CommandLine['options'], terminal: Terminal): OutsideRequest {
  const { word: _, ...place } = at;
  if (wanted !== undefined) return { verb: 'get', ...place, name: at.resource === 'pods' ? terminal.podOf(wanted) : wanted };
  return withoutUndefined({ verb: 'list', ...place, labelSelector: options.get('l') ?? options.get('selector') });
}

function wholeObject(object: KubeObject): CommandAnswer {
  return {
    output: canonicalJson(withFields(object, { metadata: withFields(object.metadata, { managedFields: undefined }) })),
    exitCode: 0,
  };
}

function nothingIn(namespace: string | undefined): CommandAnswer {
  return { output: namespace === undefined ? 'No resources found' : `No resources found in ${namespace} namespace.`, exitCode: 0 };
}

interface Drawing {
  readonly key: string;
  readonly wide: boolean;
  readonly prefix: string;
  readonly namespaced: boolean;
}

function tableText(objects: readonly KubeObject[], { key, wide, prefix, namespaced }: Drawing, { cluster }: Terminal): string {
  const printer = printerFor(key);
  const shown = printer.columns.flatMap(({ priority }, index) => (priority === 0 || wide ? [index] : []));
  const header = [...(namespaced ? ['NAMESPACE'] : []), ...shown.map((index) => (printer.columns[index]?.name ?? '').toUpperCase())];
  const rows = objects.map((object) => {
    const cells: readonly Json[] = printer.row(object, cluster.now());
    return [
      ...(namespaced ? [object.metadata.namespace ?? ''] : []),
      ...shown.map((index) => `${index === 0 ? prefix : ''}${textOf(cells[index])}`),
    ];
  });
  const widths = header.map((title, column) => largest([title.length, ...rows.map((row) => row[column]?.length ?? 0)]) + GAP);
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

const GAP = 3;

/**
 * The rows of printed tables by their columns, without what another moment would have printed otherwise: ages, and how long ago a
 * container was restarted. Empty for what is no table.
 */
export function tableRows(output: string): readonly string[] {
  const rows: string[] = [];
  let columns: readonly { readonly title: string; readonly from: number; readonly to: number }[] = [];
  for (const line of output.split('\n')) {
    if (/^(?:NAMESPACE|NAME) {2,}[A-Z]/.test(line)) {
      const titles = [...line.matchAll(/\S+(?: \S+)*/g)];
      columns = titles.map((title, index) => ({
        title: title[0],
        from: title.index,
        to: titles[index + 1]?.index ?? Number.POSITIVE_INFINITY,
      }));
    } else if (line.trim() !== '') {
      if (columns.length === 0) return [];
      rows.push(
        columns
          .filter(({ title }) => !OF_THE_MOMENT.has(title))
          .map(({ title, from, to }) => cellOf(title, line.slice(from, to).trim()))
          .join(' '),
      );
    }
  }
  return rows;
}

const OF_THE_MOMENT: ReadonlySet<string> = new Set(['AGE', 'LAST SEEN', 'DURATION', 'LAST SCHEDULE']);

function cellOf(title: string, cell: string): string {
  return title === 'RESTARTS' ? (cell.split(' (', 1)[0] ?? '') : cell;
}
