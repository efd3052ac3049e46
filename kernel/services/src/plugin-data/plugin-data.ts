import { allOf } from '@agent-service/kernel-core/database/collections'
import { databaseToken, type KernelDatabase, ownDatabaseToken } from '@agent-service/kernel-core/database/open'
import type { JsonObject } from '@agent-service/sdk'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { type PluginDataRecord, pluginDataRecords, shownOperationRecords } from './plugin-data-records.js'
import { createPluginDeclarations, type DataHolder, type PluginDeclarations } from './plugin-declarations.js'

export const pluginDataToken: InjectionToken<PluginData> = Symbol('plugin-data')

/** A stored collection of a plugin. */
export type OwnCollection = PluginDataRecord['collections'][number] & { readonly left_behind: boolean }

/** What is known of a plugin, and what of it is stored. */
export interface PluginOverview {
  readonly plugin: PluginDataRecord
  readonly collections: readonly OwnCollection[]
  /**
   * The folders of users that go with its data. Those of a built-in plugin hold files that people
   * keep and other plugins use, so they stay, as does a folder that another plugin has too.
   */
  readonly folders: readonly string[]
}

/** A collection and the plugin that keeps it. */
export interface PluginCollection {
  readonly plugin: string
  readonly collection: PluginDataRecord['collections'][number]
  /** It was never declared: that it has data of users follows from an index alone. */
  readonly isAssumed: boolean
}

/** The member that holds the user's id in collections whose plugin ran before declarations were kept. */
const assumedUserField = 'user_id'

/**
 * What plugins have stored, known without their code: also of plugins that do not run, are removed
 * or have another id now.
 */
@injectable()
export class PluginData {
  /** The collections of plugins that have run since the start, by id. */
  readonly #declared = new Map<string, ReadonlySet<string>>()
  readonly #declarations: PluginDeclarations

