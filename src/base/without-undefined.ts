/** Members that may be undefined become optional ones. */
export type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that have a value, in their order: an optional member is left out, never there and undefined. */
export function withoutUndefined<const T extends object>(members: T): WithoutUndefined<T> {
  const entries = Reflect.ownKeys(members).map((key) => [key, members[key as keyof T]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
