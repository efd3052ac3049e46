import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { handleTakenError } from '../common/errors.js'
import { agentCollection } from '../store/agents/agent.js'

const maxLength = 32
/** How often a handle is chosen again because another request has just taken it. */
const maxTries = 20

/** Letters that do not consist of a base letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'n', ĸ: 'k' },
}

/**
 * The beginning of a handle for an agent of this name: its letters without marks, in lower case,
 * with `-` for everything in between. Undefined if the name has too few Latin letters and digits.
 */
export function handleFromName(name: string): string | undefined {
  const words = [...name.normalize('NFKD').toLowerCase()]
    .map((character) => letters[character] ?? character)
    .join('')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (words.replaceAll('-', '').length < 2) return undefined
  return shortened(/^[0-9]/.test(words) ? `agent-${words}` : words, '')
}

/**
 * Stores something under the first free handle for a name: the handle itself, or with the first
 * free number from 2 on; `agent-<number>` for a name without Latin letters. Two requests at the
 * same time get two handles. @throws `agent_handle_taken` if others are always faster.
 */
export async function withFreeHandle<Result>(
  database: Database,
  owner: { readonly userId: string; readonly name: string },
  store: (transaction: Transaction, handle: string) => Promise<Result>,
): Promise<Result> {
  const base = handleFromName(owner.name)
  let handle = ''
  for (let tries = 1; ; tries += 1) {
    const first = await firstFreeNumber(database, owner.userId, base)
    try {
      return await database.transaction(async (transaction) => {
        let number = first
        handle = numbered(base, number)
        while (await transaction.find(agentCollection, 'by_handle', [owner.userId, handle])) {
          number += 1
          handle = numbered(base, number)
        }
        return store(transaction, handle)
      })
    } catch (error) {
      if (!uniqueViolationError.isInstance(error)) throw error
      if (tries === maxTries) throw handleTakenError.create({ handle }, { cause: error })
    }
  }
}

/** A name with letters has its first handle without a number. */
const numbered = (base: string | undefined, number: number): string =>
  base === undefined ? `agent-${number}` : number === 1 ? base : shortened(base, `-${number}`)

const shortened = (base: string, suffix: string): string => `${base.slice(0, maxLength - suffix.length).replace(/-+$/, '')}${suffix}`

/**
 * Reads the handles with this beginning, so that the thousandth agent of a name needs few queries.
 */
async function firstFreeNumber(database: Database, userId: string, base: string | undefined): Promise<number> {
  const beginning = (base ?? 'agent').slice(0, maxLength - 5).replace(/-+$/, '')
  const taken = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await database.collection(agentCollection).query({
      ...{ index: 'by_handle', equals: [userId], from: beginning, to: `${beginning}\u007f`, limit: 200 },
      ...(cursor === undefined ? {} : { cursor }),
    })
    for (const { handle } of page.items) taken.add(handle)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  let number = 1
  while (taken.has(numbered(base, number))) number += 1
  return number
}
