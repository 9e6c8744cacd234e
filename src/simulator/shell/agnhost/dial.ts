import { parseInteger } from '../../../base/number.ts';
import type { Response } from '../../network/sockets.ts';
import type { ProcessContext } from '../../programs/program.ts';

/** The parameters of a path; one that is not there is empty. */
export function parametersOf(path: string): (name: string) => string {
  const at = path.indexOf('?');
  const pairs = (at < 0 ? '' : path.slice(at + 1)).split('&').map((pair): [string, string] => {
    const equals = pair.indexOf('=');
    return equals < 0 ? [pair, ''] : [pair.slice(0, equals), decoded(pair.slice(equals + 1))];
  });
  const found = new Map(pairs);
  return (name) => found.get(name) ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Asks others in the name of who asks it. Source: test/images/agnhost/netexec/netexec.go (dialHandler). */
export function dial(ask: (name: string) => string, process: ProcessContext): Response {
  const [host, port, request] = [ask('host'), parseInteger(ask('port')) ?? 0, ask('request')];
  const protocol = ask('protocol').toLowerCase();
  if (request === '') return { status: 400, body: 'request parameter not specified. <nil>\n', afterMilliseconds: 1 };
  const responses: string[] = [];
  const errors: string[] = [];
  let milliseconds = 1;
  for (let tried = 0; tried < (parseInteger(ask('tries')) ?? 1); tried++) {
    const http = protocol === '' || protocol === 'http';
    const answer = process.ask(host, port, http ? `/${request}` : request, http ? 'TCP' : protocol.toUpperCase());
    milliseconds += answer.milliseconds;
    if ('trouble' in answer) errors.push(`dial ${http ? 'tcp' : protocol} ${host}:${port}: ${answer.trouble}`);
    else responses.push(answer.response.body);
  }
  const body = { ...(errors.length === 0 ? {} : { errors }), ...(responses.at(-1) ? { responses } : {}) };
  return { status: 200, body: JSON.stringify(body), afterMilliseconds: milliseconds };
}
