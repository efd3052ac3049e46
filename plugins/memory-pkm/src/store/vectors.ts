import type { StoredVector, VectorStore } from '@agent-service/sdk/memory-index'
import { type Database, defineCollection, documentsOf } from '@agent-service/sdk/services/database'
import { documentId } from '../common/ids.js'
import { memoryCollection } from './records.js'

/** The vector of a memory: it says where the memory lies among the others in meaning. */
export interface VectorDocument extends Omit<StoredVector, 'id'> {
  readonly id: string
  readonly user_id: string
  readonly memory_id: string
}

export const vectorCollection = defineCollection<VectorDocument>()({
  name: 'memory_pkm.vectors',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'memory_id'] } },
})

/** Keeps vectors beside the memories. */
export const createVectorStore = (database: Database): VectorStore => ({
  async *read(userId, { signal }) {
    for await (const { memory_id: id, hash, space, vector } of documentsOf(database, vectorCollection, {
      index: 'by_user',
      equals: [userId],
      signal,
    }))
      yield { id, hash, space, vector }
  },
  write: (userId, vectors) =>
    database.transaction(async (transaction) => {
      for (const { id: memoryId, ...vector } of vectors) {
        const id = documentId(userId, memoryId)
        const memory = await transaction.get(memoryCollection, id)
        if (memory && !memory.forgotten) transaction.put(vectorCollection, { id, user_id: userId, memory_id: memoryId, ...vector })
      }
    }),
  async remove(userId, ids) {
    for (const id of ids) await database.collection(vectorCollection).delete(documentId(userId, id))
  },
})
