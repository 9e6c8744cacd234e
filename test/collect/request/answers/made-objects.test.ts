import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../../../support/transcripts.ts';
import { collect } from '../../../../src/collect/collect.ts';
import type { Target } from '../../../../src/model/diagnosis.ts';

async function targetsOf(text: string): Promise<readonly Target[]> {
  return (await collect(readTranscript(text, { openings: OPENINGS, name: 'paste.txt', now: 0 }).reader, {}, [])).targets;
}

describe('objects of which only the making was seen', () => {
  it('can be asked about, and nothing is claimed of them', async () => {
    const targets = await targetsOf('$ kubectl -n shop apply -f app.yaml\ndeployment.apps/web created\nconfigmap/settings created\n');
    expect(targets).toEqual([
      {
        ref: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        state: 'unknown',
        reason: 'only that it was made was seen',
        members: [],
      },
    ]);
  });

  it('are not there after a dry run, or when they were deleted', async () => {
    expect(await targetsOf('$ kubectl -n shop apply -f app.yaml --dry-run=server\ndeployment.apps/web created (server dry run)\n')).toEqual(
      [],
    );
    expect(await targetsOf('$ kubectl -n shop delete pod web-1\npod "web-1" deleted\n')).toEqual([]);
  });
});
