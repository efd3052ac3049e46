/** Those of many that come first in an order, as plain data. */
export interface Leading<Item> {
  /** In their order. */
  readonly items: readonly Item[]
  /**
   * No other one stands before this or at it; behind it others do. Null: there are no others. It stays
   * while the one at it goes: where that may be forgotten, store it without its words.
   */
  readonly until: Item | null
}

/** Which ones are kept. Pure and fast. */
export interface LeadingOptions<Item> {
  /** Below zero if the first one comes first; never zero for two different ones. */
  compare(one: Item, other: Item): number
  /** What one of them takes, above zero. */
  weigh(item: Item): number
  /** The most that all of them take; the first one is kept whatever it takes. */
  readonly max: number
  /** Is told of each one that is left out. */
  readonly onOmitted?: (item: Item) => void
}

/**
 * Finds the leading ones of many, without an order of all: so a prompt needs not all memories of a
 * user, only those that would be in it.
 */
export function leadingOf<Item>(all: Iterable<Item>, { compare, weigh, max, onOmitted }: LeadingOptions<Item>): Leading<Item> {
  const items: Item[] = []
  let weight = 0
  let until: Item | null = null
  const cut = (): void => {
    items.sort(compare)
    let count = 0
    weight = 0
    for (const item of items) {
      const next = weight + weigh(item)
      if (count > 0 && next > max) break
      weight = next
      count += 1
    }
    if (count === items.length) return
    for (const item of items.splice(count)) onOmitted?.(item)
    until = items.at(-1) ?? null
  }
  for (const item of all) {
    if (until !== null && compare(item, until) > 0) {
      onOmitted?.(item)
      continue
    }
    items.push(item)
    weight += weigh(item)
    if (weight > 2 * max) cut()
  }
  cut()
  return { items, until }
}

/**
 * The leading ones after a change: without those that `isGone` names, with those that were put.
 * Undefined if so few are left that all have to be looked at again.
 */
export function changedLeading<Item>(
  before: Leading<Item>,
  { isGone, put }: { readonly isGone: (item: Item) => boolean; readonly put: readonly Item[] },
  options: LeadingOptions<Item>,
): Leading<Item> | undefined {
  const { compare, weigh, max, onOmitted } = options
  const { until } = before
  const items = before.items.filter((item) => !isGone(item))
  for (const item of put)
    if (until === null || compare(item, until) <= 0) items.push(item)
    else onOmitted?.(item)
  const next = leadingOf(items, options)
  if (next.until !== null || until === null) return next
  const weight = next.items.reduce((sum, item) => sum + weigh(item), 0)
  return weight < max / 2 ? undefined : { items: next.items, until }
}
