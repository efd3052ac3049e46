import { type AuditActor, noActor } from '@agent-service/kernel-core/audit'
import { allOf } from '@agent-service/kernel-core/database/collections'
import { defineError, type Logger } from '@agent-service/sdk'
import { createInTurns } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import type { PluginData } from './plugin-data.js'
import type { RecordPluginData } from './plugin-data-audit.js'
import { type PluginDataDecision, pluginDataDecisions, pluginSuccessions } from './plugin-data-records.js'
import type { PluginRemains } from './plugin-remains.js'

export const pluginDataUnknownError = defineError<{ readonly id: string; readonly leftBehind?: true }>({
  code: 'plugin_data_unknown',
  status: 404,
  title: 'No data of the plugin',
  message: ({ id, leftBehind }) => {
    const what = leftBehind
      ? `The version of plugin “${id}” that runs has left no collection behind`
      : `Nothing is stored of a plugin “${id}”`
    return `${what}. GET /api/admin/plugins/data lists the plugins that have left data.`
  },
})

/** Another node of the deployment has the plugin, and uses what would be deleted. */
export const pluginDataUsedElsewhereError = defineError<{ readonly id: string; readonly versions: string }>({
  code: 'plugin_data_used_elsewhere',
  status: 409,
  title: 'Data of the plugin used elsewhere',
  message: ({ id, versions }) =>
    `The data of plugin “${id}” cannot be deleted: another node of the deployment has the plugin (${versions}). Remove or disable it there and restart that node; one that was killed is forgotten after 35 seconds.`,
})

export const pluginDataDeletionsToken: InjectionToken<PluginDataDeletions> = Symbol('plugin-data-deletions')

/** What is or was deleted. */
export type DeletedData = Pick<PluginDataDecision, 'id' | 'collections' | 'folders'>

export interface PluginDataDeletions {
  /**
   * Stores that the data of a plugin is to be deleted, with an entry in the audit log. The plugin
   * must not run, here or on another node, and must not start before {@link finish} has resolved.
   * @throws `plugin_data_unknown`, `plugin_data_used_elsewhere`.
   */
  begin(pluginId: string, actor: AuditActor): Promise<DeletedData>
  /**
   * Stores that the collections that the running version of a plugin has left behind are to be
   * deleted, as {@link begin} does; the plugin goes on. No other node may have another version of it.
   * @throws as {@link begin}.
   */
  beginLeftBehind(pluginId: string, actor: AuditActor): Promise<DeletedData>
  /** Completes a deletion that has begun; resolves at once if none has. Calls for one plugin share the work. */
  finish(pluginId: string): Promise<void>
  /**
   * Completes a deletion that has begun, then does something with the data of the plugin. No
   * deletion begins meanwhile.
   */
  finishBefore<Result>(pluginId: string, work: () => Promise<Result>): Promise<Result>
  /** Completes all deletions that have begun, in the background. Failures are logged. */
  continueAll(): Promise<void>
  /** Stores that the data stays, without reminders. @throws `plugin_data_unknown`. */
  keep(pluginId: string, actor: AuditActor): Promise<void>
  /** All decisions, by plugin. */
  decisions(): Promise<ReadonlyMap<string, PluginDataDecision['decision']>>
}

export interface DeletionDependencies {
  readonly database: Database
  readonly data: PluginData
  readonly remains: PluginRemains
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  /** Ends work under way; the next start goes on. */
  readonly signal: AbortSignal
  /** The versions of a plugin that other living processes of the deployment have. */
  readonly versionsElsewhere: (pluginId: string) => Promise<readonly string[]>
  readonly record: RecordPluginData
}

/**
 * Deletes what plugins that do not run have stored. A deletion that has begun is completed, also
 * after a crash: before that, no plugin starts under this id.
 */
export function createPluginDataDeletions(dependencies: DeletionDependencies): PluginDataDeletions {
  const { database, data, clock, log, signal, record } = dependencies
  const stored = database.collection(pluginDataDecisions)
  const underWay = new Map<string, Promise<void>>()
  /** Of each plugin: the begin of a deletion, and what must not meet one. */
  const turns = createInTurns()

  const finish = (pluginId: string): Promise<void> => {
    const running = underWay.get(pluginId)
    if (running) return running
    const work = complete(dependencies, pluginId).finally(() => underWay.delete(pluginId))
    underWay.set(pluginId, work)
    return work
  }

  return {
    finish,
    finishBefore: (pluginId, work) =>
      turns.run(pluginId, async () => {
        await finish(pluginId)
        return work()
      }),
    begin: (pluginId, actor) =>
      turns.run(pluginId, async () => {
        if ((await stored.get(pluginId))?.left_behind === true) await finish(pluginId)
        return begin(dependencies, pluginId, actor)
      }),
    beginLeftBehind: (pluginId, actor) => turns.run(pluginId, () => begin(dependencies, pluginId, actor, { leftBehind: true })),
    async continueAll() {
      const failed = (pluginId: string | undefined, error: unknown): void => {
        if (signal.aborted) return
        log.error('The data of plugins could not be deleted completely; the next start goes on.', { plugin: pluginId, error })
      }
      try {
        for await (const { id } of allOf(stored, { index: 'by_decision', equals: ['delete'] }, signal))
          await finish(id).catch((error: unknown) => failed(id, error))
      } catch (error) {
        failed(undefined, error)
      }
    },
    async keep(pluginId, actor) {
      const at = new Date(clock.now()).toISOString()
      await deletionOf(data, pluginId, clock)
      await database.transaction(async (transaction) => {
        // A deletion that has begun cannot be taken back.
        if ((await transaction.get(pluginDataDecisions, pluginId)) !== undefined) return
        transaction.put(pluginDataDecisions, { id: pluginId, decision: 'keep', at, collections: [], folders: [] })
        record(transaction, { kind: 'plugin_data.kept', actor, subjectId: pluginId })
      })
    },
    async decisions() {
      const found = new Map<string, PluginDataDecision['decision']>()
      for await (const { id, decision } of allOf(stored, { index: 'by_decision' })) found.set(id, decision)
      return found
    },
  }
}

