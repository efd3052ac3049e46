import { type Accessor, createMemo, onCleanup, untrack } from 'solid-js'
import type { Kind, QueryCache, Reading, User } from './cache.js'
import { isSameKey, type QueryKey } from './key.js'
import { createPagesReading, type PagedQuery, type PageSource, type PagesReading } from './reading-pages.js'
import { createValueReading, type Query, type ValueReading } from './reading-value.js'

interface Keyed extends User {
  /**
   * Names what is read, and follows signals: with another key, something else is read, and what was there before stays until it has
   * come. `undefined`: nothing is read.
   */
  readonly key: () => QueryKey | undefined
  /** False: it is read again only by `reload`, such as what a form was filled with. */
  readonly follow?: boolean
}

/** How one value is read. */
export interface ValueSource<Value> extends User {
  /** Follows no signals: all that it depends on belongs into the key. */
  readonly read: (signal: AbortSignal) => Promise<Value>
}

/** What a query reads. */
export interface QueryOptions<Value> extends Keyed, ValueSource<Value> {}

/** What a query reads page by page. */
export interface PagedQueryOptions<Item> extends Keyed, PageSource<Item> {}

export const valueKind = <Value>(): Kind<ValueSource<Value>, ValueReading<Value>> => ({
  name: 'value',
  make: (latest) => createValueReading((signal) => latest().read(signal)),
})

const pagesKind = <Item>(): Kind<PageSource<Item>, PagesReading<Item>> => ({ name: 'pages', make: createPagesReading })

/** Uses what is under a key for as long as the component is there, and reads it. */
function useReading<Source extends object, Read extends Reading>(
  cache: QueryCache,
  kind: Kind<Source, Read>,
  options: Source & Keyed,
): Accessor<Read | undefined> {
  const current = createMemo(options.key, undefined, { equals: isSameKey })
  return createMemo(() => {
    const key = current()
    if (!key) return undefined
    const reading = cache.enter(kind, key, options)
    onCleanup(() => cache.exit(kind, key, options))
    untrack(() => reading.join())
    return reading
  })
}

/** Follows one value; see {@link Queries}. */
export function createQuery<Value>(cache: QueryCache, options: QueryOptions<Value>): Query<Value> {
  const reading = useReading(cache, valueKind<Value>(), options)
  const value = createMemo<Value | undefined>((before) => {
    const current = reading()
    return current?.isRead() ? current.value() : before
  })
  return {
    value,
    error: () => reading()?.error(),
    isLoading: () => reading()?.isLoading() ?? false,
    reload: async () => await untrack(reading)?.reload(),
    set: (next) => untrack(reading)?.set(next),
  }
}

/** Follows a list; see {@link Queries}. */
export function createPagedQuery<Item>(cache: QueryCache, options: PagedQueryOptions<Item>): PagedQuery<Item> {
  const reading = useReading(cache, pagesKind<Item>(), options)
  const items = createMemo<readonly Item[]>((before) => {
    const current = reading()
    return current?.isRead() ? current.items() : before
  }, [])
  return {
    items,
    state: () => reading()?.state() ?? 'loading',
    error: () => reading()?.error(),
    hasMore: () => reading()?.hasMore() ?? false,
    more: async () => await untrack(reading)?.more(),
    reload: async () => await untrack(reading)?.reload(),
    put: (item) => untrack(reading)?.put(item),
    remove: (id) => untrack(reading)?.remove(id),
  }
}
