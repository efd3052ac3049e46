import { LRUCache } from 'lru-cache'

/**
 * What is kept of callers, of `max` at most. Setting an entry makes it the youngest; before that the oldest ones that are over are
 * forgotten, and the oldest one where there is no room. It is a `Map`, as koa-ratelimit wants its store.
 */
export class Remembered<Value extends object> extends Map<string, Value> {
  readonly #entries: LRUCache<string, Value>
  readonly #isOver: (value: Value) => boolean

  constructor(max: number, isOver: (value: Value) => boolean) {
    super()
    // A size instead of a number of entries: for that memory would be taken ahead.
    this.#entries = new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
    this.#isOver = isOver
  }

  override get size(): number {
    return this.#entries.size
  }

  override get(key: string): Value | undefined {
    return this.#entries.peek(key)
  }

  override has(key: string): boolean {
    return this.#entries.has(key)
  }

  override set(key: string, value: Value): this {
    for (const oldest of this.#entries.rkeys()) {
      const old = this.#entries.peek(oldest)
      if (old === undefined || !this.#isOver(old)) break
      this.#entries.delete(oldest)
    }
    this.#entries.set(key, value)
    return this
  }
}
