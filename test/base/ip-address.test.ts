import { expect, it } from 'vitest';
import { parseIpAddress } from '../../src/base/ip-address.ts';

it.each([
  ['10.0.0.1', 4, 0x0a_00_00_01n],
  ['255.255.255.255', 4, 0xff_ff_ff_ffn],
  ['::', 6, 0n],
  ['::1', 6, 1n],
  ['2001:db8::7', 6, 0x2001_0db8_0000_0000_0000_0000_0000_0007n],
])('reads %s', (text, family, value) => {
  expect(parseIpAddress(text)).toEqual({ family, value });
});

it.each(['10.0.0', '10.0.0.256', '010.0.0.1', '10.0.0.1/8', '1::2::3', '12345::', '1:2:3:4:5:6:7', 'shop', ''])(
  'takes %j for no address',
  (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  },
);
