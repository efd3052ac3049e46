import { actorOfRequest } from '@agent-service/kernel-core/audit'
import { isUp, type PluginHost, pluginDataInUseError, pluginStates } from '@agent-service/kernel-core/plugins'
import {
  type PluginData,
  type PluginDataDeletions,
  type PluginRemains,
  pluginDataUnknownError,
  pluginDataUsedElsewhereError,
  pluginMayBeInstalledError,
  unreadSourcesText,
} from '@agent-service/kernel-services/plugin-data'
import { type JsonValue, namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { type IdleDataSources, type IdlePlugin, idlePlugins } from './idle-plugin-data.js'

const text = () => Type.String()
const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 214 }) })

const collectionSchema = namedObject('PluginDataCollection', {
  name: text(),
  documents: Type.Integer({ description: 'How many there are, of all users.' }),
  of_users: Type.Boolean({ description: 'Whether its documents belong to users.' }),
  left_behind: Type.Boolean({ description: 'Whether the version that runs does not declare it any more.' }),
})

const folders = () => Type.Array(text(), { description: 'Folders below the folder of each user that the deletion removes.' })

export const pluginDataSchema = namedObject('PluginData', {
  id: text(),
  version: Type.String({ description: 'The version that ran last; `unknown` if that was not recorded.' }),
  third_party: Type.Boolean(),
  state: Type.Union([Type.Literal('gone'), Type.Literal('unknown'), ...pluginStates.map((state) => Type.Literal(state))], {
    description: '`gone` if no installed plugin has the id; `unknown` if it may be in a source that cannot be read, which `reason` names.',
  }),
  reason: Type.Union([text(), Type.Null()], { description: 'Why the plugin does not run.' }),
  deletable: Type.Boolean({
    description: 'Whether its data can be deleted now: it is gone, disabled or, with `despite_unread_sources`, unknown.',
  }),
  decision: Type.Union([Type.Literal('keep'), Type.Literal('delete'), Type.Null()], {
    description: '`keep`: it stays, without reminders. `delete`: its deletion has begun.',
  }),
  collections: Type.Array(collectionSchema),
  folders: folders(),
  cache: Type.Boolean({ description: 'Whether it has cache files.' }),
})

const deletedSchema = namedObject('DeletedPluginData', {
  id: text(),
  collections: Type.Array(namedObject('DeletedPluginCollection', { name: text(), documents: Type.Integer() })),
  folders: folders(),
})

export interface PluginDataSources extends Pick<IdleDataSources, 'unreadSources'> {
  readonly host: Pick<PluginHost, 'whileOff'> & IdleDataSources['host']
  readonly data: Pick<PluginData, 'overview' | 'count'>
  readonly deletions: PluginDataDeletions
  readonly remains: Pick<PluginRemains, 'hasCache'>
}

/** What plugins that do not run have stored. Owned by the kernel. */
export function createPluginDataRoutes(sources: PluginDataSources): readonly HttpRoute[] {
  const { host, deletions } = sources
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/plugins/data',
      operationId: 'listPluginData',
      summary: 'List the stored data of plugins that do not run',
      description: 'Also collections that the running version of a plugin does not declare any more.',
      tags: ['plugins'],
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, by id.', schema: pageSchema(pluginDataSchema) } },
      async handle(request) {
        const page = pageOfList(await idlePlugins(sources), ({ plugin }) => plugin.id, request.query)
        const items: JsonValue[] = []
        for (const idle of page.items) items.push(await describe(sources, idle))
        return ok({ items, next_cursor: page.next_cursor })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/plugins/{id}/data',
      operationId: 'deletePluginData',
      summary: 'Delete the stored data of a plugin that is gone or disabled',
      description:
        'Its documents of all users, its cache and its event subscriptions; of a third party also its folders of users that no other plugin has. A plugin with this id then begins anew. With `left_behind` also of a plugin that runs. A deletion that is interrupted goes on at the next start, or with the same call.',
      tags: ['plugins'],
      auth: 'admin',
      confirmed: true,
      params,
      query: Type.Object({
        left_behind: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Delete only the collections that the version that runs does not declare any more. The plugin goes on.',
          }),
        ),
        despite_unread_sources: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Delete also what a plugin has stored that may be in a source that cannot be read. Otherwise it is refused.',
          }),
        ),
      }),
      errors: [pluginDataUnknownError, pluginDataInUseError, pluginDataUsedElsewhereError, pluginMayBeInstalledError],
      answers: { 200: { description: 'What was deleted.', schema: deletedSchema } },
      async handle(request) {
        const { id } = request.params
        const { left_behind: isLeftBehind, despite_unread_sources: isDespite } = request.query
        if (isDespite !== true) refuseUncertain(sources, id)
        const actor = actorOfRequest(request)
        const { collections, folders } =
          isLeftBehind === true ? await deletions.beginLeftBehind(id, actor) : await host.whileOff(id, () => deletions.begin(id, actor))
        await deletions.finish(id)
        return ok({ id, collections: collections.map(({ name, documents }) => ({ name, documents })), folders: [...folders] })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/plugins/{id}/data/keep',
      operationId: 'keepPluginData',
      summary: 'Keep the data of a plugin that is gone, without reminders',
      tags: ['plugins'],
      auth: 'admin',
      params,
      errors: [pluginDataUnknownError],
      answers: { 204: { description: 'The data stays. Nothing reminds of it any more.' } },
      async handle(request) {
        await deletions.keep(request.params.id, actorOfRequest(request))
        return noContent()
      },
    }),
  ]
}

/** Refuses what concerns a plugin that may be in a source that cannot be read. */
function refuseUncertain({ host, unreadSources }: PluginDataSources, id: string): void {
  if (unreadSources.length === 0 || host.report().some((plugin) => plugin.id === id)) return
  throw pluginMayBeInstalledError.create({ id, sources: unreadSourcesText(unreadSources) })
}

async function describe(
  { data, remains }: PluginDataSources,
  { plugin, state, reason, decision, collections, folders: own }: IdlePlugin,
): Promise<JsonValue> {
  const counted: JsonValue[] = []
  for (const { name, user_field, left_behind } of collections)
    counted.push({ name, documents: await data.count(name), of_users: user_field !== null, left_behind })
  const { id, version, third_party } = plugin
  const runs = isUp(state)
  return {
    id,
    version,
    third_party,
    state,
    reason,
    deletable: state === 'gone' || state === 'unknown' || state === 'disabled',
    decision,
    collections: counted,
    folders: runs ? [] : [...own],
    cache: !runs && (await remains.hasCache(id)),
  }
}
