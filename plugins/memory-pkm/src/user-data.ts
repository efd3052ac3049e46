import type { UserData } from '@agent-service/sdk/contracts/user-data'
import { documentsOf } from '@agent-service/sdk/services/database'
import { collections } from './store/collections.js'
import { promptListCollection } from './store/prompt-list.js'
import { type EraseDependencies, eraseUser } from './transfer/erase-user.js'

const names = { specVersion: 1, id: 'memory-pkm', collections: collections.map(({ name }) => name) } as const

/** What prompts need of the memories repeats them. */
const exported = collections.filter(({ name }) => name !== promptListCollection.name)

/** Where there is no database there is nothing: `agent-service doctor` runs the plugin so. */
export const noUserData: UserData = {
  ...names,
  async *export() {
    yield* []
  },
  erase: async () => undefined,
  size: async () => ({ records: 0, bytes: 0 }),
}

/** Export, erasure and size of what is kept about one user. */
export function createPkmUserData(dependencies: EraseDependencies): UserData {
  const { database } = dependencies
  return {
    ...names,
    shownBy: ['listMemories', 'getMemory', 'exportMemories', 'listMemoryRevisions', 'listMemoryPasses'],
    async *export(userId, { signal }) {
      for (const collection of exported) {
        let count = 0
        for await (const document of documentsOf(database, collection, { index: 'by_user', equals: [userId], signal })) {
          count += 1
          // The ids of documents have slashes.
          const name = `${String(count).padStart(6, '0')}.json`
          yield { path: `${collection.name.replace('.', '/')}/${name}`, json: JSON.parse(JSON.stringify(document)) }
        }
      }
    },
    erase: (userId, { signal }) => eraseUser(dependencies, userId, { signal }),
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of collections)
        for await (const document of documentsOf(database, collection, { index: 'by_user', equals: [userId], signal })) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  }
}
