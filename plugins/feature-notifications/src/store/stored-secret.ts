import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { signingKeyCollection } from './notification.js'

/**
 * A secret of this deployment: made once, stored sealed, and remembered. Of several processes that
 * make it at a time, the first one's counts for all.
 */
export function createStoredSecret(dependencies: {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly id: string
  readonly make: () => string
}): () => Promise<string> {
  const { database, sealedFields, id, make } = dependencies
  const place = { collection: signingKeyCollection, id, field: 'key' }
  let known: Promise<string> | undefined
  const read = async (): Promise<string> => {
    const keys = database.collection(signingKeyCollection)
    if (!(await keys.get(id))) {
      const key = await sealedFields.seal(make(), place)
      await database.transaction(async (transaction) => {
        if (!(await transaction.get(signingKeyCollection, id))) transaction.insert(signingKeyCollection, { id, key })
      })
    }
    const stored = await keys.get(id)
    if (!stored) throw new Error(`The secret “${id}” was not stored.`)
    return sealedFields.open(stored.key, place)
  }
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}
