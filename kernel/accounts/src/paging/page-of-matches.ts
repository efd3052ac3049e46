/** A page of a query. */
export interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** How many records one page reads at a time, and in all. */
const chunk = 200
const maxRead = 2_000

/**
 * One page of the records that match, in the order of the query. At most 2,000 records are read: a
 * page may have fewer items than its limit, or none, while `nextCursor` still leads to more.
 */
export async function pageOfMatches<Item>(options: {
  readonly query: (range: { readonly limit: number; readonly cursor?: string }) => Promise<PageOf<Item>>
  readonly matches: (item: Item) => boolean
  readonly limit?: number
  readonly cursor?: string
}): Promise<PageOf<Item>> {
  const { query, matches, limit = 50 } = options
  const items: Item[] = []
  let { cursor } = options
  for (let read = 0; ; ) {
    const from = cursor === undefined ? {} : { cursor }
    const page = await query({ ...from, limit: chunk })
    const places = page.items.flatMap((item, index) => (matches(item) ? [index] : []))
    const last = places[limit - items.length - 1]
    if (last !== undefined && last < page.items.length - 1) {
      // The cursor of a shorter page is right behind the last item that fits.
      const cut = await query({ ...from, limit: last + 1 })
      return { ...cut, items: [...items, ...cut.items.filter(matches)] }
    }
    items.push(...page.items.filter(matches))
    read += page.items.length
    cursor = page.nextCursor
    if (cursor === undefined) return { items }
    if (items.length >= limit || read >= maxRead) return { items, nextCursor: cursor }
  }
}
