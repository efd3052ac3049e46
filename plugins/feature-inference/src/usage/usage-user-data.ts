import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { type CollectionDefinition, type Database, type DocumentsPlace, documentsOf } from '@agent-service/sdk/services/database'
import { type RefusedParts, refusedPartCollection } from '../calls/omissions/refused-parts.js'
import { budgetCollection } from './budget.js'
import { callCollection } from './stored-call.js'
import { chatSumCollection, daySumCollection } from './usage-sum.js'

/** The usage collections, in the order of erasure. */
export const usageCollections: readonly CollectionDefinition[] = [
  callCollection,
  daySumCollection,
  chatSumCollection,
  budgetCollection,
  refusedPartCollection,
]

/** Export, erasure and size of one user's usage. */
export function createUsageUserData(
  database: Database,
  settled: () => Promise<void>,
  refusedParts: Pick<RefusedParts, 'forget'>,
): UserData {
  return {
    specVersion: 1,
    id: 'usage',
    collections: usageCollections.map(({ name }) => name),
    shownBy: ['getUsage', 'getUsageOfChat', 'listModelCalls', 'getOwnBudget'],
    async *export(userId, { signal }) {
      await settled()
      for (const definition of usageCollections) {
        const folder = definition.name.replace('inference.', '')
        for await (const document of documentsOf(database, definition, at(userId, signal)))
          yield { path: `${folder}/${document.id}.json`, json: JSON.parse(JSON.stringify(document)) }
      }
    },
    async erase(userId, { signal }) {
      await settled()
      refusedParts.forget(userId)
      for (const definition of usageCollections) {
        for await (const { id } of documentsOf(database, definition, at(userId, signal))) await database.collection(definition).delete(id)
      }
    },
    // What was used counts on: a new holder does not get the budget a second time.
    handOver: async () => [],
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const definition of usageCollections) {
        for await (const document of documentsOf(database, definition, at(userId, signal))) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      }
      return { records, bytes }
    },
  }
}

const at = (userId: string, signal: AbortSignal): DocumentsPlace => ({ index: 'by_user', equals: [userId], signal })
