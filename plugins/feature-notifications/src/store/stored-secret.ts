import type { Database } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import { signingKeyCollection } from './notification.js'

/**
 * A secret of this deployment: made once, stored sealed, and remembered. When several processes
 * make it at the same time, all use the one that was stored first.
 */
export function createStoredSecret(dependencies: {
  readonly database: Database
  readonly sealedFields: SealedFields
  readonly id: string
  readonly make: () => string
}): () => Promise<string> {
  const { database, sealedFields, id, make } = dependencies
  const location = { collection: signingKeyCollection, id, field: 'key' }
  let secret: Promise<string> | undefined
  const read = async (): Promise<string> => {
    const keys = database.collection(signingKeyCollection)
    if (!(await keys.get(id))) {
      const key = await sealedFields.seal(make(), location)
      await database.transaction(async (transaction) => {
        if (!(await transaction.get(signingKeyCollection, id))) transaction.insert(signingKeyCollection, { id, key })
      })
    }
    const stored = await keys.get(id)
    if (!stored) throw new Error(`The secret “${id}” was not stored.`)
    return sealedFields.open(stored.key, location)
  }
  return () => {
    secret ??= read().catch((error: unknown) => {
      secret = undefined
      throw error
    })
    return secret
  }
}
