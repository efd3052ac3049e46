import { namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageCursorError,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import type { Memories } from '../backend/memories.js'
import type { MemoryCalls } from '../backend/memory-calls.js'
import { userOf } from '../common/caller.js'
import { memoriesBusyError, memoryFullError, memoryMovingError, memoryUnavailableError, memoryUnsupportedError } from '../common/errors.js'
import type { RequestShares } from '../common/request-shares.js'
import type { SweepLog } from '../sweeps/sweep-log.js'
import { passSchema, revisionSchema, viewOfPass, viewOfRevision } from './memory-schemas.js'

/** Of the requests that share the memory. */
const shareErrors = [limitReachedError, overloadedError]
const tags = ['memory']
const time = (description: string) => Type.Union([Type.String(), Type.Null()], { description, examples: [null] })

const statusSchema = namedObject('MemoryStatus', {
  backend: Type.String({ description: 'The id of the back end: `memory.backend` of the configuration.', examples: ['basic'] }),
  title: time('Its name for people; null while it does not run.'),
  available: Type.Boolean({ description: 'Whether it runs. If not, agents go on without memory.' }),
  supports: namedObject('MemorySupport', {
    history: Type.Boolean({ description: 'What held at another time: `as_of`.' }),
    sweep: Type.Boolean({ description: 'Background work.' }),
    passes: Type.Boolean({ description: '`GET /api/memory/passes`.' }),
    revisions: Type.Boolean({ description: '`GET /api/memory/revisions`.' }),
  }),
  moving: Type.Boolean({ description: 'Whether memories are being copied to another back end.' }),
  last_sweep: Type.Union(
    [
      namedObject('MemorySweep', {
        started_at: Type.String({ examples: ['2026-01-31T10:00:00.000Z'] }),
        finished_at: time('Null: it goes on, or was cut off.'),
        failed: Type.Boolean({ description: 'The log of the service has the reason.' }),
      }),
      Type.Null(),
    ],
    { description: 'The last background work of the deployment; null: there was none yet.' },
  ),
})

const nothing = { history: false, sweep: false, passes: false, revisions: false }

/** What the memory is, its background work, and what that has replaced. */
export function createStatusRoutes(dependencies: {
  readonly memories: Pick<Memories, 'passes' | 'retryPass' | 'revisions' | 'restore'>
  readonly calls: Pick<MemoryCalls, 'state'>
  readonly sweeps: Pick<SweepLog, 'last'>
  readonly isMoving: () => boolean
  readonly shares: RequestShares
}): readonly HttpRoute[] {
  const { memories, calls, sweeps, isMoving, shares } = dependencies
  const errors = [memoryUnavailableError, memoryUnsupportedError]
  return [
    defineRoute({
      method: 'GET',
      path: '/api/memory/status',
      operationId: 'getMemoryStatus',
      summary: 'Read which memory is in use, what it supports, and when its background work ran',
      tags,
      auth: 'user',
      answers: { 200: { description: 'The state.', schema: statusSchema } },
      async handle() {
        const state = calls.state()
        return ok({
          ...{ backend: state.id, title: state.available ? state.title : null, available: state.available },
          supports: state.available ? { ...nothing, ...state.supports } : nothing,
          moving: isMoving(),
          last_sweep: await sweeps.last(),
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/memory/passes',
      operationId: 'listMemoryPasses',
      summary: "List the passes of background work over the caller's chats, newest first",
      tags,
      auth: 'user',
      query: pageQuerySchema,
      errors: [...errors, ...shareErrors, pageCursorError],
      answers: { 200: { description: 'One page.', schema: pageSchema(passSchema) } },
      async handle(request) {
        const { limit = 50, cursor } = request.query
        const userId = userOf(request)
        const { signal } = request
        return shares.run(userId, signal, async () => {
          const page = await memories.passes(userId, { limit, cursor, signal })
          return ok({ items: page.items.map(viewOfPass), next_cursor: page.nextCursor ?? null })
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/memory/passes/{pass_id}/retry',
      operationId: 'retryMemoryPass',
      summary: 'Have a pass that was abandoned or has failed tried again',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      params: Type.Object({ pass_id: Type.String({ minLength: 1, maxLength: 200 }) }),
      errors: [notFoundError, memoryUnavailableError, memoryMovingError, memoriesBusyError, ...shareErrors],
      answers: { 204: { description: 'A next sweep tries it.' } },
      async handle(request) {
        const { signal } = request
        const userId = userOf(request)
        await shares.run(userId, signal, () => memories.retryPass(userId, request.params.pass_id, signal))
        return noContent()
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/memory/revisions',
      operationId: 'listMemoryRevisions',
      summary: 'List what background work has replaced and can be brought back, newest first',
      description: 'At most the newest 100.',
      tags,
      auth: 'user',
      query: pageQuerySchema,
      errors: [...errors, ...shareErrors, pageCursorError],
      answers: { 200: { description: 'One page.', schema: pageSchema(revisionSchema) } },
      async handle(request) {
        const { signal } = request
        const userId = userOf(request)
        return shares.run(userId, signal, async () => {
          const found = (await memories.revisions(userId, signal)).slice(0, 100)
          const { items, next_cursor } = pageOfList(found, ({ id }) => id, request.query)
          return ok({ items: items.map(viewOfRevision), next_cursor })
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/memory/revisions/{revision_id}/restore',
      operationId: 'restoreMemoryRevision',
      summary: 'Bring back what background work has replaced',
      description: 'It takes the place of what was made of it. What was remembered since stays.',
      tags,
      auth: 'user',
      params: Type.Object({ revision_id: Type.String({ minLength: 1, maxLength: 200 }) }),
      errors: [notFoundError, memoryUnavailableError, memoryMovingError, memoriesBusyError, memoryFullError, ...shareErrors],
      answers: { 204: { description: 'It is back.' } },
      async handle(request) {
        const { signal } = request
        const userId = userOf(request)
        await shares.run(userId, signal, () => memories.restore(userId, request.params.revision_id, signal))
        return noContent()
      },
    }),
  ]
}
