import { type AuditNotes, actorOfRequest } from '@agent-service/kernel-core/audit'
import {
  notImplementedYetError,
  type PluginHost,
  type PluginReport,
  pluginInUseError,
  pluginLockedError,
  pluginStates,
  type SwitchOptions,
} from '@agent-service/kernel-core/plugins'
import { type JsonValue, namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import { pluginConfigurationInvalidError } from './plugin-configuration-invalid.js'

const text = () => Type.String()
const report = namedObject('Plugin', {
  id: text(),
  version: text(),
  source: Type.String({ description: 'built-in, the name of an npm package, or a folder.' }),
  state: Type.Union(pluginStates.map((state) => Type.Literal(state))),
  reason: Type.Union([text(), Type.Null()], { description: 'Why the plugin is not active, and what to do about that.' }),
  contributes: Type.Array(text()),
  permissions: Type.Array(
    namedObject('PluginPermission', {
      kind: text(),
      targets: Type.Optional(Type.Array(text())),
      targetsFromConfiguration: Type.Optional(Type.Array(text())),
      reason: text(),
    }),
  ),
  started_ms: Type.Union([Type.Number(), Type.Null()], { description: 'Duration of import and setup in milliseconds.' }),
})

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 214 }) })

/** `GET /api/admin/plugins` and the two switches. Owned by the kernel. */
export function createPluginRoutes(dependencies: {
  readonly host: Pick<PluginHost, 'report' | 'enable' | 'disable'>
  readonly audit: AuditNotes
}): readonly HttpRoute[] {
  const { host, audit } = dependencies
  /** Records a switch in the audit log before it takes effect. */
  const announcing = (request: RouteRequest<{ readonly id: string }>, enabled: boolean): SwitchOptions => ({
    announce: (before) =>
      audit.note({
        ...{ kind: enabled ? 'plugin.enabled' : 'plugin.disabled', actor: actorOfRequest(request), subjectId: request.params.id },
        ...{ before: { ...before }, after: { enabled } },
      }),
  })
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/plugins',
      operationId: 'listPlugins',
      summary: 'List all plugins with their states',
      tags: ['plugins'],
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page, by id.', schema: pageSchema(report) } },
      async handle(request) {
        const page = pageOfList(host.report(), (plugin) => `${plugin.id}\n${plugin.source}`, request.query)
        return ok({ items: page.items.map(toJson), next_cursor: page.next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/plugins/{id}/enable',
      operationId: 'enablePlugin',
      summary: 'Enable a plugin, now and for later starts',
      tags: ['plugins'],
      auth: 'admin',
      params,
      errors: [pluginLockedError, notImplementedYetError, pluginConfigurationInvalidError],
      answers: { 200: { description: 'The plugin after its start, or the reason why it is not active.', schema: report } },
      handle: async (request) => ok(toJson(await host.enable(request.params.id, announcing(request, true)))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/plugins/{id}/disable',
      operationId: 'disablePlugin',
      summary: 'Disable a plugin, now and for later starts',
      description: 'Plugins that use its services stop first. Those that can run without them start again.',
      tags: ['plugins'],
      auth: 'admin',
      params,
      errors: [pluginLockedError, pluginInUseError],
      answers: {
        200: {
          description: 'The plugins that stopped, in this order; the plugin itself is the last.',
          schema: namedObject('DisabledPlugin', { stopped: Type.Array(text()), plugin: report }),
        },
      },
      handle: async (request) => {
        const { stopped, report: plugin } = await host.disable(request.params.id, announcing(request, false))
        return ok({ stopped, plugin: toJson(plugin) })
      },
    }),
  ]
}

const toJson = (plugin: PluginReport): JsonValue => ({
  ...plugin,
  permissions: plugin.permissions.map(({ kind, targets, targetsFromConfiguration, reason }) => ({
    kind,
    ...(targets === undefined ? {} : { targets }),
    ...(targetsFromConfiguration === undefined ? {} : { targetsFromConfiguration }),
    reason,
  })),
})
