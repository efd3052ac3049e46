import { isDeepStrictEqual } from 'node:util'
import { allOf } from '@agent-service/kernel-core/database/collections'
import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import { type PluginDataRecord, pluginDataRecords } from './plugin-data-records.js'

/** A plugin about to run, as far as its data is concerned. */
export interface DataHolder {
  readonly id: string
  readonly version: string
  readonly builtIn: boolean
  readonly subsystems: readonly string[]
}

interface Declaration {
  readonly holder: DataHolder
  readonly definitions: readonly CollectionDefinition[]
}

interface WaitingDeclaration extends Declaration {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface DeclarationDependencies {
  readonly database: Database
  readonly stored: Pick<KernelDatabase['stored'], 'list'>
  /** Whether a plugin that has run since the start declares a collection; undefined of one that has not run. */
  readonly declares: (pluginId: string, collection: string) => boolean | undefined
}

export type PluginDeclarations = ReturnType<typeof createPluginDeclarations>

/**
 * Keeps what plugins declare. What is kept already is not written again; declarations that come while
 * others are written share one transaction, and one that cannot be written fails alone.
 */
export function createPluginDeclarations(dependencies: DeclarationDependencies) {
  const { database } = dependencies
  let waiting: WaitingDeclaration[] = []
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      const together = waiting
      waiting = []
      try {
        await write(dependencies, together)
        for (const { resolve } of together) resolve()
      } catch (error) {
        if (together.length === 1) together[0]?.reject(error)
        else for (const each of together) await write(dependencies, [each]).then(each.resolve, each.reject)
      }
    }
    isWriting = false
  }

  return {
    /** Resolves when it is kept. What an earlier version declared stays, as long as it is stored. */
    async keep(holder: DataHolder, definitions: readonly CollectionDefinition[]): Promise<void> {
      const earlier = await database.collection(pluginDataRecords).get(holder.id)
      if (await isKept(dependencies, { holder, definitions }, earlier)) return
      await new Promise<void>((resolve, reject) => {
        waiting.push({ holder, definitions, resolve, reject })
        void writeAll()
      })
    },
  }
}

async function isKept(
  { stored }: DeclarationDependencies,
  declaration: Declaration,
  earlier: PluginDataRecord | undefined,
): Promise<boolean> {
  const { holder, definitions } = declaration
  if (earlier === undefined) return definitions.length === 0 && holder.subsystems.length === 0
  const isAnyDropped = earlier.collections.length > definitions.length
  return isDeepStrictEqual(recordOf(declaration, earlier, isAnyDropped ? await namesOf(stored) : new Set()), earlier)
}

async function write(dependencies: DeclarationDependencies, declarations: readonly Declaration[]): Promise<void> {
  const { database, stored } = dependencies
  const storedNames = await namesOf(stored)
  const losers = await formerHolders(dependencies, declarations)
  await database.transaction(async (transaction) => {
    for (const declaration of declarations) {
      const earlier = await transaction.get(pluginDataRecords, declaration.holder.id)
      const record = recordOf(declaration, earlier, storedNames)
      if (!isDeepStrictEqual(record, earlier)) transaction.put(pluginDataRecords, record)
    }
    for (const [id, moved] of losers) {
      const record = await transaction.get(pluginDataRecords, id)
      if (record) transaction.put(pluginDataRecords, { ...record, collections: record.collections.filter(({ name }) => !moved.has(name)) })
    }
  })
}

/** Built-in plugins whose collections another built-in plugin declares by now, with the names of these. */
async function formerHolders(
  { database, declares }: DeclarationDependencies,
  declarations: readonly Declaration[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const takers = new Map<string, string>()
  for (const { holder, definitions } of declarations) if (holder.builtIn) for (const { name } of definitions) takers.set(name, holder.id)
  const losers = new Map<string, ReadonlySet<string>>()
  for await (const { id, third_party, collections } of allOf(database.collection(pluginDataRecords), { index: 'by_id' })) {
    if (third_party) continue
    const moved = collections.filter(({ name }) => (takers.get(name) ?? id) !== id && declares(id, name) !== true)
    if (moved.length > 0) losers.set(id, new Set(moved.map(({ name }) => name)))
  }
  return losers
}

function recordOf(
  { holder, definitions }: Declaration,
  earlier: PluginDataRecord | undefined,
  storedNames: ReadonlySet<string>,
): PluginDataRecord {
  const { id, version, builtIn, subsystems } = holder
  const names = new Set<string>(definitions.map(({ name }) => name))
  const left = earlier?.collections.filter(({ name }) => !names.has(name) && storedNames.has(name)) ?? []
  return {
    id,
    version,
    third_party: !builtIn,
    collections: [
      ...definitions.map(({ name, userField = null, sealed = [] }) => ({ name, user_field: userField, sealed: [...sealed] })),
      ...left,
    ],
    subsystems: [...new Set([...subsystems, ...(earlier?.subsystems ?? [])])],
  }
}

const namesOf = async (stored: DeclarationDependencies['stored']): Promise<ReadonlySet<string>> =>
  new Set((await stored.list()).map(({ name }) => name))
