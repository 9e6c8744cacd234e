import type { Json } from '../../../base/json.ts';
import { asList, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { age, count, hasCondition, NONE, text, textOr, UNSET } from './cells.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';

const ADMISSION = 'admissionregistration.k8s.io';

/** Source: pkg/printers/internalversion/printers.go. */
export const POLICIES: Readonly<Record<string, Printer>> = {
  [`validatingwebhookconfigurations.${ADMISSION}`]: webhooks(),
  [`mutatingwebhookconfigurations.${ADMISSION}`]: webhooks(),
  [`validatingadmissionpolicies.${ADMISSION}`]: policies('Validations', 'validations'),
  [`mutatingadmissionpolicies.${ADMISSION}`]: policies('Mutations', 'mutations'),
  [`validatingadmissionpolicybindings.${ADMISSION}`]: policyBindings(),
  [`mutatingadmissionpolicybindings.${ADMISSION}`]: policyBindings(),
  'flowschemas.flowcontrol.apiserver.k8s.io': {
    columns: columns('Name, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL'),
    row: (it, now) => [
      it.metadata.name,
      text(it, 'spec', 'priorityLevelConfiguration', 'name'),
      count(it, 'spec', 'matchingPrecedence'),
      textOr(NONE, it, 'spec', 'distinguisherMethod', 'type'),
      age(it, now),
      hasCondition(it, 'Dangling') ? 'True' : hasCondition(it, 'Dangling', 'False') ? 'False' : '?',
    ],
  },
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': {
    columns: columns('Name, Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age'),
    row: (it, now) => {
      const [limited, queuing] = [dig(it, 'spec', 'limited'), dig(it, 'spec', 'limited', 'limitResponse', 'queuing')];
      const cell = (value: Json | undefined): string => (value === undefined ? NONE : textOf(value));
      return [
        it.metadata.name,
        text(it, 'spec', 'type'),
        cell(dig(limited, 'nominalConcurrencyShares')),
        cell(dig(queuing, 'queues')),
        cell(dig(queuing, 'handSize')),
        cell(dig(queuing, 'queueLengthLimit')),
        age(it, now),
      ];
    },
  },
  'resourceclaims.resource.k8s.io': {
    columns: columns('Name, State, Age'),
    row: (it, now) => [it.metadata.name, claimState(it), age(it, now)],
  },
  'resourceslices.resource.k8s.io': {
    columns: columns('Name, Node, Driver, Pool, Age'),
    row: (it, now) => [
      it.metadata.name,
      textOr(UNSET, it, 'spec', 'nodeName'),
      text(it, 'spec', 'driver'),
      text(it, 'spec', 'pool', 'name'),
      age(it, now),
    ],
  },
};

function webhooks(): Printer {
  return {
    columns: columns('Name, Webhooks:integer, Age'),
    row: (it, now) => [it.metadata.name, asList(it['webhooks']).length, age(it, now)],
  };
}

function policies(title: string, field: string): Printer {
  return {
    columns: columns(`Name, ${title}:integer, ParamKind, Age`),
    row: (it, now) => {
      const kind = dig(it, 'spec', 'paramKind');
      return [
        it.metadata.name,
        asList(dig(it, 'spec', field)).length,
        kind === undefined ? UNSET : `${textOf(dig(kind, 'apiVersion'))}/${textOf(dig(kind, 'kind'))}`,
        age(it, now),
      ];
    },
  };
}

function policyBindings(): Printer {
  return {
    columns: columns('Name, PolicyName, ParamRef, Age'),
    row: (it, now) => {
      const ref = dig(it, 'spec', 'paramRef');
      const [namespace, name] = [textOf(dig(ref, 'namespace')), textOf(dig(ref, 'name'))];
      return [
        it.metadata.name,
        text(it, 'spec', 'policyName'),
        ref === undefined ? UNSET : `${namespace === '' ? '*' : namespace}/${name === '' ? '*' : name}`,
        age(it, now),
      ];
    },
  };
}

function claimState(claim: Parameters<Printer['row']>[0]): string {
  const states = [
    ...(claim.metadata['deletionTimestamp'] === undefined ? [] : ['deleted']),
    ...(dig(claim, 'status', 'allocation') === undefined ? [] : ['allocated']),
    ...(asList(dig(claim, 'status', 'reservedFor')).length === 0 ? [] : ['reserved']),
  ];
  return states.length === 0 ? 'pending' : states.join(',');
}
