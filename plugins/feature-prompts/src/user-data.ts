import { defineUserData, type UserData } from '@agent-service/sdk/contracts/user-data'
import { type Database, type DocumentsPlace, documentsOf } from '@agent-service/sdk/services/database'
import { collections, promptCollection, textCollection, usesCollection } from './store/prompt.js'

/** Export, erasure and size of one user's prompts. What they shared goes with them. */
export const createPromptUserData = ({ database }: { readonly database: Database }): UserData =>
  defineUserData({
    id: 'prompts',
    collections: collections.map(({ name }) => name),
    shownBy: ['listPrompts', 'getPrompt'],
    async *export(userId, { signal }) {
      for await (const prompt of documentsOf(database, promptCollection, at(userId, signal))) {
        const text = (await database.collection(textCollection).get(prompt.id))?.text ?? ''
        yield { path: `prompts/${prompt.id}.json`, json: { ...prompt, text } }
      }
      for await (const { used } of documentsOf(database, usesCollection, at(userId, signal)))
        yield { path: 'prompts/used.json', json: { used: { ...used } } }
    },
    async erase(userId, { signal }) {
      for (const collection of collections)
        for (;;) {
          signal.throwIfAborted()
          const page = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: 50 })
          if (page.items.length === 0) break
          await database.transaction(async (transaction) => {
            for (const { id } of page.items) transaction.delete(collection, id)
          })
        }
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of collections)
        for await (const document of documentsOf(database, collection, at(userId, signal))) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      return { records, bytes }
    },
  })

const at = (userId: string, signal: AbortSignal): DocumentsPlace => ({ index: 'by_user', equals: [userId], signal, pageSize: 50 })
