import type { VectorStore } from '@agent-service/sdk/memory-index'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { documentIdOf, memoryCollection, vectorCollection } from './collections.js'

/** The vectors of memories, beside them in the database. */
export function createVectors(database: Database): VectorStore {
  return {
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
        for (const { id: memory_id, hash, space, vector } of vectors) {
          const id = documentIdOf(userId, memory_id)
          const memory = await transaction.get(memoryCollection, id)
          if (memory?.state === 'live') transaction.put(vectorCollection, { id, user_id: userId, memory_id, hash, space, vector })
        }
      }),
    remove: (userId, ids) =>
      database.transaction(async (transaction) => {
        for (const id of ids) transaction.delete(vectorCollection, documentIdOf(userId, id))
      }),
  }
}
