/** Works it out when it is first asked for, and gives the same from then on. */
export function once<Given>(make: () => Given): () => Given {
  let given: Kept<Given> | undefined;
  return () => (given ??= { value: make() }).value;
}

/** Works a value out once for each object, which alone must decide it, and forgets it with the object. */
export function onceEach<Key extends object, Given>(make: (of: Key) => Given): (of: Key) => Given {
  return kept(new WeakMap<Key, Kept<Given>>(), make);
}

/** Works a value out once for each key: a name, an absent one. What it keeps lives as long as the function. */
export function onceFor<Key extends string | undefined, Given>(make: (key: Key) => Given): (key: Key) => Given {
  return kept(new Map<Key, Kept<Given>>(), make);
}

/** A value of its own, for it may be undefined. */
interface Kept<Given> {
  readonly value: Given;
}

interface Known<Key, Given> {
  get(key: Key): Kept<Given> | undefined;
  set(key: Key, given: Kept<Given>): unknown;
}

function kept<Key, Given>(known: Known<Key, Given>, make: (of: Key) => Given): (of: Key) => Given {
  return (of) => {
    let given = known.get(of);
    if (given === undefined) {
      given = { value: make(of) };
      known.set(of, given);
    }
    return given.value;
  };
}
