import { own } from '../../base/own-property.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asText, dig, digAt } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import { knownImage } from '../images/image-catalog.ts';
import { parseImage } from '../images/image-reference.ts';
import { isKnownCommand } from '../shell/commands.ts';
import type { Behaviour, Listening } from './behaviour.ts';

/**
 * What a container is taken to do of whose image only the name is known: it listens on the ports that it declares and on those that its
 * probes ask, and speaks as they do. Undefined where its program is known (by its image or as a shell command), and where nothing asks it.
 */
export function assumedBehaviour(container: JsonObject): Behaviour | undefined {
  const image = parseImage(asText(container['image']) ?? '');
  if ('trouble' in image || knownImage(image.repository) !== undefined) return undefined;
  const command = asList(container['command']).flatMap((word) => (typeof word === 'string' ? [word] : []));
  if (command.length > 0 && isKnownCommand(command)) return undefined;
  const asked = askedOf(container);
  if (asked.length === 0) return undefined;
  const ports = new Map<number, Listening>();
  for (const one of [...asked, ...declaredBy(container)]) {
    const known = ports.get(one.port);
    if (known === undefined || (known.speaks === undefined && one.speaks !== undefined)) ports.set(one.port, one);
  }
  return { listens: [...ports.values()] };
}

const ASKING: readonly (readonly string[])[] = [
  ['startupProbe'],
  ['readinessProbe'],
  ['livenessProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
];

function askedOf(container: JsonObject): readonly Listening[] {
  return ASKING.flatMap((path): readonly Listening[] => {
    const handler = digAt(container, path);
    const http = dig(handler, 'httpGet');
    const [port, speaks] =
      http !== undefined
        ? [dig(http, 'port'), asText(dig(http, 'scheme'))?.toUpperCase() === 'HTTPS' ? ('https' as const) : ('http' as const)]
        : dig(handler, 'grpc') !== undefined
          ? [dig(handler, 'grpc', 'port'), 'grpc' as const]
          : [dig(handler, 'tcpSocket', 'port'), undefined];
    const number = portNumber(port, container);
    return number === undefined ? [] : [{ port: number, ...(speaks === undefined ? {} : { speaks }) }];
  });
}

/** A probe may name a port of its container. */
function portNumber(port: Json | undefined, container: JsonObject): number | undefined {
  if (typeof port === 'number') return port;
  const name = asText(port) ?? '';
  return (
    parseInteger(name) ??
    asNumber(
      dig(
        asList(container['ports']).find((one) => dig(one, 'name') === name),
        'containerPort',
      ),
    )
  );
}

function declaredBy(container: JsonObject): readonly Listening[] {
  return asList(container['ports']).flatMap((port): readonly Listening[] => {
    const [number, protocol] = [asNumber(dig(port, 'containerPort')), asText(dig(port, 'protocol')) ?? 'TCP'];
    return number === undefined ? [] : [{ port: number, ...own(PROTOCOLS, protocol) }];
  });
}

const PROTOCOLS: Readonly<Record<string, Pick<Listening, 'protocol'>>> = { UDP: { protocol: 'UDP' }, SCTP: { protocol: 'SCTP' } };
