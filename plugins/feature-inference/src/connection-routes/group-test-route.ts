import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import { probeGroup } from '../probes/probe-group.js'
import type { GroupRegistry } from '../targets/group-registry.js'
import { failureProperties, toolsProperty } from './connection-routes.js'

/** The prefix of the routes about model groups for administrators. */
export const groupsPath = '/api/admin/model-groups'

const targetTest = namedObject('ModelTest', {
  provider: Type.String(),
  model: Type.String(),
  fallback: Type.Integer({ description: '0 for the own model of the group, else the number of the fallback.' }),
  ok: Type.Boolean(),
  ...failureProperties,
  tools: toolsProperty,
  took_ms: Type.Integer(),
})

/** `POST /api/admin/model-groups/{group}/test`: calls every model of a group once. */
export function createGroupTestRoute(
  dependencies: Parameters<typeof probeGroup>[1] & { readonly groups: GroupRegistry; readonly audit: Pick<Audit, 'note'> },
): HttpRoute {
  const { groups, audit } = dependencies
  return defineRoute({
    method: 'POST',
    path: `${groupsPath}/{group}/test`,
    operationId: 'testModelGroup',
    summary: 'Test the models of a group',
    description:
      'Makes the smallest call of each of its models, fallbacks too, with the settings of the running configuration. Costs a few tokens for each; nothing is retried. Responds within about a minute.',
    tags: ['models'],
    auth: 'admin',
    rateClass: 'expensive',
    params: Type.Object({ group: Type.String({ minLength: 1, maxLength: 200 }) }),
    errors: [notFoundError],
    answers: {
      200: {
        description: 'The models in the order in which they are tried.',
        schema: namedObject('ModelGroupTest', { ok: Type.Boolean({ description: 'A model answered.' }), targets: Type.Array(targetTest) }),
      },
    },
    async handle({ params: { group: name }, signal }) {
      const group = groups.find(name)
      if (!group) throw notFoundError.create({ what: 'model group' })
      const probes = await probeGroup(group, dependencies, signal)
      const works = probes.some(({ failure }) => failure === undefined)
      await audit.note({ kind: 'model_group.tested', subject: name, details: { ok: works, models: probes.length } })
      return ok({
        ok: works,
        targets: probes.map(({ failure, tools = null, ...probe }) => ({
          ...probe,
          ok: failure === undefined,
          tools,
          failure: failure?.kind ?? null,
          message: failure?.message ?? null,
        })),
      })
    },
  })
}
