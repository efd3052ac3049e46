import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok, pageOfIndex, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import { callerOf } from '../common/caller.js'
import { logCollection, logKinds } from '../store/log-entry.js'
import { nameSchema, nullable } from './credential-schemas.js'

const text = (description: string) => nullable(Type.String({ description }))

const entrySchema = namedObject('CredentialLogEntry', {
  id: Type.String(),
  at: Type.String(),
  kind: Type.Union(
    logKinds.map((kind) => Type.Literal(kind)),
    { description: '`ended`: a grant ended by its time, its use, or with its agent or credential.' },
  ),
  outcome: Type.Union([Type.Literal('ok'), Type.Literal('refused'), Type.Literal('failed')]),
  code: text('The code of the error.'),
  agent_id: text('The agent that used it, or asked for it.'),
  name: text('What the agent calls the credential by.'),
  title: text('Of the credential, the item or the connection.'),
  vault_id: text('The connection that the item is from.'),
  use: Type.Union([Type.Literal('process'), Type.Literal('page'), Type.Null()], { description: 'What it was opened for.' }),
  target: text('The title of the process, or the origin of the page.'),
  chat_id: text('Where it happened.'),
  run_id: text('Where it happened.'),
  call_id: text('Where it happened.'),
})

/** The access log, for the owner of the credentials alone. */
export const createLogRoutes = ({ database }: { readonly database: Pick<Database, 'collection'> }): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/api/credentials/log',
    operationId: 'listCredentialLog',
    summary: 'List what was done with your credentials',
    description: 'The newest first: every use, grant, revocation, request and failure, for 90 days, the newest 10,000.',
    tags: ['agent-credentials'],
    auth: 'user',
    query: Type.Object({
      ...pageQuerySchema.properties,
      agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only what this agent did or asked for.' })),
      name: Type.Optional(nameSchema('Only of credentials that agents call this.')),
    }),
    answers: { 200: { description: 'One page.', schema: pageSchema(entrySchema) } },
    async handle({ query, ...request }) {
      const { agent_id: agentId, name, ...page } = query
      const place = { ...placeOf(callerOf(request).userId, agentId, name), order: 'descending' } as const
      const { items, next_cursor } = await pageOfIndex(database.collection(logCollection), place, page)
      return ok({ items: items.map(({ user_id: _, ...entry }) => entry), next_cursor })
    },
  }),
]

/** Where the lines of a user are, in order of time, those of an agent or a credential alone. */
function placeOf(userId: string, agentId: string | undefined, name: string | undefined) {
  if (agentId !== undefined && name !== undefined) return { index: 'by_agent_and_name', equals: [userId, agentId, name] } as const
  if (agentId !== undefined) return { index: 'by_agent', equals: [userId, agentId] } as const
  if (name !== undefined) return { index: 'by_name', equals: [userId, name] } as const
  return { index: 'by_user', equals: [userId] } as const
}
