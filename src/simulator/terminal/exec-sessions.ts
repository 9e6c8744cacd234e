import { asText } from '../../base/json.ts';
import type { ApiRequest, Failure } from '../apiserver/request.ts';
import type { ApiServer } from '../apiserver/server.ts';
import type { ExecSession, ExecSink, ExecWish } from '../programs/exec-session.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../outside/outside-world.ts';

/** What somebody outside does with a command in a container, as data. Sessions are numbered by who begins them. */
export type ExecInput =
  | { readonly session: number; readonly does: 'begin'; readonly request: ExecRequest; readonly wish: ExecWish }
  | { readonly session: number; readonly does: 'send'; readonly text: string }
  | { readonly session: number; readonly does: 'end-input' | 'interrupt' | 'kill' };

/** Who asks, and for which container of which pod. */
export interface ExecRequest {
  readonly credential: ApiRequest['credential'];
  readonly impersonate?: NonNullable<ApiRequest['impersonate']>;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string | undefined;
  /** By a POST, which needs the right to create only. */
  readonly posted?: boolean;
}

/** The API server's refusal, or what the kubelet says: in plain text when it cannot find the container, as a Status else. */
export type ExecRefusal =
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'no-container' | 'not-started'; readonly message: string };

/** The commands that people outside run in containers. */
export class ExecSessions {
  readonly #server: ApiServer;
  readonly #store: Store;
  readonly #world: World;
  readonly #sessions = new Map<number, ExecSession>();

  constructor(server: ApiServer, store: Store, world: World) {
    this.#server = server;
    this.#store = store;
    this.#world = world;
  }

  take(input: ExecInput, sink: ExecSink = SILENT): ExecRefusal | undefined {
    if (input.does === 'begin') return this.#begin(input, sink);
    const session = this.#sessions.get(input.session);
    switch (input.does) {
      case 'send':
        session?.send(input.text);
        break;
      case 'end-input':
        session?.endInput();
        break;
      case 'interrupt':
        session?.interrupt();
        break;
      case 'kill':
        session?.kill();
        break;
    }
    return undefined;
  }

  #begin({ session, request, wish }: ExecInput & { readonly does: 'begin' }, sink: ExecSink): ExecRefusal | undefined {
    const place = this.#placeOf(request, wish.attach === true ? 'attach' : 'exec');
    if (!place.ok) return { kind: 'refused', failure: place };
    const container = asText(place.object['container']) ?? '';
    const pod = this.#store.get('pods', request.namespace, request.pod);
    const kubelet = this.#world.kubelets.get(asText(place.object['node']) ?? '');
    const ended = (code: number): void => {
      this.#sessions.delete(session);
      sink.ended(code);
    };
    const started = pod === undefined ? undefined : kubelet?.exec(pod, container, wish, { ...sink, ended });
    if (started === undefined) return { kind: 'no-container', message: `container not found ("${container}")` };
    if ('why' in started) return { kind: 'not-started', message: started.why };
    this.#sessions.set(session, started);
    return undefined;
  }

  /**
   * WebSockets begin with a GET; since 1.35 the right to create is asked for as well.
   * Source: pkg/registry/core/pod/rest/subresources.go (AuthorizePodWebsocketUpgradeCreatePermission).
   */
  #placeOf(
    { credential, impersonate, namespace, pod, container, posted }: ExecRequest,
    subresource: 'attach' | 'exec',
  ): ReturnType<ApiServer['handle']> {
    const request: Omit<ApiRequest, 'verb'> = {
      group: '',
      version: 'v1',
      resource: 'pods',
      subresource,
      namespace,
      name: pod,
      credential,
      ...(impersonate === undefined ? {} : { impersonate }),
      log: container === undefined ? {} : { container },
    };
    const place = posted === true ? undefined : this.#server.handle({ ...request, verb: 'get' });
    return place?.ok !== false ? this.#server.handle({ ...request, verb: 'create' }) : place;
  }
}

const SILENT: ExecSink = { output: () => undefined, errors: () => undefined, ended: () => undefined };
