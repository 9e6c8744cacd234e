import type { Json, JsonObject } from '../base/json.ts';
import { asList, asNumber, asObject, asText, dig, digAt } from '../base/json.ts';
import { sameJson } from '../base/json-edit.ts';
import type { KubeObject } from './kube-object.ts';
import type { Moment, MomentWord, TraceRecord } from './trace-record.ts';

/** What happened in a moment of a trace, in words; nothing for what nobody asks about (answered requests, renewed leases). */
export function momentWords(moment: Moment): readonly MomentWord[] {
  const { record } = moment;
  switch (record.is) {
    case 'input':
      return inputWords(record);
    case 'request':
      return requestWords(record);
    case 'change':
      return changeWords(moment);
    case 'container':
      return [
        word(
          `Pod ${field(record, 'pod')}`,
          containerText(record),
          field(record, 'what').startsWith('exited') && !field(record, 'what').startsWith('exited 0') ? 'bad' : 'plain',
        ),
      ];
    case 'process':
      return [word(field(record, 'name'), field(record, 'what'), 'outside')];
    case 'note':
      return [word(field(record, 'certificate') === '' ? 'cluster' : `certificate ${field(record, 'certificate')}`, field(record, 'what'))];
    default:
      return [];
  }
}

function inputWords(record: TraceRecord): readonly MomentWord[] {
  switch (record['do']) {
    case 'apply':
      return asList(record['documents']).map((document) =>
        word(
          nameOf(document, asText(dig(record['options'], 'namespace'))),
          dig(record['options'], 'dryRun') === true
            ? 'is applied (dry run)'
            : dig(record['options'], 'create') === true
              ? 'is given to kubectl create'
              : 'is applied',
          'outside',
        ),
      );
    case 'request': {
      const request = asObject(record['request']);
      return [
        word(
          'kubectl',
          [
            field(request, 'verb'),
            field(request, 'resource'),
            field(request, 'subresource'),
            [field(request, 'namespace'), field(request, 'name')].filter((part) => part !== '').join('/'),
          ]
            .filter((part) => part !== '')
            .join(' '),
          'outside',
        ),
      ];
    }
    case 'exec': {
      const { request, wish } = asObject(record['exec']);
      if (wish === undefined) return [];
      return [
        word(
          'kubectl',
          [
            'exec',
            `${asText(dig(request, 'namespace')) ?? ''}/${asText(dig(request, 'pod')) ?? ''}`,
            '--',
            ...asList(dig(wish, 'command')).map((part) => asText(part) ?? ''),
          ].join(' '),
          'outside',
        ),
      ];
    }
    case 'inject': {
      const { fault, ...given } = asObject(record['fault']);
      return [
        word(
          'fault',
          [
            asText(fault) ?? '',
            ...Object.entries(given).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
          ].join(' '),
          'outside',
        ),
      ];
    }
    default:
      return [];
  }
}

/** Conflicts, and what was not there yet or any more, are part of every healthy cluster. */
const ROUTINE: readonly number[] = [404, 409, 410];

function requestWords(record: TraceRecord): readonly MomentWord[] {
  const code = asNumber(record['code']) ?? 0;
  if ((code >= 200 && code < 400) || ROUTINE.includes(code)) return [];
  const reason = field(record, 'reason');
  return [
    word(
      field(record, 'as') === '' ? 'anonymous' : field(record, 'as'),
      `${field(record, 'verb')} ${field(record, 'path')} is refused: ${reason === '' ? code : reason}: ${field(record, 'message')}`,
      'bad',
    ),
  ];
}

function changeWords(moment: Moment): readonly MomentWord[] {
  const { object, previous } = moment;
  const any = object ?? previous;
  if (any === undefined || any.kind === 'Lease') return [];
  if (any.kind === 'Event') return object === undefined ? [] : eventWords(object);
  const subject = subjectOf(any);
  if (object === undefined) return [word(subject, 'is gone')];
  const texts = [...(previous === undefined ? ['appears'] : []), ...changes(object, previous)];
  return [
    ...texts.map((text) => word(subject, text)),
    ...conditionWords(subject, object, previous),
    ...containerWords(subject, object, previous),
    ...readyWords(subject, object, previous),
  ];
}

function eventWords(event: KubeObject): readonly MomentWord[] {
  const about = asObject(event['involvedObject'] ?? event['regarding']);
  const message = asText(event['message']) ?? asText(event['note']) ?? '';
  const warns = event['type'] === 'Warning';
  return [
    word(
      nameOf({ kind: about['kind'], metadata: about }, undefined),
      `${warns ? 'Warning ' : ''}${field(event, 'reason')}: ${message}`,
      warns ? 'bad' : 'plain',
    ),
  ];
}

