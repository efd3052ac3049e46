import { randomUUID } from 'node:crypto'
import { instant, Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  notFoundError,
  ok,
  pageCursorError,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { MemoryReader } from '@agent-service/sdk/contracts/memory-backend'
import { findSecret } from '@agent-service/sdk/memory-guards'
import type { Agents } from '@agent-service/sdk/services/agents'
import { limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import type { Memories } from '../backend/memories.js'
import { userOf } from '../common/caller.js'
import {
  memoriesBusyError,
  memoryFullError,
  memoryMovingError,
  memorySecretError,
  memoryUnavailableError,
  memoryUnsupportedError,
} from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { RequestShares } from '../common/request-shares.js'
import { kindSchema, memoryChangeSchema, memorySchema, newMemorySchema, scopeKindSchema, viewOfMemory } from './memory-schemas.js'
import { scopeOf } from './scope-input.js'

const tags = ['memory']
const params = Type.Object({ memory_id: Type.String({ minLength: 1, maxLength: 200 }) })
const ids = { minLength: 1, maxLength: 200 }

const listQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: limits.maxQueryLength, pattern: '\\S' },
      description: 'Words or a question. The best matches come first, on one page.',
    }),
  ),
  kind: Type.Optional(Type.Array(kindSchema, { minItems: 1, maxItems: 4, description: 'Only of these kinds.' })),
  scope: Type.Optional(scopeKindSchema),
  agent_id: Type.Optional(Type.String({ ...ids, description: 'What this agent sees; with `scope=agent` only its own memory.' })),
  space_id: Type.Optional(
    Type.String({ ...ids, description: 'Only what is remembered in this space; with `agent_id` what that agent sees in it.' }),
  ),
  page_id: Type.Optional(Type.String({ ...ids, description: 'Only the parts of this page.' })),
  as_of: Type.Optional(instant({ description: 'The state at this time, if the back end supports `history`.' })),
  ...pageQuerySchema.properties,
})

