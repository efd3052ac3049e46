import { createSignal } from 'solid-js'
import { isProblem } from './problem.js'

/** One page as the API answers it. */
export interface Page<Item> {
  /** In the order of the whole list. */
  readonly items: readonly Item[]
  /** Leads to the next page as the query parameter `cursor`; null at the end of the list. */
  readonly next_cursor: string | null
}

/** A list that grows by pages and changes with events. */
export interface PagedList<Item> {
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
  /** Loads the first page again. The items stay until it has arrived. */
  reload(): Promise<void>
  /** Replaces an item with the same id, or adds it at the start. */
  put(item: Item): void
  /** Takes an item out of the list in this page; the service is not asked. */
  remove(id: string): void
}

/**
 * Makes a list over a cursor-paged operation and loads its first page. {@link PagedRows} shows it.
 *
 * @example
 * export function Rolls(): JSX.Element {
 *   const list = createPagedList({
 *     load: (cursor) => api.get('/api/plugins/tool-dice/rolls', { query: { limit: 50, ...(cursor !== undefined && { cursor }) } }),
 *     idOf: ({ id }) => id,
 *   })
 *   return (
 *     <PagedRows list={list} label={t('rolls')} empty={<EmptyState title={t('empty')} text={t('empty_text')} />}>
 *       {(roll) => <span class="grow">{roll.name}</span>}
 *     </PagedRows>
 *   )
 * }
 */
export function createPagedList<Item>(options: {
  readonly load: (cursor: string | undefined) => Promise<Page<Item>>
  readonly idOf: (item: Item) => string
}): PagedList<Item> {
  const { load, idOf } = options
  const [items, setItems] = createSignal<readonly Item[]>([])
  const [state, setState] = createSignal<'loading' | 'ready' | 'failed'>('loading')
  const [error, setError] = createSignal<Error>()
  const [cursor, setCursor] = createSignal<string | null>(null)
  let turn = 0

  const fetchPage = async (from: string | undefined): Promise<void> => {
    turn += 1
    const mine = turn
    setState('loading')
    try {
      const page = await load(from)
      if (mine !== turn) return
      const known = new Set(page.items.map(idOf))
      setItems((before) =>
        from === undefined ? unchangedKept(before, page.items, idOf) : [...before.filter((item) => !known.has(idOf(item))), ...page.items],
      )
      setCursor(page.next_cursor)
      setError(undefined)
      setState('ready')
    } catch (cause) {
      if (mine !== turn || isProblem(cause, 'aborted')) return
      setError(cause instanceof Error ? cause : new Error(String(cause)))
      setState('failed')
    }
  }
  void fetchPage(undefined)
  return {
    items,
    state,
    error,
    hasMore: () => cursor() !== null,
    more: async () => {
      const from = cursor()
      if (from !== null && state() !== 'loading') await fetchPage(from)
    },
    reload: () => fetchPage(undefined),
    put: (item) =>
      void setItems((before) =>
        before.some((other) => idOf(other) === idOf(item))
          ? before.map((other) => (idOf(other) === idOf(item) ? item : other))
          : [item, ...before],
      ),
    remove: (id) => void setItems((before) => before.filter((item) => idOf(item) !== id)),
  }
}

/** The new items, but the same objects where nothing has changed: their rows stay as they are. */
function unchangedKept<Item>(before: readonly Item[], items: readonly Item[], idOf: (item: Item) => string): readonly Item[] {
  const known = new Map(before.map((item) => [idOf(item), item]))
  return items.map((item) => {
    const same = known.get(idOf(item))
    return same !== undefined && JSON.stringify(same) === JSON.stringify(item) ? same : item
  })
}
