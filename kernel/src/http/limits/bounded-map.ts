/**
 * A map that forgets its oldest entry when a new one would exceed the maximum, and before that the oldest ones that are over. Setting an entry makes it the
 * youngest.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maximum: number
  readonly #isOver: (value: Value) => boolean

  constructor(maximum: number, isOver: (value: Value) => boolean = () => false) {
    super()
    this.#maximum = maximum
    this.#isOver = isOver
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    for (const [oldest, old] of this) {
      if (!this.#isOver(old)) break
      this.delete(oldest)
    }
    if (this.size >= this.#maximum) {
      const oldest = this.keys().next()
      if (!oldest.done) this.delete(oldest.value)
    }
    return super.set(key, value)
  }
}
