import { Type } from '@agent-service/sdk'
import { type Branch, ownerAt } from './branch.js'
import type { Segment } from './chat.js'

/** One of the ways on from a message: show its branch to go there. */
export type Alternative = { readonly branch_id: string; readonly number: number }

/** The ways on, in an answer. */
export const alternativesSchema = Type.Array(Type.Object({ branch_id: Type.String(), number: Type.Integer() }), {
  description:
    'Where the chat was forked before this message: every branch that has a message of its own in this place, by number, the one that this message was written in among them. Absent elsewhere.',
})

/**
 * Tells what stands in the place of a message of this way: all messages that follow the same one. That is the one of the branch in which the message before
 * it was written, which went on when the others were forked, and the first one of each branch that was forked there. A branch that has nothing of its own
 * yet is none of them. Undefined where there is nothing to choose.
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
    // The first message of a chat follows nothing: what was forked there counts as forked from the first branch.
    const owner = sequence === 0 ? first?.id : ownerAt(path, sequence - 1)
    if (owner === undefined) return undefined
    const forked = forks.get(placeOf(owner, sequence))
    return forked && [{ branch_id: owner, number: numbers.get(owner) ?? 1 }, ...forked]
  }
}

const placeOf = (branchId: string, sequence: number): string => `${sequence} ${branchId}`
