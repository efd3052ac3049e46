import { v7 as uuidv7 } from 'uuid'

/** Ids of version 7 in the order in which they are asked for, also within one millisecond. */
export function createOrderedIds(): (now: number) => string {
  let [last, sequence] = [0, 0]
  return (now) => {
    // A clock that is set back would put new lines before old ones.
    sequence = now > last ? 0 : sequence + 1
    last = Math.max(last, now)
    return uuidv7({ msecs: last, seq: sequence })
  }
}
