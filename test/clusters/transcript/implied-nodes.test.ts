import { describe, expect, it } from 'vitest';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { read } from '../../support/transcripts.ts';

const HEAD = '$ kubectl get events -A\nNAMESPACE   LAST SEEN   TYPE     REASON   OBJECT   MESSAGE\n';
const row = (age: string, reason: string, node = 'till-2'): string =>
  `default   ${age}   Normal   ${reason}   node/${node}   Node ${node} status is now: ${reason}\n`;

/** Conditions of the nodes that the events imply, as `till-2 DiskPressure=True`. */
function conditions(text: string): readonly string[] {
  return read(text).objects.flatMap((object) =>
    object.kind === 'Node'
      ? asList(dig(object, 'status', 'conditions')).map(
          (condition) => `${object.metadata.name} ${asText(dig(condition, 'type'))}=${asText(dig(condition, 'status'))}`,
        )
      : [],
  );
}

describe('events of a node that was not seen', () => {
  it('tell of its pressure, whatever it was before', () => {
    expect(conditions(HEAD + row('9m', 'NodeHasNoDiskPressure') + row('2m', 'NodeHasDiskPressure'))).toEqual(['till-2 DiskPressure=True']);
    expect(conditions(HEAD + row('2m', 'NodeHasInsufficientMemory') + row('9m', 'NodeHasSufficientMemory'))).toEqual([
      'till-2 MemoryPressure=True',
    ]);
  });

  it('tell nothing of one whose pressure is over', () => {
    expect(conditions(HEAD + row('9m', 'NodeHasDiskPressure') + row('2m', 'NodeHasNoDiskPressure'))).toEqual([]);
    expect(conditions(HEAD + row('9m', 'Starting'))).toEqual([]);
  });

  it('tell nothing that a list of nodes tells', () => {
    const list = '$ kubectl get nodes\nNAME     STATUS   ROLES    AGE   VERSION\ntill-2   Ready    <none>   9d    v1.30.1\n';
    expect(conditions(list + HEAD + row('2m', 'NodeHasDiskPressure'))).toEqual(['till-2 Ready=True']);
  });
});
