import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { KernelDatabase } from '@agent-service/kernel/testing'
import { type Collection, defineCollection } from '@agent-service/sdk/services/database'

/** A third party that keeps entries and places of users. */
export interface NotesPlugin {
  readonly id: string
  /** Its setup throws. */
  readonly fails?: boolean
  /** A newer version, which declares its places no more. */
  readonly withoutPlaces?: boolean
}

interface Entry {
  readonly id: string
  readonly user_id: string
  readonly text: string
  readonly token: string
}

interface Place {
  readonly id: string
  readonly owner_id: string
  readonly name: string
}

export interface NotesStore {
  readonly entries: Collection<Entry>
  readonly places: Collection<Place>
}

const entriesOf = (id: string) =>
  ({
    name: `${id}.entries`,
    version: 1,
    indexes: { by_user: { fields: ['user_id', 'id'] } },
    userField: 'user_id',
    sealed: ['token'],
  }) as const

/** Without an index that begins with the user. */
const placesOf = (id: string) =>
  ({ name: `${id}.places`, version: 1, indexes: { by_name: { fields: ['name'] } }, userField: 'owner_id' }) as const

const sdk = (name = ''): string => JSON.stringify(import.meta.resolve(`@agent-service/sdk${name}`))

/** Writes the plugin into a folder of its own, anew if it is there. Answers the folder. */
export async function writeNotesPlugin(folder: string, { id, fails = false, withoutPlaces = false }: NotesPlugin): Promise<string> {
  const place = path.join(folder, `plugin-${id}`)
  const manifest = { id, apiVersion: 1, contributes: ['user.data', 'http.route'], storage: { subsystems: [id] } }
  const collections = [entriesOf(id), ...(withoutPlaces ? [] : [placesOf(id)])]
  const about = { name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }
  await rm(place, { recursive: true, force: true })
  await mkdir(place)
  await writeFile(path.join(place, 'package.json'), JSON.stringify(about))
  await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
  // Another version has another name: a process loads a module of one name once.
  const entry = `index-${fails ? 'fails' : 'runs'}-${collections.length}.js`
  await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry: `./${entry}` }))
  await writeFile(path.join(place, entry), codeOf({ manifest, collections, fails }))
  return place
}

interface NotesCode {
  readonly manifest: { readonly id: string }
  readonly collections: readonly object[]
  readonly fails: boolean
}

const codeOf = ({ manifest, manifest: { id }, collections, fails }: NotesCode) => `
import { definePlugin } from ${sdk()}
import { defineRoute, httpRoutes, ok } from ${sdk('/contracts/http-route')}
import { defineUserData, userData } from ${sdk('/contracts/user-data')}
import { databaseService } from ${sdk('/services/database')}

const collections = ${JSON.stringify(collections)}

export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  collections,
  setup(context) {
    if (${fails}) throw new Error('The notes fail.')
    const database = context.use(databaseService)
    async function* documentsOf(userId) {
      for (const definition of collections) {
        const collection = database.collection(definition)
        const [index] = Object.keys(definition.indexes)
        let cursor
        do {
          const page = await collection.query({ index, ...(cursor === undefined ? {} : { cursor }) })
          for (const document of page.items) if (document[definition.userField] === userId) yield { collection, document }
          cursor = page.nextCursor
        } while (cursor !== undefined)
      }
    }
    context.contribute(httpRoutes, defineRoute({
      method: 'GET',
      path: ${JSON.stringify(`/api/plugins/${id}/list`)},
      operationId: ${JSON.stringify(`${id}List`)},
      summary: 'The notes',
      tags: ['notes'],
      auth: 'user',
      answers: { 200: { description: 'Nothing here.', schema: { type: 'object' } } },
      async handle() { return ok({}) },
    }))
    context.contribute(userData, defineUserData({
      shownBy: [${JSON.stringify(`${id}List`)}],
      id: ${JSON.stringify(id)},
      collections: collections.map(({ name }) => name),
      async *export(userId) {
        for await (const { document } of documentsOf(userId)) yield { path: 'notes/' + document.id + '.json', json: { id: document.id } }
      },
      async erase(userId) {
        for await (const { collection, document } of documentsOf(userId)) await collection.delete(document.id)
      },
      async size(userId) {
        let records = 0
        for await (const each of documentsOf(userId)) records += each === undefined ? 0 : 1
        return { records, bytes: records }
      },
    }))
  },
})
`

/** What the plugin has stored, also while it does not run. */
export async function openNotes(database: KernelDatabase, id: string): Promise<NotesStore> {
  const entries = defineCollection<Entry>()(entriesOf(id))
  const places = defineCollection<Place>()(placesOf(id))
  const opened = await database.openFor(id, [entries, places], { thirdParty: true })
  return { entries: opened.collection(entries), places: opened.collection(places) }
}
