import { namedObject, Type } from '@agent-service/sdk'
import { type Branch, ownerAt } from './branch.js'
import type { Segment } from './chat.js'

/** An alternative to a message; showing its branch selects it. */
export type Alternative = { readonly branch_id: string; readonly number: number }

/** The alternatives in a response. */
export const alternativesSchema = Type.Array(namedObject('Alternative', { branch_id: Type.String(), number: Type.Integer() }), {
  description:
    'Present if the chat was forked before this message: every branch with a message of its own in this position, by number, including the branch of this message.',
})

/**
 * Finds the alternatives to a message of this path: all messages that follow the same one. These
 * are the next message of the branch in which the previous message was written, and the first
 * message of each branch that was forked there. A branch without a message of its own is not
 * included. Undefined if there is no alternative.
 */
export function alternativesAlong(
  path: readonly Segment[],
  branches: readonly Branch[],
): (sequence: number) => readonly Alternative[] | undefined {
  const [first] = branches
  const numbers = new Map(branches.map(({ id, number }) => [id, number]))
  const forks = new Map<string, Alternative[]>()
  for (const { id, number, fork, length } of branches) {
    if (!fork || length <= fork.sequence) continue
    const place = placeOf(fork.branch_id, fork.sequence)
    const there = forks.get(place) ?? []
    there.push({ branch_id: id, number })
    forks.set(place, there)
  }
  return (sequence) => {
    // The first message of a chat has no predecessor: a fork before it counts as forked from the
    // first branch.
    const owner = sequence === 0 ? first?.id : ownerAt(path, sequence - 1)
    if (owner === undefined) return undefined
    const forked = forks.get(placeOf(owner, sequence))
    return forked && [{ branch_id: owner, number: numbers.get(owner) ?? 1 }, ...forked]
  }
}

const placeOf = (branchId: string, sequence: number): string => `${sequence} ${branchId}`
