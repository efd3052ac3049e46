import { eventNumbersExhaustedError } from './errors.js'

/** How many numbers belong to one revision of the store. */
export const numbersPerRevision = 2 ** 20

/**
 * The number of the event at `position` of the commit with this revision. @throws
 * `event_numbers_exhausted`.
 */
export function eventNumber(revision: number, position: number): number {
  const number = revision * numbersPerRevision + position
  if (!Number.isSafeInteger(number)) throw eventNumbersExhaustedError.create({ revision })
  return number
}

export type EventNumbers = ReturnType<typeof createEventNumbers>

/**
 * The numbers of one process, for all users together.
 *
 * A state event's number derives from its commit's revision, which the store assigns durably and in
 * order; deltas take the numbers between the last one and the next revision's. So numbers need no
 * writes of their own, grow over restarts, and have gaps.
 *
 * Starts above all numbers assigned before the commit with this revision. `reserve` is called when
 * half a block is used up, and again when it has ended without a new one; it makes a commit, calls
 * `advance`, and never rejects.
 */
export function createEventNumbers(options: { readonly revision: number; readonly reserve: () => Promise<void> }) {
  let last = eventNumber(options.revision, 0)
  let end = last + numbersPerRevision
  let reserving = false

  const open = (revision: number): void => {
    const start = eventNumber(revision, 0)
    if (start < end) return
    end = start + numbersPerRevision
  }

  return {
    /** The largest number assigned, or a bound that no earlier process can have exceeded. */
    last: (): number => last,
    /**
     * The number of a committed event. `inOrder` is false if it is not above all others: the store
     * violated its commit order.
     */
    ofCommitted(revision: number, position: number): { readonly number: number; readonly inOrder: boolean } {
      const number = eventNumber(revision, position)
      const inOrder = number > last
      open(revision)
      last = Math.max(last, number)
      return { number, inOrder }
    },
    /** A number for a delta; `undefined` if the block is used up before a new one was reserved. */
    nextForDelta(): number | undefined {
      if (!reserving && end - last <= numbersPerRevision / 2) {
        reserving = true
        void options.reserve().then(() => {
          reserving = false
        })
      }
      if (last + 1 >= end) return undefined
      last += 1
      return last
    },
    /** A commit without events happened: its block may be used. */
    advance(revision: number): void {
      open(revision)
      last = Math.max(last, eventNumber(revision, 0))
    },
  }
}
