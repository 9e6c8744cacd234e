import { formatInstant } from '../../base/instant.ts';
import { asNumber, asText, dig } from '../../base/json.ts';
import { parsedObject } from '../../base/parsed-json.ts';

/** With the node in front, as `talosctl logs` prints it. */
const MARK = /^\s{0,8}(?:\S{1,253}: )?(?=\{"ts":\d[\d.]{0,25},"caller":")/;

/** A line about a pod that a kubelet writes as JSON, as klog writes it otherwise; undefined for any other line. Source: component-base/logs/json. */
export function klogLine(text: string): string | undefined {
  const head = MARK.exec(text)?.[0];
  const fields = head === undefined ? undefined : parsedObject(text.slice(head.length));
  const [name, namespace] = ['name', 'namespace'].map((field) => asText(dig(fields, 'pod', field)));
  const [caller, message] = ['caller', 'msg'].map((field) => asText(dig(fields, field)));
  if (name === undefined || namespace === undefined || caller === undefined || message === undefined) return undefined;
  const error = asText(dig(fields, 'err'));
  const [month = '', day = '', time = ''] = formatInstant(Math.floor(asNumber(dig(fields, 'ts')) ?? 0))
    .slice(5, 19)
    .split(/[-T]/);
  const told = error === undefined ? '' : ` err=${JSON.stringify(error)}`;
  return `${told === '' ? 'I' : 'E'}${month}${day} ${time}.000000    1000 ${caller.replace(/^.*\//, '')}] ${JSON.stringify(message)}${told} pod="${namespace}/${name}"`;
}