  constructor(
    @inject(ownDatabaseToken) private readonly database: Database,
    @inject(databaseToken) private readonly kernelDatabase: Pick<KernelDatabase, 'stored'>,
  ) {
    this.#declarations = createPluginDeclarations({
      ...{ database, stored: kernelDatabase.stored },
      declares: (pluginId, collection) => this.#declared.get(pluginId)?.has(collection),
    })
  }

  /**
   * Keeps what a plugin declares and has opened, before it can store anything. What an earlier version declared
   * stays, as long as it is stored; what a built-in plugin declares is no longer that of another one.
   */
  async declare(holder: DataHolder, definitions: readonly CollectionDefinition[]): Promise<void> {
    this.#declared.set(holder.id, new Set(definitions.map(({ name }) => name)))
    await this.#declarations.keep(holder, definitions)
  }

  /**
   * Every plugin that has declared something or has a collection. Of a plugin that last ran before
   * declarations were kept, a collection with an index on `user_id` counts as data of users.
   */
  async list(): Promise<readonly PluginDataRecord[]> {
    return (await this.#known()).records
  }

  /**
   * Every plugin of {@link list} with the collections that are stored and belong to it alone. Each
   * says whether the version that has run since the start left it behind.
   */
  async overview(): Promise<readonly PluginOverview[]> {
    const plugins = await this.list()
    const owners = await this.#owners()
    const holders = countOf(plugins.flatMap(({ collections }) => collections.map(({ name }) => name)))
    const folderHolders = countOf(plugins.flatMap(({ subsystems }) => subsystems))
    return plugins.map((plugin) => {
      const { id, third_party, collections, subsystems } = plugin
      const declared = this.#declared.get(id)
      const own = collections.filter(({ name }) =>
        // A collection may have moved: by a hand-over, or to another built-in plugin.
        third_party ? owners.get(name) === id : owners.get(name) === null && holders.get(name) === 1,
      )
      const folders = third_party ? subsystems.filter((name) => folderHolders.get(name) === 1) : []
      const withState = own.map((each) => ({ ...each, left_behind: declared !== undefined && !declared.has(each.name) }))
      return { plugin, collections: withState, folders }
    })
  }

  /** The collections that are stored and belong to the plugin alone. */
  async collectionsOf(pluginId: string): Promise<readonly OwnCollection[]> {
    return (await this.overview()).find(({ plugin }) => plugin.id === pluginId)?.collections ?? []
  }

  /**
   * The stored collections with documents of users that `covered` does not have. Each is its owner's
   * alone, whatever another plugin has declared, and each is there once.
   */
  async uncovered(covered: ReadonlySet<string>): Promise<readonly PluginCollection[]> {
    const owners = await this.#owners()
    const isOwn = (record: PluginDataRecord, name: string): boolean => owners.get(name) === (record.third_party ? record.id : null)
    const { records, assumed } = await this.#known()
    const uncovered = new Map<string, PluginCollection>()
    for (const record of records)
      for (const collection of record.collections) {
        const { name, user_field } = collection
        if (user_field === null || covered.has(name) || !isOwn(record, name)) continue
        // Of two built-in plugins that had it, the one that has run without it is not its holder.
        const isLeft = this.#declared.get(record.id)?.has(name) === false
        if (!uncovered.has(name) || !isLeft) uncovered.set(name, { plugin: record.id, collection, isAssumed: assumed.has(name) })
      }
    return [...uncovered.values()]
  }

  /** The documents of a user in one of its collections, without what is sealed. */
  async *documentsOf(
    { name, user_field, sealed }: PluginDataRecord['collections'][number],
    userId: string,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<JsonObject> {
    if (user_field === null) return
    const selection = { collection: name, member: user_field, value: userId }
    const secret = new Set(sealed)
    for await (const document of this.kernelDatabase.stored.documents(selection, options))
      yield Object.fromEntries(Object.entries(document).filter(([member]) => !secret.has(member)))
  }

  /** Deletes the documents of a user in one of its collections. Resolves to how many. */
  async eraseOf(
    { name, user_field }: PluginDataRecord['collections'][number],
    userId: string,
    options: { readonly signal: AbortSignal },
  ): Promise<number> {
    if (user_field === null) return 0
    return this.kernelDatabase.stored.erase({ collection: name, member: user_field, value: userId }, options)
  }

  /** How many documents a collection has, of all users. */
  count(collection: string): Promise<number> {
    return this.kernelDatabase.stored.count(collection)
  }

  /**
   * Deletes all documents of a plugin, its collections and the record of them. The plugin must not
   * run. When aborted, or after a crash, the next call goes on.
   */
  async discard(pluginId: string, options: { readonly signal: AbortSignal }): Promise<void> {
    await this.#drop(await this.collectionsOf(pluginId), options)
    this.#declared.delete(pluginId)
    await this.database.collection(pluginDataRecords).delete(pluginId)
  }

  /**
   * Deletes collections that the version of a plugin that runs has left behind, with all their
   * documents, and the record of them. One that it declares stays. When aborted, or after a crash,
   * the next call goes on.
   */
  async discardLeftBehind(pluginId: string, names: readonly string[], options: { readonly signal: AbortSignal }): Promise<void> {
    const isGiven = ({ name }: { readonly name: string }): boolean =>
      names.includes(name) && this.#declared.get(pluginId)?.has(name) !== true
    await this.#drop((await this.collectionsOf(pluginId)).filter(isGiven), options)
    await this.database.transaction(async (transaction) => {
      const record = await transaction.get(pluginDataRecords, pluginId)
      if (!record?.collections.some(isGiven)) return
      transaction.put(pluginDataRecords, { ...record, collections: record.collections.filter((each) => !isGiven(each)) })
    })
  }

  /**
   * Hands everything that a plugin has stored to another one, under the names it has. Neither may
   * run. After a crash the next call goes on.
   */
  async handOver(from: string, taker: Pick<DataHolder, 'id' | 'builtIn' | 'version'>): Promise<readonly string[]> {
    const { id: to, builtIn, version } = taker
    const records = await this.list()
    const given = records.find(({ id }) => id === from)
    if (!given) return []
    const names = given.collections.map(({ name }) => name)
    const own = records.find(({ id }) => id === to)
    await this.database.collection(pluginDataRecords).put({
      id: to,
      version,
      third_party: !builtIn,
      collections: [...(own?.collections.filter(({ name }) => !names.includes(name)) ?? []), ...given.collections],
      subsystems: [...new Set([...(own?.subsystems ?? []), ...given.subsystems])],
    })
    await this.kernelDatabase.stored.rebind(names, builtIn ? null : to)
    await this.database.collection(pluginDataRecords).delete(from)
    return names
  }

  async #drop(collections: readonly OwnCollection[], options: { readonly signal: AbortSignal }): Promise<void> {
    const names = collections.map(({ name }) => name)
    await this.kernelDatabase.stored.drop(names, options)
    await this.database.transaction(async (transaction) => {
      for (const name of names) if (await transaction.get(shownOperationRecords, name)) transaction.delete(shownOperationRecords, name)
    })
  }

  /** As {@link list}, with the names of the collections that were never declared. */
  async #known(): Promise<{ readonly records: readonly PluginDataRecord[]; readonly assumed: ReadonlySet<string> }> {
    const records = new Map<string, PluginDataRecord>()
    for await (const record of allOf(this.database.collection(pluginDataRecords), { index: 'by_id' })) records.set(record.id, record)
    const assumed = new Set<string>()
    for (const { name, owner, indexes } of await this.kernelDatabase.stored.list()) {
      if (owner === null) continue
      const record = records.get(owner) ?? { id: owner, version: 'unknown', third_party: true, collections: [], subsystems: [] }
      if (record.collections.some((collection) => collection.name === name)) continue
      const isOfUsers = indexes.some(({ fields }) => fields[0] === assumedUserField)
      const collection = { name, user_field: isOfUsers ? assumedUserField : null, sealed: [] }
      assumed.add(name)
      records.set(owner, { ...record, collections: [...record.collections, collection] })
    }
    return { records: [...records.values()], assumed }
  }

  /** The owner of every stored collection; null for one of the service's own parts. */
  async #owners(): Promise<ReadonlyMap<string, string | null>> {
    return new Map((await this.kernelDatabase.stored.list()).map(({ name, owner }) => [name, owner]))
  }
}

/** How often each name is there. */
function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
