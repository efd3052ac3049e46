import type { MemoryBackend } from '@agent-service/sdk/contracts/memory-backend'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { memoryCollection, userCollection, vectorCollection } from './collections.js'
import { promptListCollection } from './prompt-list.js'

/** Export, erasure and size of the memories of one user. Vectors are no data of their own: they are made of the texts. */
export function createMemoryUserData(database: Database, backend: Pick<MemoryBackend, 'export' | 'erase'>): UserData {
  return {
    specVersion: 1,
    id: 'memory-basic',
    collections: [memoryCollection, userCollection, vectorCollection, promptListCollection].map(({ name }) => name),
    shownBy: ['listMemories', 'getMemory', 'exportMemories', 'listMemoryRevisions'],
    async *export(userId, options) {
      let number = 0
      for await (const record of backend.export(userId, options)) {
        number += 1
        yield { path: `memories/${String(number).padStart(6, '0')}.json`, json: JSON.parse(JSON.stringify(record)) }
      }
    },
    erase: (userId, options) => backend.erase(userId, options),
    async size(userId, { signal }) {
      let [records, bytes] = [0, 0]
      for (const collection of [memoryCollection, vectorCollection] as const)
        for await (const document of documentsOf(database, collection as typeof memoryCollection, {
          index: 'by_user',
          equals: [userId],
          signal,
        })) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  }
}
