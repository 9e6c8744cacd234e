/** Works it out when it is first asked for, and gives the same from then on. */
export function once<Given>(make: () => Given): () => Given {
  let given: { readonly value: Given } | undefined;
  return () => (given ??= { value: make() }).value;
}

/** Works a value out once for each object, which alone must decide it, and forgets it with the object. */
export function onceEach<Key extends object, Given>(make: (of: Key) => Given): (of: Key) => Given {
  const known = new WeakMap<Key, { readonly value: Given }>();
  return (of) => {
    let given = known.get(of);
    if (given === undefined) {
      given = { value: make(of) };
      known.set(of, given);
    }
    return given.value;
  };
}

/** Works a value out once for each key: a name, an absent one. What it keeps lives as long as the function. */
export function onceFor<Key extends string | undefined, Given>(make: (key: Key) => Given): (key: Key) => Given {
  const known = new Map<Key, { readonly value: Given }>();
  return (key) => {
    let given = known.get(key);
    if (given === undefined) {
      given = { value: make(key) };
      known.set(key, given);
    }
    return given.value;
  };
}
