import { type Accessor, createMemo } from 'solid-js'

/** Rows that come and go together. Their keys stay when rows are added or taken away at either end. */
export interface Block<Item> {
  readonly items: readonly Item[]
  /** The place of its first row in the whole list. */
  readonly start: number
}

/**
 * Divides a list into blocks by whole numbers. An item keeps its block as long as the list changes at its ends alone, as a log does
 * that drops what is oldest, so that the rows of all other blocks stay what they are.
 */
export function createBlocks<Item>(items: Accessor<readonly Item[]>, size: number): Accessor<ReadonlyMap<number, Block<Item>>> {
  let before: readonly Item[] = []
  /** How many items have gone at the start, without those that came there. */
  let gone = 0
  return createMemo(() => {
    const now = items()
    gone = movedBy(before, now, gone)
    before = now
    const blocks = new Map<number, Block<Item>>()
    for (let start = 0; start < now.length; ) {
      const key = Math.floor((start + gone) / size)
      const end = (key + 1) * size - gone
      blocks.set(key, { items: now.slice(start, end), start })
      start = end
    }
    return blocks
  })
}

function movedBy<Item>(before: readonly Item[], now: readonly Item[], gone: number): number {
  const [oldFirst, first] = [before[0], now[0]]
  if (oldFirst === undefined || first === undefined) return 0
  const dropped = before.indexOf(first)
  if (dropped >= 0) return gone + dropped
  const added = now.indexOf(oldFirst)
  return added >= 0 ? gone - added : 0
}
