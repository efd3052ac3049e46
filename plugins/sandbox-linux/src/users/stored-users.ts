import { randomInt } from 'node:crypto'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import { type Database, defineCollection } from '@agent-service/sdk/services/database'
import type { SandboxUsers, UserRange } from '../machine/sandbox-users.js'

/** A principal and the number of its user, counted from the first of the range. */
interface StoredUser {
  readonly id: string
  readonly number: number
}

/** The number for the next principal. */
interface StoredNumber {
  readonly id: 'next'
  readonly number: number
}

export const userCollection = defineCollection<StoredUser>()({
  name: 'sandbox_linux.users',
  version: 1,
  indexes: { by_number: { fields: ['number'], unique: true } },
})
export const numberCollection = defineCollection<StoredNumber>()({ name: 'sandbox_linux.numbers', version: 1, indexes: {} })

const maxRemembered = 10_000
/** Two services on one machine begin at different numbers, as a rule. */
const startStep = 100_000

/** The users of principals, kept in the database. Numbers only grow. */
export function createStoredUsers(
  database: Database,
  range: UserRange,
  firstNumber: () => number = () => randomStart(range),
): SandboxUsers {
  const remembered = new Map<string, number>()
  const give = (principal: string): Promise<number> =>
    database.transaction(async (transaction) => {
      const found = await transaction.get(userCollection, principal)
      if (found !== undefined) return found.number
      const number = (await transaction.get(numberCollection, 'next'))?.number ?? firstNumber()
      if (number >= range.count)
        throw sandboxRefusedError.create({ reason: `all ${range.count} numbers for users of the sandbox have been given` })
      transaction.put(numberCollection, { id: 'next', number: number + 1 })
      transaction.insert(userCollection, { id: principal, number })
      return number
    })
  return {
    async userOf(principal) {
      const number = remembered.get(principal) ?? (await give(principal))
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(principal, number)
      const uid = range.first + number
      return { uid, gid: uid }
    },
    ownerOf: (uid) =>
      database.transaction(async (transaction) => (await transaction.find(userCollection, 'by_number', [uid - range.first]))?.id),
    async forget(principal) {
      remembered.delete(principal)
      await database.transaction(async (transaction) => transaction.delete(userCollection, principal))
    },
  }
}

const randomStart = ({ count }: UserRange): number =>
  count < 10 * startStep ? 0 : randomInt(Math.floor(count / startStep / 2)) * startStep
