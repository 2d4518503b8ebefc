/** A proxy of the target in which the named members are replaced. */

export function overriding<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      // Its own members are its own to look at.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
