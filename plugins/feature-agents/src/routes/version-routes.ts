import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  notFoundError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { AgentView } from '../agents/agent-view.js'
import { diffDefinitions } from '../agents/diff-definitions.js'
import { noSharedAgentError, staleAgentError } from '../agents/errors.js'
import { checkVersion, withVersion } from '../agents/if-match.js'
import type { SharedAgents } from '../agents/shared-agents.js'
import { reportTakenHandle } from '../agents/taken-handle.js'
import { handleTakenError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { changeAgent, keepCurrentVersion } from '../store/agents/agent-records.js'
import { agentSchema } from '../store/agents/agent-schema.js'
import {
  type AgentVersion,
  agentVersionCollection,
  agentVersionSchema,
  authorOf,
  listedVersionSchema,
  presentListedVersion,
  presentVersion,
  versionId,
} from '../store/agents/agent-version.js'

const params = Type.Object({ agent_id: idSchema })
const number = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const versionParams = Type.Object({ ...params.properties, number })
const tags = ['agents']

const diffSchema = namedObject('AgentVersionDiff', {
  agent_id: Type.String(),
  number: Type.Integer(),
  against: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: the first version, which has no predecessor.' }),
  changes: Type.Array(
    namedObject('AgentChange', {
      path: Type.String({ description: 'A JSON pointer.', examples: ['/instructions'] }),
      before: Type.Optional(Type.Unknown({ description: 'Absent if `against` lacks it.' })),
      after: Type.Optional(Type.Unknown({ description: 'Absent if `number` lacks it.' })),
      patch: Type.Optional(Type.String({ description: 'For two texts with something in common: a unified diff of their lines.' })),
    }),
  ),
})

/** The routes under `/api/agents/{agent_id}/versions`, and the one that adopts a shared agent. */
export function createVersionRoutes(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly sharedAgents: Pick<SharedAgents, 'find'>
  readonly view: AgentView
}): readonly HttpRoute[] {
  const { database, clock, sharedAgents, view } = dependencies
  const agents = database.collection(agentCollection)
  const versions = database.collection(agentVersionCollection)
  const now = (): string => new Date(clock.now()).toISOString()
  const presented = async (agent: Agent) => (await view.present([agent]))[0] ?? null

  /** The caller's agent, whose current version is in the store afterwards. */
  const withVersions = async (id: string, userId: string): Promise<Agent> => {
    const agent = ownDocument('agent', await agents.get(id), userId)
    if (await versions.get(versionId(agent.id, agent.version))) return agent
    return database.transaction(async (transaction) => {
      const current = ownDocument('agent', await transaction.get(agentCollection, id), userId)
      await keepCurrentVersion(transaction, current)
      return current
    })
  }

  const versionOf = (version: AgentVersion | undefined): AgentVersion => {
    if (!version) throw notFoundError.create({ what: 'version' })
    return version
  }

  const before = async (version: AgentVersion): Promise<AgentVersion | undefined> => {
    const page = await versions.query({
      index: 'by_agent',
      equals: [version.agent_id],
      to: version.number,
      order: 'descending',
      limit: 1,
    })
    return page.items[0]
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}/versions',
      operationId: 'listAgentVersions',
      summary: 'List the versions of an agent, newest first',
      description: 'The first and the newest 100 are kept.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(listedVersionSchema) } },
      async handle(request) {
        const agent = await withVersions(request.params.agent_id, ownerOf(request))
        const place = { index: 'by_agent', equals: [agent.id], order: 'descending' } as const
        const { items, next_cursor } = await pageOfIndex(versions, place, request.query)
        return ok({ items: items.map((version) => presentListedVersion(version, agent.version)), next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}/versions/{number}',
      operationId: 'getAgentVersion',
      summary: 'Get a version of an agent',
      tags,
      auth: 'user',
      actors: actorKinds,
      params: versionParams,
      answers: { 200: { description: 'The version.', schema: agentVersionSchema } },
      async handle(request) {
        const agent = await withVersions(request.params.agent_id, ownerOf(request))
        return ok(presentVersion(versionOf(await versions.get(versionId(agent.id, request.params.number))), agent.version))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/agents/{agent_id}/versions/{number}/diff',
      operationId: 'diffAgentVersion',
      summary: 'Compare a version with an earlier one',
      description: 'Compares with the previous kept version, or with the version `against`.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params: versionParams,
      query: Type.Object({ against: Type.Optional(number) }),
      answers: { 200: { description: 'The differences.', schema: diffSchema } },
      async handle(request) {
        const agent = await withVersions(request.params.agent_id, ownerOf(request))
        const version = versionOf(await versions.get(versionId(agent.id, request.params.number)))
        const { against } = request.query
        const other = against === undefined ? await before(version) : versionOf(await versions.get(versionId(agent.id, against)))
        const changes = await diffDefinitions(other?.definition, version.definition)
        return ok({ agent_id: agent.id, number: version.number, against: other?.number ?? null, changes })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/agents/{agent_id}/versions/{number}/restore',
      operationId: 'restoreAgentVersion',
      summary: 'Restore a version',
      description: 'Creates a new version, so nothing is lost. Accepts `If-Match` as a change does.',
      tags,
      auth: 'user',
      includes: ['updateAgent'],
      params: versionParams,
      errors: [handleTakenError, staleAgentError],
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const by = authorOf(principalOf(request))
        const restoredFrom = request.params.number
        let handle: string | undefined
        const agent = await reportTakenHandle(
          () => handle,
          () =>
            database.transaction(async (transaction) => {
              const current = ownDocument('agent', await transaction.get(agentCollection, request.params.agent_id), userId)
              checkVersion(request, current)
              await keepCurrentVersion(transaction, current)
              const { definition } = versionOf(await transaction.get(agentVersionCollection, versionId(current.id, restoredFrom)))
              handle = definition.handle
              return changeAgent(transaction, current, definition, { by, cause: 'restored', restoredFrom, now: now() })
            }),
        )
        return withVersion(ok(await presented(agent)), agent)
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/agents/{agent_id}/adopt',
      operationId: 'adoptSharedAgent',
      summary: 'Adopt the current shared agent',
      description:
        'Replaces everything but the handle with the shared agent’s definition, in a new version; the previous version keeps the old definition. Accepts `If-Match` as a change does. Returns 409 `no_shared_agent` for an agent that was not made from a shared one.',
      tags,
      auth: 'user',
      includes: ['updateAgent'],
      params,
      errors: [handleTakenError, staleAgentError, noSharedAgentError],
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const by = authorOf(principalOf(request))
        const origin = ownDocument('agent', await agents.get(request.params.agent_id), userId).shared
        const shared = origin && (await sharedAgents.find(origin.handle))
        if (!origin || !shared) throw noSharedAgentError.create({})
        const agent = await database.transaction(async (transaction) => {
          const current = ownDocument('agent', await transaction.get(agentCollection, request.params.agent_id), userId)
          checkVersion(request, current)
          const definition = { ...shared.definition, handle: current.handle }
          const adopted = { handle: origin.handle, digest: shared.digest }
          return changeAgent(transaction, current, definition, { by, cause: 'adopted', shared: adopted, now: now() })
        })
        return withVersion(ok(await presented(agent)), agent)
      },
    }),
  ]
}
