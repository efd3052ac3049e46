import { type JsonObject, namedObject, type Problem, Type } from '@agent-service/sdk'
import {
  actorKinds,
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import { limitProblems } from '../agents/agent-limits.js'
import type { AgentView } from '../agents/agent-view.js'
import { staleAgentError } from '../agents/errors.js'
import { withFreeHandle } from '../agents/handle-from-name.js'
import { checkVersion, withVersion } from '../agents/if-match.js'
import type { SharedAgents } from '../agents/shared-agents.js'
import { reportTakenHandle } from '../agents/taken-handle.js'
import { deleteByIndex } from '../common/delete-by-index.js'
import { handleTakenError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import { storableObject } from '../common/well-formed.js'
import type { Prompts } from '../prompts/create-prompts.js'
import { type Agent, type AgentDefinition, agentCollection, definitionOf } from '../store/agents/agent.js'
import { changeAgent, insertAgent, removeAgent } from '../store/agents/agent-records.js'
import { agentPatchSchema, agentSchema, newAgentSchema } from '../store/agents/agent-schema.js'
import { authorOf } from '../store/agents/agent-version.js'
import { completeDefinition } from '../store/agents/new-agent.js'
import { approvalGrantCollection } from '../store/runs/approval-grant.js'

/**
 * The body with storable texts, after its limits were checked against the service's. @throws
 * `invalid_request`.
 */
function acceptable<Body extends JsonObject & { readonly limits?: AgentDefinition['limits'] }>(
  body: Body,
  limits: Inference['limits'],
): Body {
  const kept = storableObject(body)
  if (!kept) throw invalidRequestError.create({ where: 'body' })
  const problems: readonly Problem[] = limitProblems(kept.limits, limits)
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
  return kept
}

const params = Type.Object({ agent_id: idSchema })
const tags = ['agents']

const promptSchema = namedObject('AgentPrompt', {
  sections: Type.Array(
    namedObject('PromptSection', {
      name: Type.String({ examples: ['instructions'] }),
      source: Type.Union([Type.Literal('shared'), Type.Literal('agent'), Type.Literal('left_out')]),
      text: Type.String(),
    }),
    { description: 'In order. `agent`: the agent replaces the section with a text of its own.' },
  ),
  text: Type.String({ description: 'The whole system message, as it is for every conversation.' }),
})

/** The routes under `/api/agents` except versions. Only people change agents. */
export function createAgentRoutes(dependencies: {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly clock: Clock
  readonly inference: Pick<Inference, 'limits'>
  readonly sharedAgents: SharedAgents
  readonly prompts: Prompts
  readonly view: AgentView
}): readonly HttpRoute[] {
  const { database, events, clock, inference, sharedAgents, prompts, view } = dependencies
  const agents = database.collection(agentCollection)
  const now = (): string => new Date(clock.now()).toISOString()
  const presented = async (agent: Agent) => (await view.present([agent]))[0] ?? null

  return [
    defineRoute({
      method: 'GET',
      path: '/api/agents',
      operationId: 'listAgents',
      summary: "List the caller's agents, oldest first",
      tags,
      auth: 'user',
      actors: actorKinds,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(agentSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        await sharedAgents.ensure(userId)
        const { items, next_cursor } = await pageOfIndex(agents, { index: 'by_user', equals: [userId] }, request.query)
        return ok({ items: await view.present(items), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/agents',
      operationId: 'createAgent',
      summary: 'Create an agent',
      description:
        'Without `handle` one is made from `name`: its Latin letters and digits, with a number if that is taken; or else `agent-<number>`.',
      tags,
      auth: 'user',
      body: { kind: 'json', schema: newAgentSchema },
      errors: [handleTakenError],
      answers: { 201: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const by = authorOf(principalOf(request))
        await sharedAgents.ensure(userId)
        const input = acceptable(request.body, inference.limits)
        const insert = (transaction: Transaction, handle: string): Promise<Agent> =>
          insertAgent(transaction, userId, completeDefinition({ ...input, handle }), { by, cause: 'created', now: now() })
        const { handle, name } = input
        const agent =
          handle === undefined
            ? await withFreeHandle(database, { userId, name }, insert)
            : await reportTakenHandle(
                () => handle,
                () => database.transaction((transaction) => insert(transaction, handle)),
              )
        return withVersion(created(await presented(agent)), agent)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}',
      operationId: 'getAgent',
      summary: 'Get an agent',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const agent = ownDocument('agent', await agents.get(request.params.agent_id), ownerOf(request))
        return withVersion(ok(await presented(agent)), agent)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}/prompt',
      operationId: 'getAgentPrompt',
      summary: 'Get the system message of an agent',
      description:
        'The shared sections, some of which the agent replaces or leaves out by its member `prompts`, then its name and its instructions.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The sections and the whole text.', schema: promptSchema } },
      async handle(request) {
        const agent = ownDocument('agent', await agents.get(request.params.agent_id), ownerOf(request))
        const { content } = await prompts.system(agent)
        const sections = (await prompts.sectionsOf(agent)).map(({ name, source, text }) => ({ name, source, text }))
        return ok({ sections, text: content.map(({ text }) => text).join('\n\n') })
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/agents/{agent_id}',
      operationId: 'updateAgent',
      summary: 'Change an agent',
      description:
        'Absent members stay as they are; a given member is replaced as a whole. Each change creates a new version. With `If-Match: "<version>"` the change is refused (412 `stale_agent`) if the agent has changed since. A run in progress keeps the agent as it was when the run started or resumed.',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: agentPatchSchema },
      errors: [handleTakenError, staleAgentError],
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const by = authorOf(principalOf(request))
        const agent = await reportTakenHandle(
          () => request.body.handle,
          () =>
            database.transaction(async (transaction) => {
              const current = ownDocument('agent', await transaction.get(agentCollection, request.params.agent_id), userId)
              checkVersion(request, current)
              const definition = { ...definitionOf(current), ...acceptable(request.body, inference.limits) }
              return changeAgent(transaction, current, definition, { by, cause: 'changed', now: now() })
            }),
        )
        return withVersion(ok(await presented(agent)), agent)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/agents/{agent_id}',
      operationId: 'deleteAgent',
      summary: 'Delete an agent with its versions and grants',
      description: 'Its chats stay and can be read, but not continued. No other agent gets the name of its folder.',
      tags,
      auth: 'user',
      params,
      errors: [staleAgentError],
      answers: { 204: { description: 'Deleted.' } },
      async handle(request) {
        const userId = ownerOf(request)
        await database.transaction(async (transaction) => {
          const agent = ownDocument('agent', await transaction.get(agentCollection, request.params.agent_id), userId)
          checkVersion(request, agent)
          await removeAgent(transaction, agent)
          events.record(transaction, { userId, name: 'agent.deleted', data: { agent_id: agent.id } })
        })
        // After it, since no grant is given to an agent that is not there.
        await deleteByIndex(database, approvalGrantCollection, 'by_tool', request.params.agent_id)
        return noContent()
      },
    }),
  ]
}
