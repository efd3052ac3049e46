import type { JsonObject } from '@agent-service/sdk'
import type { UserData } from '@agent-service/sdk/contracts/user-data'

/**
 * A collection with documents of users that no `user.data` of a running plugin names: its plugin is
 * gone or does not run, or a newer version of it declares the collection no more.
 */
export interface RawCollection {
  readonly name: string
  readonly plugin: string
  /**
   * `gone` when no installed plugin has the id, `unknown` when it may be in a source that cannot be read,
   * else the plugin's state.
   */
  readonly state: string
  /** The plugin is or may be installed, and exports and erases the documents itself once it runs. */
  readonly isAwaited: boolean
  /** Members with sealed texts. No document that is read has them. */
  readonly sealed: readonly string[]
  /**
   * The operations that showed the same data when its plugin last ran. Nothing serves them now, but
   * the policies answer for them.
   */
  shownBy(): Promise<readonly string[]>
  documents(userId: string, options: { readonly signal: AbortSignal }): AsyncIterable<JsonObject>
  /** Safe to repeat: a call after a crash goes on. Resolves to how many there were. */
  erase(userId: string, options: { readonly signal: AbortSignal }): Promise<number>
}

/** A folder of users that no installed plugin declares any more. */
export interface RawFolder {
  readonly name: string
  readonly plugin: string
  /** As of a {@link RawCollection}. */
  readonly state: string
}

/** No plugin that was found has its id. */
export const isOfAbsentPlugin = ({ state }: Pick<RawCollection, 'state'>): boolean => state === 'gone' || state === 'unknown'

/** What is stored of users beside the contributions of running plugins. */
export interface RawData {
  collections(): Promise<readonly RawCollection[]>
  folders(): Promise<readonly RawFolder[]>
  /** Whether it is sure that no installed plugin has the id. */
  isGone(pluginId: string): boolean
}

/** Every plugin that has stored something runs, and answers for all of it. */
export const noRawData: RawData = Object.freeze({ collections: async () => [], folders: async () => [], isGone: () => false })

/** The name of a collection among the parts of an account's data. No contribution's id has a colon. */
export const rawPartOf = ({ name }: Pick<RawCollection, 'name'>): string => `raw:${name}`

/** Its documents as a part of an account's data that is copied and erased like that of a plugin. */
export function userDataOf(collection: RawCollection): UserData {
  return {
    specVersion: 1,
    id: `raw-${collection.name}`,
    collections: [collection.name],
    async *export(userId, { signal }) {
      for await (const document of collection.documents(userId, { signal }))
        yield { path: `${String(document['id'])}.json`, json: document }
    },
    async erase(userId, { signal }) {
      await collection.erase(userId, { signal })
    },
    size: (userId, { signal }) => sizeOf(collection, userId, signal),
  }
}

async function sizeOf(collection: RawCollection, userId: string, signal: AbortSignal): Promise<{ records: number; bytes: number }> {
  let records = 0
  let bytes = 0
  for await (const document of collection.documents(userId, { signal })) {
    records += 1
    bytes += Buffer.byteLength(JSON.stringify(document))
  }
  return { records, bytes }
}
