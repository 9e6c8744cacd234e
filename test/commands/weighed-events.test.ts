import { describe, expect, it } from 'vitest';
import { scanned, rulesFor, EVENTS, row } from './scanned-text.ts';

describe('a restart of which only events tell', () => {
  const backOff = (container: string, path = ''): string =>
    row(
      '8s',
      'Warning',
      'BackOff',
      'pod/cart-5d9c7b8f66-q7zvn',
      `Back-off restarting failed container ${container} in pod cart-5d9c7b8f66-q7zvn_till(0b6b3c1e-7a56-4b6a-9f3d-0c9df0a3c111)${path}`,
    );

  it('names no cause, for how the container exited was not seen, and the command that shows it', async () => {
    const { causes, gaps } = await scanned(
      EVENTS + row('11s', 'Normal', 'Started', 'pod/cart-5d9c7b8f66-q7zvn', 'Started container cart') + backOff('cart'),
    );
    expect(causes).toEqual([]);
    expect(gaps.map(({ needs }) => needs)).toContain('kubectl -n till describe pod cart-5d9c7b8f66-q7zvn');
  });

  it('names the liveness probe where the kubelet says that it ended the container', async () => {
    const killing = row('30s', 'Normal', 'Killing', 'pod/cart-5d9c7b8f66-q7zvn', 'Container cart failed liveness probe, will be restarted');
    expect(await rulesFor(EVENTS + killing + backOff('cart'))).toEqual(['probes/liveness-probe-failing']);
  });
});

describe('a table of events without namespaces', () => {
  const table = (pod: string): string =>
    `LAST SEEN   TYPE      REASON      OBJECT       MESSAGE\n118s        Normal    Killing     pod/cart-0   Container cart failed liveness probe, will be restarted\n106s        Warning   BackOff     pod/${pod}   Back-off restarting failed container cart in pod ${pod}_till(0b6b3c1e-7a56-4b6a-9f3d-0c9df0a3c111)\n`;

  it('has the one that a message tells of its pod', async () => {
    expect(await rulesFor(table('cart-0'))).toEqual(['probes/liveness-probe-failing']);
    expect(await rulesFor(table('depot-0'))).toEqual([]);
  });
});

describe('a pod of which only events tell', () => {
  const unplaced = row('2m10s', 'Warning', 'FailedScheduling', 'pod/cart-5cddc7cc77-cxhfn', '0/4 nodes are available: 4 Insufficient cpu.');
  const scaled = (age: string, set: string): string =>
    row(age, 'Normal', 'ScalingReplicaSet', 'deployment/cart', `Scaled up replica set ${set} to 1`);

  it('counts until its Deployment has scaled up another ReplicaSet', async () => {
    expect(await rulesFor(EVENTS + scaled('4m', 'cart-5cddc7cc77') + unplaced)).toEqual(['scheduling/insufficient-resource']);
    expect(await rulesFor(EVENTS + scaled('4m', 'cart-5cddc7cc77') + unplaced + scaled('20s', 'cart-59798f66d6'))).toEqual([]);
  });

  it('counts until it is deleted, by the words of its controller, the scheduler or the kubelet', async () => {
    const failing = row('80s', 'Warning', 'Failed', 'pod/cart-5cddc7cc77-cxhfn', 'Error: secret "cart-db" not found');
    const ends = [
      row('40s', 'Normal', 'SuccessfulDelete', 'replicaset/cart-5cddc7cc77', 'Deleted pod: cart-5cddc7cc77-cxhfn'),
      row('40s', 'Warning', 'FailedScheduling', 'pod/cart-5cddc7cc77-cxhfn', 'skip schedule deleting pod: till/cart-5cddc7cc77-cxhfn'),
      row('40s', 'Normal', 'Killing', 'pod/cart-5cddc7cc77-cxhfn', 'Stopping container cart'),
    ];
    expect(await rulesFor(EVENTS + failing)).toEqual(['containers/secret-not-found']);
    for (const end of ends) expect(await rulesFor(EVENTS + failing + end), end).toEqual([]);
  });

  it('tells nothing of the present when the last word of it is long past', async () => {
    const failing = row('29m', 'Warning', 'Failed', 'pod/cart-5cddc7cc77-cxhfn', 'Error: secret "cart-db" not found');
    expect(
      await rulesFor(
        EVENTS +
          failing +
          row('10s', 'Normal', 'Pulled', 'pod/stock-7d5f-7kx2m', 'Container image "shop/stock:1" already present on machine'),
      ),
    ).toEqual([]);
  });
});

describe('the first failure of a probe', () => {
  const first = (words: string): string =>
    EVENTS +
    row('27s', 'Normal', 'Started', 'pod/cart-0', 'Started container cart') +
    row('1s', 'Warning', 'Unhealthy', 'pod/cart-0', `Readiness probe ${words}`);

  it('may be that the container still starts', async () => {
    expect(await rulesFor(first('failed: HTTP probe failed with statuscode: 503'))).toEqual([]);
  });

  it('counts when the port that it names does not exist', async () => {
    expect(await rulesFor(first('errored and resulted in unknown state: strconv.Atoi: parsing "web": invalid syntax'))).toEqual([
      'probes/probe-port-name-not-found',
    ]);
  });
});

