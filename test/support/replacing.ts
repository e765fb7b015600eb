/** The same object with some members replaced. Other methods run on the object itself: a real store keeps its state in private fields. */
export function replacing<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get(real, key) {
      if (key in replaced) return Reflect.get(replaced, key)
      const member: unknown = Reflect.get(real, key)
      return typeof member === 'function' ? member.bind(real) : member
    },
  })
}
