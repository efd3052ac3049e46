import { isUp, type PluginReport, type PluginState, type UnreadSource } from '@agent-service/kernel-core/plugins'
import {
  type PluginData,
  type PluginDataDeletions,
  type PluginDataRecord,
  type PluginOverview,
  unreadSourcesText,
} from '@agent-service/kernel-services/plugin-data'

/** The plugins that are installed. */
interface InstalledPlugins {
  report(): readonly Pick<PluginReport, 'id' | 'state' | 'reason'>[]
}

/** What is read to know of stored data that no running plugin uses. */
export interface IdleDataSources {
  readonly host: InstalledPlugins
  readonly data: Pick<PluginData, 'overview'>
  readonly deletions: Pick<PluginDataDeletions, 'decisions'>
  readonly unreadSources: readonly UnreadSource[]
}

/** `gone`: no plugin that is installed has the id. `unknown`: one that cannot be read may have it. */
export type AbsentState = 'gone' | 'unknown'

/** The state of a plugin that is not among those that were discovered. */
export const stateOfAbsent = (unread: readonly UnreadSource[]): AbsentState => (unread.length === 0 ? 'gone' : 'unknown')

/** A plugin with stored data of which something is of no use to a running plugin. */
export interface IdlePlugin {
  readonly plugin: PluginDataRecord
  readonly state: PluginState | AbsentState
  readonly reason: string | null
  readonly decision: 'keep' | 'delete' | null
  readonly collections: PluginOverview['collections']
  readonly folders: PluginOverview['folders']
}

/** In order of id. Reads no documents. */
export async function idlePlugins({ host, data, deletions, unreadSources }: IdleDataSources): Promise<readonly IdlePlugin[]> {
  const reports = new Map(host.report().map((report) => [report.id, report]))
  const decisions = await deletions.decisions()
  const absent = { state: stateOfAbsent(unreadSources), reason: reasonOfAbsent(unreadSources) }
  const idle: IdlePlugin[] = []
  for (const { plugin, collections: own, folders } of await data.overview()) {
    const { state, reason } = reports.get(plugin.id) ?? absent
    const runs = isUp(state)
    const collections = runs ? own.filter((collection) => collection.left_behind) : own
    const decision = decisions.get(plugin.id) ?? null
    const hasFolders = !runs && folders.length > 0
    if (collections.length > 0 || hasFolders || decision === 'delete') idle.push({ plugin, state, reason, decision, collections, folders })
  }
  return idle.sort((one, other) => (one.plugin.id < other.plugin.id ? -1 : 1))
}

const reasonOfAbsent = (unread: readonly UnreadSource[]): string =>
  unread.length === 0 ? 'no installed plugin has this id' : `it may be installed, since ${unreadSourcesText(unread)}`

/** How many names of what is kept a line has. */
const maxNames = 5

/** For a person who looks after the service: each plugin that is gone and has data of users, with what can be done. */
export async function goneDataLines(sources: IdleDataSources): Promise<readonly string[]> {
  return (await idlePlugins(sources)).flatMap(({ plugin, state, reason, decision, collections, folders }) => {
    const ofUsers = collections.filter(({ user_field }) => user_field !== null).map(({ name }) => name)
    const names = [...ofUsers, ...folders.map((name) => `the folder ${name}`)]
    if ((state !== 'gone' && state !== 'unknown') || decision !== null || names.length === 0) return []
    const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : ''
    const { id } = plugin
    const stays = `its data of users stays (${names.slice(0, maxNames).join(', ')}${more})`
    if (state === 'unknown') return [`${id} does not run, and ${stays}: ${reason}`]
    return [
      `${id} is not installed, and ${stays}: install it again or its successor, run “agent-service plugins data keep ${id}” to be reminded no more, or “agent-service plugins data delete ${id}”`,
    ]
  })
}
