import type { JsonValue } from '@agent-service/sdk'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { documentId } from '../common/ids.js'
import { type Checkpoint, type ConsolidationPass, checkpointCollection, passCollection, type Stage } from '../store/pass-records.js'

/** Keeps the passes of users with the results of their stages. */
export interface PassStore {
  checkpoints(pass: ConsolidationPass, options: { readonly signal: AbortSignal }): Promise<readonly Checkpoint[]>
  /** Stores a result of a part of a stage. False if the pass is over: it was erased meanwhile. */
  putPart(pass: ConsolidationPass, part: PartResult): Promise<boolean>
  /**
   * Changes an open pass in one transaction with what else belongs to the change. Undefined if it
   * is over.
   */
  update(pass: ConsolidationPass, change: PassChange): Promise<ConsolidationPass | undefined>
}

/** The result of a part of a stage. */
export interface PartResult {
  readonly place: string
  readonly stage: Stage
  readonly key: string
  readonly result: JsonValue
}

/** A change of a pass. */
export interface PassChange {
  readonly pass: Partial<ConsolidationPass>
  readonly checkpoint?: PartResult
  /** Ids of checkpoints that are of no use any more. */
  readonly deleted?: readonly string[]
  /** Whatever else is to change with it. */
  also?(transaction: Transaction): Promise<void>
}

export function createPassStore({ database }: { readonly database: Database }): PassStore {
  return {
    async checkpoints({ user_id: userId, pass_id: passId }, { signal }) {
      const found: Checkpoint[] = []
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const query = { index: 'by_user', equals: [userId, passId], limit: 200, ...(cursor !== undefined && { cursor }) }
        const page = await database.collection(checkpointCollection).query(query)
        found.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return found
    },
    putPart: (pass, part) =>
      database.transaction(async (transaction) => {
        if ((await openPass(transaction, pass)) === undefined) return false
        transaction.put(checkpointCollection, checkpointOf(pass, part))
        return true
      }),
    update: (pass, { pass: changes, checkpoint, deleted = [], also }) =>
      database.transaction(async (transaction) => {
        const current = await openPass(transaction, pass)
        if (!current) return undefined
        const changed = { ...current, ...changes }
        transaction.put(passCollection, changed)
        for (const id of deleted) transaction.delete(checkpointCollection, id)
        if (checkpoint) transaction.put(checkpointCollection, checkpointOf(pass, checkpoint))
        await also?.(transaction)
        return changed
      }),
  }
}

/** The pass as it is stored, if it still goes on at the stage that the caller knows. */
export async function openPass(transaction: Transaction, { id, stage }: ConsolidationPass): Promise<ConsolidationPass | undefined> {
  const current = await transaction.get(passCollection, id)
  return current?.open === true && current.stage === stage ? current : undefined
}

const checkpointOf = ({ user_id: userId, pass_id: passId }: ConsolidationPass, part: PartResult): Checkpoint => ({
  ...{ id: documentId(userId, `${passId}/${part.place}`), user_id: userId, pass_id: passId },
  ...part,
})
