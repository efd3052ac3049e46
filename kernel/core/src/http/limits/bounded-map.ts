import { LRUCache } from 'lru-cache'

/**
 * A map of at most `max` entries. Setting an entry makes it the youngest. Before that, the oldest
 * entries that have expired are removed, and the oldest one if the map is full. It extends `Map`
 * because koa-ratelimit requires that of its store.
 */
export class BoundedMap<Value extends object> extends Map<string, Value> {
  readonly #entries: LRUCache<string, Value>
  readonly #isOver: (value: Value) => boolean

  constructor(max: number, isOver: (value: Value) => boolean) {
    super()
    // `maxSize` instead of `max`, which would allocate memory for all entries in advance.
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
