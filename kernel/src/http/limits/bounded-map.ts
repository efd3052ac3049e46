/** A map that forgets its oldest entry when a new one would exceed the maximum. Setting an entry makes it the youngest. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maximum: number

  constructor(maximum: number) {
    super()
    this.#maximum = maximum
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    if (this.size >= this.#maximum) {
      const oldest = this.keys().next()
      if (!oldest.done) this.delete(oldest.value)
    }
    return super.set(key, value)
  }
}