function changes(object: KubeObject, previous: KubeObject | undefined): readonly string[] {
  const texts: string[] = [];
  const newly = (...path: string[]): Json | undefined => {
    const value = digAt(object, path);
    return sameJson(value, previous === undefined ? undefined : digAt(previous, path)) ? undefined : value;
  };
  const node = asText(newly('spec', 'nodeName'));
  if (object.kind === 'Pod' && node !== undefined) texts.push(`is bound to ${node}`);
  const phase = asText(newly('status', 'phase'));
  if (phase !== undefined) texts.push(`is ${phase}`);
  if (newly('metadata', 'deletionTimestamp') !== undefined) texts.push('is being deleted');
  const taints = newly('spec', 'taints');
  if (object.kind === 'Node' && (taints !== undefined || dig(previous, 'spec', 'taints') !== dig(object, 'spec', 'taints')))
    texts.push(
      `taints: ${
        asList(taints)
          .map((taint) => `${asText(dig(taint, 'key')) ?? ''}:${asText(dig(taint, 'effect')) ?? ''}`)
          .join(', ') || 'none'
      }`,
    );
  const generation = asNumber(newly('metadata', 'generation'));
  if (previous !== undefined && generation !== undefined && dig(object, 'metadata', 'deletionTimestamp') === undefined)
    texts.push('has a new spec');
  return texts;
}

function conditionWords(subject: string, object: KubeObject, previous: KubeObject | undefined): readonly MomentWord[] {
  const before = new Map(
    asList(dig(previous, 'status', 'conditions')).map((condition) => [asText(dig(condition, 'type')) ?? '', condition]),
  );
  return asList(dig(object, 'status', 'conditions')).flatMap((condition) => {
    const [type, status, reason] = ['type', 'status', 'reason'].map((name) => asText(dig(condition, name)) ?? '') as [
      string,
      string,
      string,
    ];
    const old = before.get(type);
    if (old !== undefined && dig(old, 'status') === status && (asText(dig(old, 'reason')) ?? '') === reason) return [];
    return [word(subject, `${type} is ${status}${reason === '' ? '' : ` (${reason})`}`)];
  });
}

function containerWords(subject: string, object: KubeObject, previous: KubeObject | undefined): readonly MomentWord[] {
  if (object.kind !== 'Pod') return [];
  return ['initContainerStatuses', 'containerStatuses'].flatMap((list) => {
    const before = new Map(
      asList(dig(previous, 'status', list)).map((status) => [asText(dig(status, 'name')) ?? '', stateText(asObject(dig(status, 'state')))]),
    );
    return asList(dig(object, 'status', list)).flatMap((status) => {
      const name = asText(dig(status, 'name')) ?? '';
      const text = stateText(asObject(dig(status, 'state')));
      return text === '' || before.get(name) === text
        ? []
        : [word(subject, `container ${name} is ${text}`, /BackOff|Err|: Error|OOMKilled|Invalid/.test(text) ? 'bad' : 'plain')];
    });
  });
}

function stateText(state: JsonObject): string {
  const [waiting, terminated] = [state['waiting'], state['terminated']];
  if (waiting !== undefined) return `waiting: ${asText(dig(waiting, 'reason')) ?? ''}`;
  if (terminated !== undefined)
    return `terminated: ${asText(dig(terminated, 'reason')) ?? ''}, exit code ${asNumber(dig(terminated, 'exitCode')) ?? ''}`;
  return state['running'] === undefined ? '' : 'running';
}

/** How many are ready, of what counts its pods or addresses. */
function readyWords(subject: string, object: KubeObject, previous: KubeObject | undefined): readonly MomentWord[] {
  const [now, before] = [readyText(object), previous === undefined ? undefined : readyText(previous)];
  return now === undefined || now === before ? [] : [{ ...word(subject, now), passing: true }];
}

function readyText(object: KubeObject): string | undefined {
  if (object.kind === 'EndpointSlice') {
    const endpoints = asList(object['endpoints']);
    return `has ${endpoints.filter((endpoint) => dig(endpoint, 'conditions', 'ready') !== false).length} of ${endpoints.length} addresses ready`;
  }
  const wanted = asNumber(dig(object, 'spec', 'replicas')) ?? asNumber(dig(object, 'status', 'desiredNumberScheduled'));
  if (wanted === undefined) return undefined;
  return `has ${asNumber(dig(object, 'status', 'readyReplicas')) ?? asNumber(dig(object, 'status', 'numberReady')) ?? 0} of ${wanted} ready`;
}

function containerText(record: TraceRecord): string {
  const container = field(record, 'container');
  return `${container === '' ? '' : `container ${container}: `}${field(record, 'what')}${field(record, 'volume') === '' ? '' : ` ${field(record, 'volume')}`} on ${field(record, 'node')}`;
}

function subjectOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** Of an object nobody has checked yet. */
function nameOf(object: Json | undefined, namespace: string | undefined): string {
  const [kind, name] = [
    asText(dig(object, 'kind')) ?? '',
    asText(dig(object, 'metadata', 'name')) ?? asText(dig(object, 'metadata', 'generateName')) ?? '',
  ];
  const place = asText(dig(object, 'metadata', 'namespace')) ?? namespace;
  return `${kind} ${place === undefined || kind === 'Node' ? '' : `${place}/`}${name}`;
}

function field(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'number' ? String(value) : (asText(value) ?? '');
}

function word(subject: string, text: string, weight: MomentWord['weight'] = 'plain'): MomentWord {
  return { subject, text, weight, passing: false };
}
