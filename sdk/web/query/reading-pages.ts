import { createSignal } from 'solid-js'
import { isProblem } from '../api/problem.js'
import type { Reading, User } from './cache.js'
import { asError } from './reading-value.js'
import { createRefresh } from './refresh.js'
import { withSameParts } from './same-parts.js'

/** One page as the API answers it. */
export interface Page<Item> {
  /** In the order of the whole list. */
  readonly items: readonly Item[]
  /** Leads to the next page as the query parameter `cursor`; null at the end of the list. */
  readonly next_cursor: string | null
}

/** A list that grows by pages and changes with events. */
export interface PagedQuery<Item> {
  /** All that was loaded, in order. An item that has not changed stays the same object, so that its row stays too. */
  readonly items: () => readonly Item[]
  /** How the latest page is: `failed` leaves the items that are there. */
  readonly state: () => 'loading' | 'ready' | 'failed'
  /** Why the latest page could not be loaded. */
  readonly error: () => Error | undefined
  /** Whether the service has further pages. */
  readonly hasMore: () => boolean
  /** Loads the next page; nothing happens while one is loading. */
  more(): Promise<void>
  /** Loads again, from the first page on as many as there were. The items stay until all have arrived. */
  reload(): Promise<void>
  /** Replaces an item with the same id, or adds it at the start. */
  put(item: Item): void
  /** Takes an item out of the list in this page; the service is not asked. */
  remove(id: string): void
}

/** How a list is read. */
export interface PageSource<Item> extends User {
  /** Reads the page at a cursor, the first one without. Follows no signals: all that it depends on belongs into the key. */
  readonly read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>
  /** Tells the items apart: an item with the same id takes the place of another. */
  readonly idOf: (item: Item) => string
}

/** A list under a key. */
export interface PagesReading<Item> extends Reading, PagedQuery<Item> {}

/** Reads a list page by page, as the source says. */
export function createPagesReading<Item>(source: () => PageSource<Item>): PagesReading<Item> {
  const [items, setItems] = createSignal<readonly Item[]>([])
  const [state, setState] = createSignal<'loading' | 'ready' | 'failed'>('loading')
  const [error, setError] = createSignal<Error>()
  const [cursor, setCursor] = createSignal<string | null>(null)
  const [isRead, setRead] = createSignal(false)
  const idOf = (item: Item): string => source().idOf(item)
  let controller: AbortController | undefined
  let pages = 1

  const attempt = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    controller?.abort()
    controller = new AbortController()
    const { signal } = controller
    setState('loading')
    try {
      await work(signal)
    } catch (cause) {
      if (signal.aborted || isProblem(cause, 'aborted')) return
      setError(asError(cause))
      setState('failed')
    } finally {
      if (controller.signal === signal) controller = undefined
    }
  }
  const take = (all: readonly Item[], next: string | null, count: number): void => {
    const known = new Map(items().map((item) => [idOf(item), item]))
    setItems(all.map((item) => withSameParts(known.get(idOf(item)), item)))
    setCursor(next)
    pages = count
    setRead(true)
    setError(undefined)
    setState('ready')
  }
  const readAgain = async (signal: AbortSignal): Promise<void> => {
    let all: readonly Item[] = []
    let from: string | undefined
    let count = 0
    do {
      const page: Page<Item> = await source().read(from, signal)
      if (signal.aborted) return
      all = appended(all, page.items, idOf)
      from = page.next_cursor ?? undefined
      count += 1
    } while (from !== undefined && count < pages)
    take(all, from ?? null, count)
  }
  const readNext = async (from: string, signal: AbortSignal): Promise<void> => {
    const page = await source().read(from, signal)
    if (!signal.aborted) take(appended(items(), page.items, idOf), page.next_cursor, pages + 1)
  }
  const isLoading = (): boolean => controller !== undefined
  const reload = (): Promise<void> => attempt(readAgain)
  const refresh = createRefresh(reload, isLoading)
  const change = (alter: (before: readonly Item[]) => readonly Item[]): void => {
    setItems(alter)
    // What is being read may be older.
    if (isLoading()) refresh.later()
  }
  return {
    items,
    state,
    error,
    isRead,
    hasMore: () => cursor() !== null,
    more: async () => {
      const from = cursor()
      if (from !== null && !isLoading()) await attempt((signal) => readNext(from, signal))
    },
    reload,
    put: (item) =>
      change((before) =>
        before.some((other) => idOf(other) === idOf(item))
          ? before.map((other) => (idOf(other) === idOf(item) ? item : other))
          : [item, ...before],
      ),
    remove: (id) => change((before) => before.filter((item) => idOf(item) !== id)),
    isBegun: () => isRead() || isLoading() || error() !== undefined,
    join: () => void (isLoading() || reload()),
    refresh: refresh.later,
    stop() {
      refresh.stop()
      controller?.abort()
    },
  }
}

/** The items with those of a further page behind them; one that has moved there is not twice in the list. */
function appended<Item>(before: readonly Item[], page: readonly Item[], idOf: (item: Item) => string): readonly Item[] {
  const ids = new Set(page.map(idOf))
  return [...before.filter((item) => !ids.has(idOf(item))), ...page]
}
