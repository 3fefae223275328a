/**
 * Stand-ins for the web platform's objects that are cheap to make: a few members answer by
 * themselves, all others make the native object when somebody looks and ask it.
 */

/**
 * A prototype whose every member forwards to the native object that `toNative` makes; `instanceof`
 * holds. Members in `own` answer by themselves.
 */
export function createLazyPrototype<T extends object>(
  native: { readonly prototype: T },
  toNative: (standIn: T) => T,
  own: PropertyDescriptorMap = {},
): T {
  const prototype: T = Object.create(native.prototype);
  for (const [name, property] of Object.entries(
    Object.getOwnPropertyDescriptors(native.prototype),
  )) {
    if (name !== 'constructor') {
      Object.defineProperty(prototype, name, toForwarded(property, toNative));
    }
  }
  const iterate = Object.getOwnPropertyDescriptor(native.prototype, Symbol.iterator);
  if (iterate !== undefined) {
    Object.defineProperty(prototype, Symbol.iterator, toForwarded(iterate, toNative));
  }
  return Object.defineProperties(prototype, own);
}

function toForwarded<T extends object>(
  { get, value }: PropertyDescriptor,
  toNative: (standIn: T) => T,
): PropertyDescriptor {
  if (get !== undefined) {
    return {
      configurable: true,
      get(this: T) {
        return get.call(toNative(this));
      },
    };
  }
  return {
    configurable: true,
    value(this: T, ...given: unknown[]) {
      return value.apply(toNative(this), given);
    },
  };
}
