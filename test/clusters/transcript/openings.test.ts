import { expect, it } from 'vitest';
import type { Opening } from '../../../src/model/rule.ts';
import { eventsIn, read } from '../../support/transcripts.ts';

const OPENING: Opening = {
  place: 'event',
  component: 'kubelet',
  reason: 'FailedTurbine',
  begins: 'Error: ',
  text: 'the turbine of volume "{{ volume: word }}" ',
};

it('reads a message that stands alone as the event that its opening names', () => {
  const text = 'Since noon I see that the turbine of volume "disk-7" stalls, what now?';
  expect(eventsIn(read(text, { openings: [OPENING] }))).toEqual([expect.stringContaining('Warning FailedTurbine x1 Pod/')]);
  expect(eventsIn(read(text, { openings: [OPENING] }))[0]).toContain(': Error: the turbine of volume "disk-7" stalls, what now?');
  expect(eventsIn(read(text))).toEqual([]);
});

it('takes the message in quotation marks where the opening says that it stands there', () => {
  const opening: Opening = { ...OPENING, begins: '', text: 'with TurbineError: "{{ message }}' };
  const text = 'failed to start container "c" with TurbineError: "it stalls", failed to "StartContainer" for "d"';
  expect(eventsIn(read(text, { openings: [opening] }))).toEqual([expect.stringMatching(/FailedTurbine .*: it stalls$/)]);
});
