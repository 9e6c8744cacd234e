import type { Store } from '../../store/store.ts';
import type { Attributes, Decision } from './attributes.ts';
import { authorizeNode } from './node-authorizer.ts';
import type { Rule } from './rbac.ts';
import { Rbac } from './rbac.ts';
import type { UserInfo } from '../request.ts';

/**
 * `--authorization-mode=Node,RBAC`, and AlwaysAllow behind them where it is chosen: the first that says yes decides; the reasons of all
 * that did not are put together.
 */
export class Authorizer {
  readonly #store: Store;
  readonly #rbac: Rbac;
  readonly #alwaysAllow: boolean;

  constructor(store: Store, alwaysAllow = false) {
    this.#store = store;
    this.#rbac = new Rbac(store);
    this.#alwaysAllow = alwaysAllow;
  }

  authorize(asked: Attributes): Decision {
    const node = authorizeNode(this.#store, asked);
    if (node?.allowed === true) return node;
    const rbac = this.#rbac.authorize(asked);
    if (rbac.allowed) return rbac;
    if (this.#alwaysAllow) return { ...rbac, allowed: true };
    const reasons = [node?.reason ?? '', rbac.reason].filter((reason) => reason !== '');
    return reasons.length === 0 ? rbac : { allowed: false, reason: reasons.join(', ') };
  }

  rulesFor(user: UserInfo, namespace: string | undefined): { readonly rules: readonly Rule[]; readonly missing: readonly string[] } {
    return this.#rbac.rulesFor(user, namespace);
  }
}
