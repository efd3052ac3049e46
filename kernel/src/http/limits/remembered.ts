/**
 * A map that forgets its oldest entry when a new one would exceed the maximum, and before that the oldest ones that are over. Setting
 * an entry makes it the youngest. It is a `Map`, as koa-ratelimit wants its store, and it takes no memory ahead.
 */
export class Remembered<Value> extends Map<string, Value> {
  readonly #max: number
  readonly #isOver: (value: Value) => boolean

  constructor(max: number, isOver: (value: Value) => boolean) {
    super()
    this.#max = max
    this.#isOver = isOver
  }

  override set(key: string, value: Value): this {
    this.delete(key)
    for (const [oldest, old] of this) {
      if (this.size < this.#max && !this.#isOver(old)) break
      this.delete(oldest)
    }
    return super.set(key, value)
  }
}
