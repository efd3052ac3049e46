import { maxOpenMessages } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { inboxCollection } from '../store/inbox.js'

/** How long a full backlog is not counted again, in milliseconds. */
const againMs = 500

/** How many more messages of a connection may wait for their turn. */
export interface Room {
  /** Takes room for so many. False while too many wait. */
  take(count: number): Promise<boolean>
}

/**
 * Counts the backlog once, and again only when as many messages have come since as there was room for:
 * so a message costs no look at those that wait. What was settled meanwhile is found with the next count.
 */
export function createRoom({ database, clock }: Pick<ChannelParts, 'database' | 'clock'>, connectionId: string): Room {
  let left = 0
  let fullUntil = Number.NEGATIVE_INFINITY
  const waiting = async (): Promise<number> => {
    let count = 0
    let cursor: string | undefined
    do {
      const page = await database.collection(inboxCollection).query({
        ...{ index: 'by_line', from: `${connectionId}/`, to: `${connectionId}0`, limit: 200 },
        ...(cursor !== undefined && { cursor }),
      })
      count += page.items.length
      cursor = page.nextCursor
    } while (cursor !== undefined && count < maxOpenMessages)
    return count
  }
  return {
    async take(count) {
      if (left <= 0) {
        if (clock.monotonic() < fullUntil) return false
        left = maxOpenMessages - (await waiting())
        if (left <= 0) {
          fullUntil = clock.monotonic() + againMs
          return false
        }
      }
      left -= count
      return true
    },
  }
}