/** The memories of a person: what is known, and what they change of it. */
export function createMemoryRoutes(dependencies: {
  readonly memories: Memories
  readonly agents: Pick<Agents, 'details'>
  readonly shares: RequestShares
}): readonly HttpRoute[] {
  const { memories, agents, shares } = dependencies
  const changeErrors = [memoryUnavailableError, memoryMovingError, memoriesBusyError, limitReachedError, overloadedError]
  return [
    defineRoute({
      method: 'GET',
      path: '/api/memory',
      operationId: 'listMemories',
      summary: 'List what is remembered about the caller, or search in it',
      description:
        'Those changed last come first; with `q` the best matches. Without `agent_id` it has the memories of all agents. Only a back end of a third party may give a short page although more follows: `next_cursor` says so.',
      tags,
      auth: 'user',
      query: listQuery,
      errors: [memoryUnavailableError, memoryUnsupportedError, pageCursorError, invalidRequestError, limitReachedError, overloadedError],
      answers: { 200: { description: 'One page.', schema: pageSchema(memorySchema) } },
      async handle(request) {
        const { q, kind: kinds, scope: wanted, page_id: pageId, as_of: asOf, limit = 50, cursor } = request.query
        const { agent_id: agentId, space_id: spaceId } = request.query
        const userId = userOf(request)
        const reader: MemoryReader = { userId, ...(agentId !== undefined && { agentId, ...(spaceId !== undefined && { spaceId }) }) }
        const scope = wanted ?? (spaceId !== undefined && agentId === undefined ? ('space' as const) : undefined)
        const filter = {
          reader,
          ...(spaceId !== undefined && { spaceId }),
          ...(kinds !== undefined && { kinds }),
          ...(scope !== undefined && { scope }),
          ...(asOf !== undefined && { asOf: new Date(asOf).toISOString() }),
        }
        const { signal } = request
        return shares.run(userId, signal, async () => {
          if (q !== undefined) {
            if (cursor !== undefined) throw pageCursorError.create({})
            if (pageId !== undefined) throw notWithSearch()
            const found = await memories.search({ ...filter, text: q.trim() }, { limit, signal })
            return ok({ items: found.map(viewOfMemory), next_cursor: null })
          }
          const page = await memories.list({ ...filter, ...(pageId !== undefined && { pageId }) }, { limit, cursor, signal })
          return ok({ items: page.items.map(viewOfMemory), next_cursor: page.nextCursor ?? null })
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/memory',
      operationId: 'createMemory',
      summary: 'Have something remembered',
      description:
        'Without a scope it is remembered for all agents. A text that looks as if it had a secret is refused, until `allow_secret` says that it is meant.',
      tags,
      auth: 'user',
      idempotent: true,
      body: { kind: 'json', schema: newMemorySchema, example: { text: 'I prefer the train to the plane.', scope: { kind: 'user' } } },
      errors: [...changeErrors, memoryFullError, memorySecretError, notFoundError],
      answers: { 201: { description: 'The memory.', schema: memorySchema } },
      async handle(request) {
        const { text, pinned = false, scope: wanted = { kind: 'user' as const }, allow_secret: allowSecret } = request.body
        refuseSecret(text, allowSecret)
        const userId = userOf(request)
        const { signal } = request
        const scope = await scopeOf(wanted, { userId, agents })
        return shares.run(userId, signal, async () => {
          shares.countRemembered(userId)
          const { id } = await memories.remember({ userId, scope, text: text.trim(), key: randomUUID() }, { signal })
          const item = pinned ? await memories.change(userId, id, { pinned }, { signal }) : await memories.get({ userId }, id, signal)
          return created(viewOfMemory(item))
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/memory/{memory_id}',
      operationId: 'getMemory',
      summary: 'Read one memory',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError, memoryUnavailableError, limitReachedError, overloadedError],
      answers: { 200: { description: 'The memory.', schema: memorySchema } },
      async handle(request) {
        const { signal } = request
        const userId = userOf(request)
        return shares.run(userId, signal, async () => ok(viewOfMemory(await memories.get({ userId }, request.params.memory_id, signal))))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/memory/{memory_id}',
      operationId: 'updateMemory',
      summary: 'Correct or pin a memory',
      description: 'What a person has corrected is not overwritten by what agents learn later.',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: memoryChangeSchema, example: { pinned: true } },
      errors: [notFoundError, memorySecretError, ...changeErrors],
      answers: { 200: { description: 'The memory.', schema: memorySchema } },
      async handle(request) {
        const { text, pinned, allow_secret: allowSecret } = request.body
        refuseSecret(text, allowSecret)
        const { signal } = request
        const userId = userOf(request)
        const change = { ...(text !== undefined && { text: text.trim() }), ...(pinned !== undefined && { pinned }) }
        return shares.run(userId, signal, async () =>
          ok(viewOfMemory(await memories.change(userId, request.params.memory_id, change, { signal }))),
        )
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/memory/{memory_id}',
      operationId: 'deleteMemory',
      summary: 'Forget a memory',
      description: 'It is not learnt again from what was said before.',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError, ...changeErrors],
      answers: { 204: { description: 'Forgotten.' } },
      async handle(request) {
        const { signal } = request
        const userId = userOf(request)
        await shares.run(userId, signal, () => memories.forget(userId, request.params.memory_id, { signal }))
        return noContent()
      },
    }),
  ]
}

/** What a person writes by hand is theirs to decide, once they know. @throws `memory_looks_secret`. */
function refuseSecret(text: string | undefined, isAllowed = false): void {
  const secret = text === undefined || isAllowed ? undefined : findSecret(text)
  if (secret) throw memorySecretError.create({ kind: secret.kind })
}

const notWithSearch = () =>
  invalidRequestError.create({ where: 'query' }, { problems: [{ path: '/page_id', message: 'must be absent beside q' }] })
