import { type JsonObject, Type } from '@agent-service/sdk'
import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import {
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { handleTakenError } from '../errors.js'
import { ownerOf } from '../owner.js'
import { pageOf } from '../paging.js'
import { storableObject } from '../well-formed.js'
import { type Agent, agentCollection, agentInputSchema, agentPatchSchema, agentSchema, presentAgent } from './agent.js'
import { newAgent } from './new-agent.js'
import type { SharedAgents } from './shared-agents.js'

/** A body with texts that a store can hold. */
function keepable<Body extends JsonObject>(body: Body): Body {
  const kept = storableObject(body)
  if (!kept) throw invalidRequestError.create({ where: 'body' })
  return kept
}

const params = Type.Object({ agent_id: Type.String({ minLength: 1, maxLength: 100 }) })
const tags = ['agents']

/** The routes under `/api/agents`. */
export function createAgentRoutes(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly sharedAgents: SharedAgents
}): readonly HttpRoute[] {
  const { database, clock, sharedAgents } = dependencies
  const agents = database.collection(agentCollection)

  const owned = async (id: string, userId: string): Promise<Agent> => {
    const agent = await agents.get(id)
    if (agent?.user_id !== userId) throw notFoundError.create({ what: 'agent' })
    return agent
  }
  const refusingTakenHandle = async <T>(handle: string | undefined, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (handle !== undefined && uniqueViolationError.isInstance(error)) throw handleTakenError.create({ handle }, { cause: error })
      throw error
    }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/agents',
      operationId: 'listAgents',
      summary: "The caller's agents, from old to new",
      tags,
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(agentSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        await sharedAgents.ensure(userId)
        const page = await agents.query({ index: 'by_user', equals: [userId], ...pageOf(request.query) })
        return ok({ items: page.items.map(presentAgent), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/agents',
      operationId: 'createAgent',
      summary: 'Make an agent',
      tags,
      auth: 'user',
      body: { kind: 'json', schema: agentInputSchema },
      answers: { 201: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        await sharedAgents.ensure(userId)
        const agent = newAgent(userId, keepable(request.body), new Date(clock.now()).toISOString())
        await refusingTakenHandle(agent.handle, () => agents.insert(agent))
        return created(presentAgent(agent))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}',
      operationId: 'getAgent',
      summary: 'One agent',
      tags,
      auth: 'user',
      params,
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      handle: async (request) => ok(presentAgent(await owned(request.params.agent_id, ownerOf(request)))),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/agents/{agent_id}',
      operationId: 'updateAgent',
      summary: 'Change an agent',
      description: 'Members that are absent stay as they are. A run that goes on keeps the agent as it was when it was taken up.',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: agentPatchSchema },
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const agent = await refusingTakenHandle(request.body.handle, () =>
          database.transaction(async (transaction) => {
            const current = await transaction.get(agentCollection, request.params.agent_id)
            if (current?.user_id !== userId) throw notFoundError.create({ what: 'agent' })
            const changed: Agent = { ...current, ...keepable(request.body), updated_at: new Date(clock.now()).toISOString() }
            transaction.put(agentCollection, changed)
            return changed
          }),
        )
        return ok(presentAgent(agent))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/agents/{agent_id}',
      operationId: 'deleteAgent',
      summary: 'Delete an agent',
      description: 'Its chats stay and can be read; they cannot be continued.',
      tags,
      auth: 'user',
      params,
      answers: { 204: { description: 'Deleted.' } },
      async handle(request) {
        const agent = await owned(request.params.agent_id, ownerOf(request))
        await agents.delete(agent.id)
        return noContent()
      },
    }),
  ]
}