describe('what events tell of other objects', () => {
  it('is a claim that gets no volume, where the pods that may use it were not seen', async () => {
    const unbound = row(
      '4s',
      'Normal',
      'FailedBinding',
      'persistentvolumeclaim/data',
      'no persistent volumes available for this claim and no storage class is set',
    );
    expect(await rulesFor(EVENTS + unbound)).toEqual(['scheduling/claim-no-matching-volume']);
    const old = row(
      '14m',
      'Normal',
      'FailedBinding',
      'persistentvolumeclaim/data',
      'no persistent volumes available for this claim and no storage class is set',
    );
    expect(
      await rulesFor(
        EVENTS + old + row('4s', 'Normal', 'Pulled', 'pod/till-1', 'Container image "shop/till:1" already present on machine'),
      ),
    ).toEqual([]);
  });

  it('is a Job that is suspended, until it is resumed', async () => {
    const suspended = row('5m', 'Normal', 'Suspended', 'job/restock', 'Job suspended');
    expect(await rulesFor(EVENTS + suspended)).toEqual(['controllers/job-suspended']);
    expect(await rulesFor(EVENTS + suspended + row('4m', 'Normal', 'Resumed', 'job/restock', 'Job resumed'))).toEqual([]);
  });

  it('is a node that became NotReady, until it says that it is ready again', async () => {
    const unready = row('100s', 'Normal', 'NodeNotReady', 'node/worker-2', 'Node worker-2 status is now: NodeNotReady');
    expect(await rulesFor(EVENTS + unready)).toEqual(['kubelet/node-not-ready']);
    expect(
      await rulesFor(EVENTS + unready + row('50s', 'Normal', 'NodeReady', 'node/worker-2', 'Node worker-2 status is now: NodeReady')),
    ).toEqual([]);
  });
});

describe('a refused creation', () => {
  const refused = (age: string): string =>
    row(
      age,
      'Warning',
      'FailedCreate',
      'replicaset/stock-59f8c7d4b9',
      'Error creating: pods "stock-59f8c7d4b9-" is forbidden: error looking up service account till/stock: serviceaccount "stock" not found',
    );
  const made = (age: string): string =>
    row(age, 'Normal', 'SuccessfulCreate', 'replicaset/stock-59f8c7d4b9', 'Created pod: stock-59f8c7d4b9-7kx2m');

  it('is over when the same controller has made its pod since', async () => {
    expect(await rulesFor(EVENTS + refused('75s') + made('71s'))).toEqual([]);
  });

  it('is over as well when the pod was made within the same second: a refused creation would have been tried again since', async () => {
    expect(await rulesFor(EVENTS + made('75s') + refused('75s'))).toEqual([]);
  });

  it('is over when a pod that it would have been has started since', async () => {
    expect(
      await rulesFor(EVENTS + refused('75s') + row('70s', 'Normal', 'Started', 'pod/stock-59f8c7d4b9-7kx2m', 'Started container stock')),
    ).toEqual([]);
    expect(
      await rulesFor(EVENTS + refused('75s') + row('70s', 'Normal', 'Started', 'pod/stock-7d5f-7kx2m', 'Started container stock')),
    ).toEqual(['mutating-admission/service-account-not-found']);
  });

  it('of a description without its head is over when the rows tell of its pod', async () => {
    const rows = (name: string): string =>
      `Events:\n  Type     Reason            Age                From                   Message\n  ----     ------            ----               ----                   -------\n  Warning  FailedCreate      51s (x2 over 51s)  replicaset-controller  Error creating: pods "stock-59f8c7d4b9-" is forbidden: error looking up service account till/stock: serviceaccount "stock" not found\n  Normal   SuccessfulCreate  51s                replicaset-controller  Created pod: ${name}\n`;
    expect(await rulesFor(rows('stock-59f8c7d4b9-7kx2m'))).toEqual([]);
  });

  it('is the cause when it came after the last pod that was made', async () => {
    expect(await rulesFor(EVENTS + made('75s') + refused('71s'))).toEqual(['mutating-admission/service-account-not-found']);
  });

  it('of a kind that makes no pods is no matter of pods', async () => {
    expect(
      await rulesFor(
        EVENTS +
          row('5m', 'Warning', 'FailedCreate', 'machineset/blue', 'reconciler failed to create machine: quota of the provider is used up'),
      ),
    ).toEqual([]);
  });

  it('of a kind that is not known is one where the API server says that it refused pods', async () => {
    const message = 'Error creating: pods "blue-x1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=4, limited: pods=4';
    expect(await rulesFor(EVENTS + row('5m', 'Warning', 'FailedCreate', 'rollout/blue', message))).toEqual([
      'validating-admission/quota-exceeded',
    ]);
  });
});
