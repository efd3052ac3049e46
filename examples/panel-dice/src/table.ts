import { randomInt, randomUUID } from 'node:crypto'
import type { Clock } from '@agent-service/sdk/services/clock'

/** How a person throws. */
export interface Rules {
  readonly dice: number
  readonly sides: number
}

/** One throw. */
export interface Throw {
  readonly id: string
  readonly eyes: readonly number[]
  readonly at: number
}

/** The throws of all people, in memory: they are gone when the plugin stops. */
export interface Table {
  rules(userId: string): Rules
  setRules(userId: string, rules: Rules): void
  /** The newest first, at most 100. */
  throws(userId: string): readonly Throw[]
  roll(userId: string): Throw
  /** False if there is no such throw. */
  forget(userId: string, id: string): boolean
  clear(userId: string): void
}

interface Seat {
  rules: Rules
  throws: readonly Throw[]
}

const maxThrows = 100
const maxPeople = 1_000

export function createTable(clock: Clock): Table {
  const seats = new Map<string, Seat>()
  /** The person who was away longest gives up the seat. */
  const seatOf = (userId: string): Seat => {
    const seat = seats.get(userId) ?? { rules: { dice: 2, sides: 6 }, throws: [] }
    seats.delete(userId)
    seats.set(userId, seat)
    for (const oldest of seats.keys()) {
      if (seats.size <= maxPeople) break
      seats.delete(oldest)
    }
    return seat
  }
  return {
    rules: (userId) => seatOf(userId).rules,
    setRules(userId, rules) {
      seatOf(userId).rules = rules
    },
    throws: (userId) => seatOf(userId).throws,
    roll(userId) {
      const seat = seatOf(userId)
      const { dice, sides } = seat.rules
      const made = { id: randomUUID(), eyes: Array.from({ length: dice }, () => randomInt(1, sides + 1)), at: clock.now() }
      seat.throws = [made, ...seat.throws].slice(0, maxThrows)
      return made
    },
    forget(userId, id) {
      const seat = seatOf(userId)
      const before = seat.throws.length
      seat.throws = seat.throws.filter((each) => each.id !== id)
      return seat.throws.length < before
    },
    clear(userId) {
      seatOf(userId).throws = []
    },
  }
}
