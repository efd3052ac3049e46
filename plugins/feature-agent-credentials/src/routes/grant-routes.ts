import { namedObject, Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { vaultItemNotFoundError, vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import type { Agents } from '@agent-service/sdk/services/agents'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { callerOf } from '../common/caller.js'
import { nameTakenError } from '../common/errors.js'
import type { GrantService } from '../grants/grant-service.js'
import type { Grant } from '../store/grant.js'
import { asSchema, bindingsSchema, nameSchema, nullable, variableSchema } from './credential-schemas.js'

const tags = ['agent-credentials']
const id = Type.String({ minLength: 1, maxLength: 100 })
const params = Type.Object({ grant_id: id })
const maxSeconds = 366 * 86_400

const sourceSchema = Type.Union([
  namedObject('LocalCredentialSource', { kind: Type.Literal('local'), credential_id: id }),
  namedObject('VaultItemSource', { kind: Type.Literal('vault'), vault_id: id, item_id: Type.String({ minLength: 1, maxLength: 1_000 }) }),
])
const term = {
  once: Type.Optional(Type.Boolean({ description: 'It ends with its first use. Default false.' })),
  expires_in_secs: Type.Optional(
    Type.Union([Type.Integer({ minimum: 60, maximum: maxSeconds }), Type.Null()], {
      description: 'After how long it ends, from now. Null: when it is revoked.',
      'x-unit': 'seconds',
    }),
  ),
}
const newGrantSchema = namedObject('CreateCredentialGrant', {
  agent_id: id,
  source: sourceSchema,
  name: Type.Optional(nameSchema('Unique among the grants of the agent. Default: made of the credential.')),
  bindings: Type.Optional(bindingsSchema),
  ...term,
})
const changeGrantSchema = namedObject('ChangeCredentialGrant', { bindings: Type.Optional(bindingsSchema), ...term })

const grantSchema = namedObject('CredentialGrant', {
  id: Type.String(),
  agent_id: Type.String(),
  agent: nullable(Type.String({ description: 'The handle of the agent.', examples: ['assistant'] })),
  name: nameSchema('What the agent calls it by.'),
  title: Type.String(),
  source: sourceSchema,
  fields: Type.Array(
    namedObject('CredentialGrantField', { name: Type.String(), secret: Type.Boolean(), variable: variableSchema, as: asSchema }),
  ),
  once: Type.Boolean(),
  expires_at: nullable(Type.String()),
  created_at: Type.String(),
  created_by: Type.Union([Type.Literal('person'), Type.Literal('answer')], {
    description: '`answer`: the answer to a request of the agent.',
  }),
  used_at: nullable(Type.String()),
  uses: Type.Integer({ minimum: 0 }),
})

/** Who may use what: grants of credentials to agents, for people alone. */
export function createGrantRoutes({
  grants,
  agents,
}: {
  readonly grants: GrantService
  readonly agents: Pick<Agents, 'details'>
}): readonly HttpRoute[] {
  const view = async (grant: Grant) => viewOfGrant(grant, (await agents.details(grant.user_id, grant.agent_id))?.handle ?? null)
  return [
    defineRoute({
      method: 'GET',
      path: '/api/credentials/grants',
      operationId: 'listCredentialGrants',
      summary: 'List what your agents may use',
      description: 'Without `agent_id`: of all agents, as a matrix of agents and credentials. A page may be shorter than its limit.',
      tags,
      auth: 'user',
      query: Type.Object({ ...pageQuerySchema.properties, agent_id: Type.Optional(id) }),
      answers: { 200: { description: 'One page.', schema: pageSchema(grantSchema) } },
      async handle({ query, ...request }) {
        const { agent_id: agentId, ...page } = query
        const { items, next_cursor } = await grants.list(callerOf(request).userId, { ...page, ...(agentId !== undefined && { agentId }) })
        const handles = new Map<string, string | null>()
        for (const { user_id, agent_id } of items)
          if (!handles.has(agent_id)) handles.set(agent_id, (await agents.details(user_id, agent_id))?.handle ?? null)
        return ok({ items: items.map((grant) => viewOfGrant(grant, handles.get(grant.agent_id) ?? null)), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/credentials/grants',
      operationId: 'createCredentialGrant',
      summary: 'Let an agent use a credential',
      description:
        'The agent learns its name, title, fields and variables, and never a value of a secret. Without `bindings` each field gets the variable that the credential suggests, or one made of both names. An item of a vault is read for the names of its fields.',
      tags,
      auth: 'user',
      body: {
        kind: 'json',
        schema: newGrantSchema,
        example: { agent_id: '0190…', source: { kind: 'local', credential_id: '0190…' }, expires_in_secs: 3_600 },
      },
      errors: [notFoundError, nameTakenError, quotaExceededError, vaultUnavailableError, vaultItemNotFoundError],
      answers: { 201: { description: 'The grant.', schema: grantSchema } },
      async handle({ body, signal, ...request }) {
        const { agent_id: agentId, source, name, bindings, once, expires_in_secs: expiresInSeconds } = body
        const grant = {
          ...{ agentId, source },
          ...(name !== undefined && { name }),
          ...(bindings !== undefined && { bindings }),
          ...(once !== undefined && { once }),
          ...(expiresInSeconds !== undefined && { expiresInSeconds }),
        }
        return created(await view(await grants.create(callerOf(request).userId, grant, { signal })))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/credentials/grants/{grant_id}',
      operationId: 'changeCredentialGrant',
      summary: 'Change how long a grant lasts, and where its fields are bound',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: changeGrantSchema, example: { expires_in_secs: 86_400 } },
      errors: [notFoundError],
      answers: { 200: { description: 'The grant.', schema: grantSchema } },
      async handle({ params: { grant_id: grantId }, body, ...request }) {
        const { bindings, once, expires_in_secs: expiresInSeconds } = body
        const change = {
          ...(bindings !== undefined && { bindings }),
          ...(once !== undefined && { once }),
          ...(expiresInSeconds !== undefined && { expiresInSeconds }),
        }
        return ok(await view(await grants.change(callerOf(request).userId, grantId, change)))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/credentials/grants/{grant_id}',
      operationId: 'deleteCredentialGrant',
      summary: 'Revoke a grant',
      description: 'The next use fails, also of a call that is under way. What a program has read already stays with it.',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError],
      answers: { 204: { description: 'Revoked.' } },
      async handle({ params: { grant_id: grantId }, ...request }) {
        if (!(await grants.revoke(callerOf(request).userId, grantId))) throw notFoundError.create({ what: 'grant' })
        return noContent()
      },
    }),
  ]
}

const viewOfGrant = (grant: Grant, agent: string | null) => ({
  ...{ id: grant.id, agent_id: grant.agent_id, agent, name: grant.name, title: grant.title, source: { ...grant.source } },
  fields: grant.fields.map(({ name, secret, variable, as }) => ({ name, secret, variable, as })),
  ...{ once: grant.once, expires_at: grant.expires_at, created_at: grant.created_at, created_by: grant.created_by },
  ...{ used_at: grant.used_at, uses: grant.uses },
})
