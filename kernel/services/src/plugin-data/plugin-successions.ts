import { noActor } from '@agent-service/kernel-core/audit'
import type { UnreadSource } from '@agent-service/kernel-core/plugins'
import { defineError, type Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import type { PluginData } from './plugin-data.js'
import type { RecordPluginData } from './plugin-data-audit.js'
import type { PluginDataDeletions } from './plugin-data-deletions.js'
import { pluginDataDecisions, pluginSuccessions } from './plugin-data-records.js'
import type { DataHolder } from './plugin-declarations.js'
import type { PluginRemains } from './plugin-remains.js'
import { unreadSourcesText } from './unread-sources.js'

/** A plugin cannot take over what is stored under an id that it had before. */
export const pluginSuccessionError = defineError<{ readonly id: string; readonly earlier: string; readonly reason: string }>({
  code: 'plugin_succession_refused',
  status: 500,
  title: 'Data cannot be taken over',
  message: ({ id, earlier, reason }) => `plugin “${id}” cannot take over the data of plugin “${earlier}” (“renamedFrom”): ${reason}`,
})

export const pluginSuccessionsToken: InjectionToken<PluginSuccessions> = Symbol('plugin-successions')

/** A plugin about to run, with the ids that it had before. */
export interface Successor extends DataHolder {
  readonly renamedFrom: readonly string[]
}

export type PluginSuccessions = ReturnType<typeof createPluginSuccessions>

export interface SuccessionDependencies {
  readonly database: Database
  readonly data: PluginData
  readonly deletions: Pick<PluginDataDeletions, 'finishBefore'>
  readonly remains: PluginRemains
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly signal: AbortSignal
  readonly record: RecordPluginData
  /** Where the installed plugin with an id is; undefined if there is none. */
  readonly sourceOf: (pluginId: string) => string | undefined
  /** While there are any, no plugin is surely gone: it may be in one of them. */
  readonly unreadSources: readonly UnreadSource[]
  /** The versions of a plugin that other living processes of the deployment have. */
  readonly versionsElsewhere: (pluginId: string) => Promise<readonly string[]>
}

/**
 * Hands what is stored under earlier ids of a plugin to it. An id has one successor, the first that
 * asked; another one may have it once that one is gone and has nothing stored, or names it in
 * `renamedFrom` too. While a source cannot be read nothing is handed over: what seems to be gone may
 * be in it.
 */
export function createPluginSuccessions(dependencies: SuccessionDependencies) {
  return {
    /**
     * Called before the plugin opens its collections. After a crash the next call goes on.
     * @throws `plugin_succession_refused`; then nothing of that id was handed over.
     */
    async takeOver(successor: Successor): Promise<void> {
      for (const earlier of successor.renamedFrom)
        await dependencies.deletions.finishBefore(earlier, () => takeOverOne(dependencies, successor, earlier))
    },
  }
}

async function takeOverOne(dependencies: SuccessionDependencies, successor: Successor, earlier: string): Promise<void> {
  const { data, remains, log, signal } = dependencies
  const { id } = successor
  if (!(await claim(dependencies, successor, earlier))) return
  const collections = await data.handOver(earlier, successor)
  await remains.handOverSealedFields(earlier, id)
  await remains.handOverSubscriptions(earlier, id)
  await remains.removeCache(earlier, { signal })
  if (collections.length > 0) log.info(`Plugin ${id} has taken over the data of plugin ${earlier}.`, { collections })
}

/**
 * Makes the plugin the successor of an id, with an entry in the audit log if there is something to
 * hand over. False if that is left to a later start, since nothing is stored yet and a source cannot be read.
 */
async function claim(dependencies: SuccessionDependencies, successor: Successor, earlier: string): Promise<boolean> {
  const { database, data, clock, record, sourceOf, unreadSources, versionsElsewhere } = dependencies
  const { id, builtIn } = successor
  const refuse = (reason: string): Error => pluginSuccessionError.create({ id, earlier, reason })
  const source = sourceOf(earlier)
  if (source !== undefined) throw refuse(`that plugin is still installed (${source}). Remove it, then restart the service`)
  const elsewhere = await versionsElsewhere(earlier)
  if (elsewhere.length > 0)
    throw refuse(`that plugin is still installed on another node (${elsewhere.join(', ')}). Remove it there, then restart the service`)
  const plugins = await data.list()
  const given = plugins.find((plugin) => plugin.id === earlier)
  if (unreadSources.length > 0) {
    if (given) throw refuse(`“${earlier}” may still be installed, since ${unreadSourcesText(unreadSources)}`)
    if ((await database.collection(pluginSuccessions).get(earlier))?.plugin_id !== id) return false
  }
  if (given && !given.third_party && !builtIn) throw refuse('it is that of a built-in plugin, which only a built-in plugin can take over')
  const holds = new Set(
    plugins.filter(({ collections, subsystems }) => collections.length + subsystems.length > 0).map((plugin) => plugin.id),
  )
  const isReplaced = (other: string): boolean =>
    sourceOf(other) === undefined && (successor.renamedFrom.includes(other) || !holds.has(other))
  await database.transaction(async (transaction) => {
    const known = await transaction.get(pluginSuccessions, earlier)
    if (known && known.plugin_id !== id && !isReplaced(known.plugin_id))
      throw refuse(
        `plugin “${known.plugin_id}” has already taken it over. Remove “${earlier}” from “renamedFrom” of one of “${id}” and “${known.plugin_id}”, or uninstall “${known.plugin_id}” and delete its data`,
      )
    if (given) {
      const details = { from: earlier, collections: given.collections.map(({ name }) => name), folders: [...given.subsystems] }
      record(transaction, { kind: 'plugin_data.handed_over', actor: noActor, subjectId: id, details })
    }
    if (known?.plugin_id !== id) transaction.put(pluginSuccessions, { id: earlier, plugin_id: id, at: new Date(clock.now()).toISOString() })
    if (await transaction.get(pluginDataDecisions, earlier)) transaction.delete(pluginDataDecisions, earlier)
  })
  return true
}
