import { ServiceError, Type } from '@agent-service/sdk'
import {
  actorKinds,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import {
  budgetExceededError,
  credentialMissingError,
  credentialUnusableError,
  modelGroupUnusableError,
} from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import { spaceEmptyError, spaceSummaryFailedError, spaceSummaryInProgressError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { createKeyedLock } from '../common/keyed-lock.js'
import { ownDocument, ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { wellFormed } from '../common/well-formed.js'
import { deleteSpace } from '../spaces/delete-space.js'
import type { SpaceSummariser } from '../spaces/summarise-space.js'
import { agentCollection } from '../store/agents/agent.js'
import { presentSpace, type Space, spaceCollection, spaceMembers, spaceSchema } from '../store/chats/space.js'

const params = Type.Object({ space_id: idSchema })
const tags = ['spaces']

/** The routes under `/api/spaces`. */
export function createSpaceRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly summariser: SpaceSummariser
}): readonly HttpRoute[] {
  const { database, events, clock, summariser } = dependencies
  const spaces = database.collection(spaceCollection)
  const agents = database.collection(agentCollection)
  const nowText = (): string => new Date(clock.now()).toISOString()
  const recordChange = (transaction: Transaction, space: Space): void =>
    events.record(transaction, {
      userId: space.user_id,
      name: 'space.updated',
      data: { space_id: space.id, space: presentSpace(space) },
    })
  const oneAtATime = createKeyedLock(() => spaceSummaryInProgressError.create({}))

  const summarise = async (space: Space, signal: AbortSignal): Promise<Space> => {
    const page = await agents.query({ index: 'by_user', equals: [space.user_id], limit: 200 })
    const agent = page.items.find(({ enabled }) => enabled)
    const order = { group: agent?.model_group ?? 'primary', agentId: agent?.id, signal }
    const text = await summariser.summarise(space, order).catch((error: unknown) => {
      throw answerable(error)
    })
    if (text === undefined) throw spaceEmptyError.create({})
    return database.transaction(async (transaction) => {
      const current = ownUndeleted('space', await transaction.get(spaceCollection, space.id), space.user_id)
      const changed: Space = { ...current, summary: text, summary_updated_at: nowText() }
      transaction.put(spaceCollection, changed)
      recordChange(transaction, changed)
      return changed
    })
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/spaces',
      operationId: 'listSpaces',
      summary: "List the caller's spaces, most recently changed first",
      description: '`GET /api/chats?space_id=` lists the chats of a space.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(spaceSchema) } },
      async handle(request) {
        const place = { index: 'by_user', equals: [ownerOf(request)], order: 'descending' } as const
        const { items, next_cursor } = await pageOfIndex(spaces, place, request.query)
        return ok({ items: items.map(presentSpace), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/spaces',
      operationId: 'createSpace',
      summary: 'Create a space',
      tags,
      auth: 'user',
      body: {
        kind: 'json',
        schema: Type.Object({
          name: spaceMembers.name,
          description: Type.Optional(spaceMembers.description),
          context: Type.Optional(spaceMembers.context),
        }),
      },
      answers: { 201: { description: 'The space.', schema: spaceSchema } },
      async handle(request) {
        const { name, description = '', context = '' } = request.body
        const now = nowText()
        const space: Space = {
          ...{ id: uuidv7(), user_id: ownerOf(request), name: wellFormed(name) },
          ...{ description: wellFormed(description), context: wellFormed(context) },
          ...{ summary: null, summary_updated_at: null, created_at: now, updated_at: now, deleting: false },
        }
        await database.transaction(async (transaction) => {
          transaction.insert(spaceCollection, space)
          recordChange(transaction, space)
        })
        return created(presentSpace(space))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/spaces/{space_id}',
      operationId: 'getSpace',
      summary: 'Get a space',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The space.', schema: spaceSchema } },
      async handle(request) {
        return ok(presentSpace(ownDocument('space', await spaces.get(request.params.space_id), ownerOf(request))))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/spaces/{space_id}',
      operationId: 'updateSpace',
      summary: 'Change a space',
      description: 'Runs in progress use the change from their next model call on. `summary: null` removes the summary.',
      tags,
      auth: 'user',
      params,
      body: {
        kind: 'json',
        schema: Type.Object({
          name: Type.Optional(spaceMembers.name),
          description: Type.Optional(spaceMembers.description),
          context: Type.Optional(spaceMembers.context),
          summary: Type.Optional(Type.Null()),
        }),
      },
      answers: { 200: { description: 'The space.', schema: spaceSchema } },
      async handle(request) {
        const { name, description, context, summary } = request.body
        const space = await database.transaction(async (transaction) => {
          const current = ownUndeleted('space', await transaction.get(spaceCollection, request.params.space_id), ownerOf(request))
          const changed: Space = {
            ...current,
            ...(name === undefined ? {} : { name: wellFormed(name) }),
            ...(description === undefined ? {} : { description: wellFormed(description) }),
            ...(context === undefined ? {} : { context: wellFormed(context) }),
            ...(summary === undefined ? {} : { summary: null, summary_updated_at: null }),
            updated_at: nowText(),
          }
          transaction.put(spaceCollection, changed)
          recordChange(transaction, changed)
          return changed
        })
        return ok(presentSpace(space))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/spaces/{space_id}',
      operationId: 'deleteSpace',
      summary: 'Delete a space but not its chats',
      description: 'Its chats then belong to no space. An interrupted deletion can be repeated.',
      tags,
      auth: 'user',
      params,
      answers: { 204: { description: 'Deleted.' } },
      async handle(request) {
        const place = { spaceId: request.params.space_id, userId: ownerOf(request), signal: request.signal }
        await deleteSpace({ database, events }, place)
        return noContent()
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/spaces/{space_id}/summary',
      operationId: 'summariseSpace',
      summary: 'Summarise the chats of a space',
      description:
        'A model of the model group of the caller’s first agent reads the newest messages of the 20 most recently changed chats that are not archived. Responds when the summary is done, which may take a while. The summary replaces the previous one.',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      params,
      errors: [
        budgetExceededError,
        modelGroupUnusableError,
        credentialMissingError,
        credentialUnusableError,
        spaceEmptyError,
        spaceSummaryInProgressError,
        spaceSummaryFailedError,
      ],
      answers: { 201: { description: 'The space with its summary.', schema: spaceSchema } },
      async handle(request) {
        const space = ownUndeleted('space', await spaces.get(request.params.space_id), ownerOf(request))
        return created(presentSpace(await oneAtATime(space.id, () => summarise(space, request.signal))))
      },
    }),
  ]
}

/**
 * A failure of a vendor or of its answer as an error that clients may read: the details of internal
 * errors are not shown.
 */
function answerable(error: unknown): unknown {
  if (!ServiceError.isInstance(error) || error.status <= 500 || error.status === 503) return error
  return spaceSummaryFailedError.create({ reason: wellFormed(error.message) }, { cause: error })
}
