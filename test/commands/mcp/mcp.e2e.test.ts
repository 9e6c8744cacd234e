import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../support/built-program.ts';
import { folderWith } from '../../support/folder.ts';

const PROGRAM = resolve('dist/podcheck.js');
const SCENARIO = ['--scenario', 'volumes/configmap-not-found'];

/** The messages of a client of 2025, in one piece. */
function asked(...calls: readonly object[]): string {
  const first = {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const all = [{ id: 0, ...first }, { method: 'notifications/initialized' }, ...calls];
  return all.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

describe('podcheck mcp', () => {
  it('answers a client of the official SDK', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp', ...SCENARIO], stderr: 'ignore' }));
    const answer = await client.callTool({ name: 'diagnose', arguments: {} });
    expect(JSON.stringify(answer.structuredContent)).toContain('"rule":"volumes/configmap-not-found"');
    await client.close();
  });

  it('answers all that was asked before its input ends, and exits well', () => {
    const stdin = asked({ id: 1, method: 'tools/call', params: { name: 'diagnose', arguments: {} } }, { id: 2, method: 'tools/list' });
    const { code, out, err } = runProgram(process.execPath, [PROGRAM, 'mcp', ...SCENARIO], { cwd: folderWith(), stdin });
    const ids = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect([code, err, ids.toSorted((a, b) => a - b)]).toEqual([0, '', [0, 1, 2]]);
  });

  it('goes on after what is no message', () => {
    const stdin = `no JSON\n{"jsonrpc":"2.0"}\n${asked({ id: 1, method: 'tools/list' })}`;
    const { out } = runProgram(process.execPath, [PROGRAM, 'mcp', ...SCENARIO], { cwd: folderWith(), stdin });
    expect(out).toContain('"name":"diagnose"');
  });

  it('does not take its evidence from where its messages come', () => {
    const { code, err } = runProgram(process.execPath, [PROGRAM, 'mcp', '--from', '-'], { cwd: folderWith() });
    expect([code, err]).toEqual([2, expect.stringContaining('mcp cannot read evidence from stdin')]);
  });
});