/** What a deletion is about: everything, or what the version that runs has left behind. */
interface DeletionScope {
  readonly leftBehind?: true
}

async function begin(
  dependencies: DeletionDependencies,
  pluginId: string,
  actor: AuditActor,
  scope: DeletionScope = {},
): Promise<DeletedData> {
  const { database, data, clock, record } = dependencies
  const begun = await database.collection(pluginDataDecisions).get(pluginId)
  if (begun?.decision === 'delete') return begun
  await refuseElsewhere(dependencies, pluginId, scope)
  const decision = await deletionOf(data, pluginId, clock, scope)
  const { collections, folders } = decision
  await database.transaction(async (transaction) => {
    transaction.put(pluginDataDecisions, decision)
    const details = { collections: [...collections], folders: [...folders] }
    record(transaction, { kind: 'plugin_data.deletion_begun', actor, subjectId: pluginId, details })
  })
  return decision
}

async function refuseElsewhere(
  { data, versionsElsewhere }: DeletionDependencies,
  id: string,
  { leftBehind }: DeletionScope,
): Promise<void> {
  const own = leftBehind && (await data.list()).find((plugin) => plugin.id === id)?.version
  const versions = (await versionsElsewhere(id)).filter((version) => version !== own)
  if (versions.length > 0) throw pluginDataUsedElsewhereError.create({ id, versions: [...new Set(versions)].sort().join(', ') })
}

async function deletionOf(
  data: PluginData,
  pluginId: string,
  clock: Pick<Clock, 'now'>,
  { leftBehind }: DeletionScope = {},
): Promise<PluginDataDecision> {
  const overview = (await data.overview()).find(({ plugin }) => plugin.id === pluginId)
  const own = (overview?.collections ?? []).filter(({ left_behind }) => left_behind || !leftBehind)
  const folders = leftBehind ? [] : (overview?.folders ?? [])
  if (own.length === 0 && folders.length === 0) throw pluginDataUnknownError.create({ id: pluginId, ...(leftBehind && { leftBehind }) })
  const collections: { readonly name: string; readonly documents: number }[] = []
  for (const { name } of own) collections.push({ name, documents: await data.count(name) })
  const at = new Date(clock.now()).toISOString()
  return { id: pluginId, decision: 'delete', at, collections, folders, ...(leftBehind && { left_behind: leftBehind }) }
}

async function complete(dependencies: DeletionDependencies, pluginId: string): Promise<void> {
  const { database, data, remains, log, record, signal } = dependencies
  const decision = await database.collection(pluginDataDecisions).get(pluginId)
  if (decision?.decision !== 'delete') return
  const { collections, folders, left_behind: isLeftBehind = false } = decision
  const names = collections.map(({ name }) => name)
  if (isLeftBehind) await data.discardLeftBehind(pluginId, names, { signal })
  else {
    await remains.discardSubscriptions(pluginId, { signal })
    await remains.removeCache(pluginId, { signal })
    await remains.removeFolders(folders, { signal })
    await data.discard(pluginId, { signal })
  }
  await remains.discardSealedFields(pluginId, names)
  const successions = isLeftBehind ? [] : await successionsOf(database, pluginId)
  await database.transaction(async (transaction) => {
    for (const id of successions) transaction.delete(pluginSuccessions, id)
    transaction.delete(pluginDataDecisions, pluginId)
    const details = { collections: [...collections], folders: [...folders] }
    record(transaction, { kind: 'plugin_data.deleted', actor: noActor, subjectId: pluginId, details })
  })
  log.info(`The data of plugin ${pluginId} was deleted.`, { collections: names })
}

async function successionsOf(database: Database, pluginId: string): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of allOf(database.collection(pluginSuccessions), { index: 'by_plugin', equals: [pluginId] })) ids.push(id)
  return ids
}
