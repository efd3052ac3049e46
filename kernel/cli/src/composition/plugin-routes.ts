import { type AuditNotes, actorOfRequest } from '@agent-service/kernel-core/audit'
import {
  notImplementedYetError,
  type PluginHost,
  type PluginReport,
  pluginInUseError,
  pluginLockedError,
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
import { describePlugin, type PluginSources, pluginSchema } from './describe-plugin.js'
import { pluginConfigurationInvalidError } from './plugin-configuration-invalid.js'

const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 214 }) })

/** `GET /api/admin/plugins` and the two switches. Owned by the kernel. */
export function createPluginRoutes(dependencies: {
  readonly host: Pick<PluginHost, 'report' | 'enable' | 'disable' | 'lockedBy'>
  readonly discovered: PluginSources['discovered']
  readonly contributions: PluginSources['contributions']
  readonly audit: AuditNotes
}): readonly HttpRoute[] {
  const { host, audit } = dependencies
  const describe = (report: PluginReport): JsonValue => describePlugin(report, dependencies)
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
      answers: { 200: { description: 'One page, by id.', schema: pageSchema(pluginSchema) } },
      async handle(request) {
        const page = pageOfList(host.report(), (plugin) => `${plugin.id}\n${plugin.source}`, request.query)
        return ok({ items: page.items.map(describe), next_cursor: page.next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/plugins/{id}/enable',
      operationId: 'enablePlugin',
      summary: 'Enable a plugin, now and for later starts',
      tags: ['plugins'],
      auth: 'admin',
      confirmed: true,
      params,
      errors: [pluginLockedError, notImplementedYetError, pluginConfigurationInvalidError],
      answers: { 200: { description: 'The plugin after its start, or the reason why it is not active.', schema: pluginSchema } },
      handle: async (request) => ok(describe(await host.enable(request.params.id, announcing(request, true)))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/plugins/{id}/disable',
      operationId: 'disablePlugin',
      summary: 'Disable a plugin, now and for later starts',
      description: 'Plugins that use its services stop first. Those that can run without them start again.',
      tags: ['plugins'],
      auth: 'admin',
      confirmed: true,
      params,
      errors: [pluginLockedError, pluginInUseError],
      answers: {
        200: {
          description: 'The plugins that stopped, in this order; the plugin itself is the last.',
          schema: namedObject('DisabledPlugin', { stopped: Type.Array(Type.String()), plugin: pluginSchema }),
        },
      },
      handle: async (request) => {
        const { stopped, report: plugin } = await host.disable(request.params.id, announcing(request, false))
        return ok({ stopped, plugin: describe(plugin) })
      },
    }),
  ]
}
