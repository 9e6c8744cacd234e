import type { CallToolResult } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { makeServer } from '../../../src/commands/mcp/mcp.ts';
import type { FixedOptions } from '../../../src/commands/mcp/tool.ts';
import { writtenContext } from '../../support/context.ts';

/** A client of the official SDK, connected to a server with these options. */
export interface Connected {
  readonly client: Client;
  readonly call: (name: string, words?: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
  readonly close: () => Promise<void>;
}

export async function connected(options: FixedOptions, context = { ...writtenContext('/'), clock: () => Date.now() }): Promise<Connected> {
  return connectedTo(makeServer(options, context));
}

export async function connectedTo(server: McpServer): Promise<Connected> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return {
    client,
    call: (name, words = {}) => client.callTool({ name, arguments: { ...words } }),
    close: () => client.close(),
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
