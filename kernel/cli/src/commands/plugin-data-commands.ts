import type { JsonObject } from '@agent-service/sdk'
import { tableLines } from '../terminal/table.js'
import { ask, type Line, styled } from '../terminal/terminal.js'
import { type ApiClient, createApiClient } from './api-client.js'
import type { Outcome } from './command-action.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import type { RemoteOptions } from './options.js'
import { readItems } from './read-items.js'
import { serviceUrl } from './service-url.js'
import { signIn } from './sign-in.js'

/** One plugin in the answer of `GET /api/admin/plugins/data`, as far as it is shown. */
interface PluginDataItem {
  readonly id: string
  readonly version: string
  readonly state: string
  readonly reason: string | null
  readonly decision: string | null
  readonly collections: readonly {
    readonly name: string
    readonly documents: number
    readonly of_users: boolean
    readonly left_behind: boolean
  }[]
  readonly folders: readonly string[]
}

interface DeletionOptions {
  readonly yes?: boolean
  /** Only the collections that the version that runs does not declare any more. */
  readonly leftBehind?: boolean
  /** Also of a plugin that may be in a source that cannot be read. */
  readonly despiteUnreadSources?: boolean
}

/** Lists what plugins that do not run have stored in the running service. */
export async function listPluginData(invocation: Invocation, options: RemoteOptions): Promise<Outcome> {
  const items = await readData(await signedIn(invocation, options))
  const columns = invocation.terminal.columns()
  const rows = items.flatMap(({ id, state, decision, collections, folders }) => [
    ...collections.map(({ name, documents, of_users, left_behind }) => [
      ...[id, left_behind ? `${state}, left behind` : state, name, String(documents)],
      ...[of_users ? 'users' : '', decision ?? ''],
    ]),
    ...folders.map((name) => [id, state, `users/*/${name}`, '', 'users', decision ?? '']),
  ])
  const table = tableLines([['PLUGIN', 'STATE', 'DATA', 'DOCUMENTS', 'OF', 'DECISION'], ...rows], { columns, whole: ['PLUGIN'] })
  const unknown = items.find(({ state }) => state === 'unknown')
  const warning = unknown === undefined ? [] : ['', styled('yellow', `Of state “unknown”: ${unknown.reason}.`)]
  const none = 'Every plugin with stored data is running.'
  return { json: { items } as unknown as JsonObject, lines: items.length === 0 ? [none] : [...table, ...warning] }
}

/** Deletes what a plugin that is gone or disabled has stored, after a question or with `--yes`. */
export async function deletePluginData(invocation: Invocation, id: string, options: RemoteOptions & DeletionOptions): Promise<Outcome> {
  const client = await signedIn(invocation, options)
  const item = (await readData(client)).find((plugin) => plugin.id === id)
  const lost = options.leftBehind === true && item ? onlyLeftBehind(item) : item
  // Without an item, and without this confirmation, the service says why.
  const isRefused = item?.state === 'unknown' && options.despiteUnreadSources !== true
  if (lost !== undefined && !isRefused && !(await mayDelete(invocation, lost, options)))
    return { status: exitStatus.failed, json: { id, deleted: false }, lines: ['Nothing was deleted.'] }
  const query = new URLSearchParams()
  if (options.despiteUnreadSources === true) query.set('despite_unread_sources', 'true')
  if (options.leftBehind === true) query.set('left_behind', 'true')
  const target = `/api/admin/plugins/${encodeURIComponent(id)}/data${query.size === 0 ? '' : `?${query}`}`
  const answer = (await client.request('DELETE', target)) as JsonObject
  return {
    json: answer,
    lines: [options.leftBehind === true ? `What ${id} had left behind was deleted.` : `The data of ${id} was deleted.`],
  }
}

/** Stores that the data of a plugin stays, without reminders. */
export async function keepPluginData(invocation: Invocation, id: string, options: RemoteOptions): Promise<Outcome> {
  const client = await signedIn(invocation, options)
  await client.request('POST', `/api/admin/plugins/${encodeURIComponent(id)}/data/keep`)
  return { json: { id, decision: 'keep' }, lines: [`The data of ${id} stays. Nothing reminds of it any more.`] }
}

async function signedIn(invocation: Invocation, { url, username }: RemoteOptions): Promise<ApiClient> {
  const client = createApiClient(await serviceUrl(invocation, url))
  const { terminal, environment } = invocation
  await signIn(client, terminal, environment, { mayRegister: false, ...(username === undefined ? {} : { username }) })
  return client
}

const readData = async (client: ApiClient): Promise<readonly PluginDataItem[]> =>
  (await readItems(client, '/api/admin/plugins/data')) as unknown as readonly PluginDataItem[]

/** Nothing of it: the service says why. */
function onlyLeftBehind(item: PluginDataItem): PluginDataItem | undefined {
  const collections = item.collections.filter(({ left_behind }) => left_behind)
  return collections.length === 0 ? undefined : { ...item, collections, folders: [] }
}

async function mayDelete({ terminal }: Invocation, item: PluginDataItem, options: DeletionOptions): Promise<boolean> {
  if (options.yes === true) return true
  for (const line of lossLines(item, options)) terminal.problem(line)
  const answer = await ask(terminal, `Delete the data of ${item.id} for good? [y/N]`, { instead: 'Pass --yes.' })
  return /^y(es)?$/i.test(answer.trim())
}

function lossLines(
  { id, version, state, reason, collections, folders }: PluginDataItem,
  { leftBehind = false }: DeletionOptions,
): readonly Line[] {
  const ofUsers = collections.some(({ of_users }) => of_users) || folders.length > 0
  return [
    ...(state === 'unknown' ? [styled('yellow', `Plugin ${id} is not surely gone: ${reason}.`)] : []),
    leftBehind
      ? `This deletes what ${id} ${version} has left behind, for all users:`
      : `This deletes what ${id} ${version === 'unknown' ? '' : `${version} `}has stored, for all users:`,
    ...collections.map(({ name, documents }) => `  ${name}: ${documents} documents`),
    ...folders.map((name) => `  the folder ${name} of every user`),
    ...(leftBehind ? [] : ['  its cache and its event subscriptions']),
    ...(ofUsers ? [styled('yellow', 'It holds data of users. Only a backup brings it back.')] : []),
  ]
}
