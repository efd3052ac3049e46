import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
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
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import type { AgentChoice } from '../agents/agent-choice.js'
import { changeChat } from '../chats/change-chat.js'
import { deleteChat } from '../chats/delete-chat.js'
import { listChats } from '../chats/list-chats.js'
import { requireModel } from '../chats/model-choice.js'
import { hiddenChatError, noAgentError, runInProgressError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownDocument, ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { wellFormed } from '../common/well-formed.js'
import type { AgentSettings } from '../configuration.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import { chatPartFailedError } from '../points/parts/chat-parts.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { type Chat, chatCollection, chatSchema, expiryOf, newChat, presentChat } from '../store/chats/chat.js'
import { ownSpace } from '../store/chats/own-space.js'
import { spaceCollection } from '../store/chats/space.js'
import { temporaryChatCollection } from '../store/chats/temporary-chat.js'
import { maxTagLength, maxTags, normalTags } from '../store/tags/tag.js'

const params = Type.Object({ chat_id: idSchema })
const title = Type.String({ minLength: 1, maxLength: 200, examples: ['Plan for Saturday'] })
const tags = ['chats']

const listQuerySchema = Type.Object({
  ...pageQuerySchema.properties,
  archived: Type.Optional(Type.Boolean({ default: false, description: 'Lists the archived chats instead of the current ones.' })),
  space_id: Type.Optional(idSchema),
  pinned: Type.Optional(Type.Boolean({ description: 'Lists the pinned chats alone, or those that are not pinned.' })),
  tag: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Lists the chats with this tag. Case makes no difference.' }),
  ),
  order: Type.Optional(
    Type.Union([Type.Literal('recent'), Type.Literal('pinned_first')], {
      default: 'recent',
      description: '`pinned_first`: pinned chats come before all others. The latest comes first among each.',
    }),
  ),
})

const model = Type.String({ minLength: 1, maxLength: 100 })
const newChatSchema = namedObject('CreateChat', {
  agent_id: Type.Optional(idSchema),
  title: Type.Optional(title),
  space_id: Type.Optional(idSchema),
  model: Type.Optional(model),
  hidden: Type.Optional(
    Type.Boolean({ description: 'No list and no search shows it, such as one to try an agent. Delete it when it is not needed any more.' }),
  ),
  temporary: Type.Optional(
    Type.Boolean({
      description:
        'No list, no search and no memory has it, no model gives it a title, it cannot be shared, and it is deleted for good some hours after its last activity, at its `expires_at`.',
    }),
  ),
})

const changeSchema = namedObject('UpdateChat', {
  title: Type.Optional(Type.Union([title, Type.Null()])),
  agent_id: Type.Optional(idSchema),
  branch_id: Type.Optional(idSchema),
  archived: Type.Optional(Type.Boolean()),
  space_id: Type.Optional(Type.Union([idSchema, Type.Null()])),
  compaction: Type.Optional(Type.Boolean()),
  model: Type.Optional(Type.Union([model, Type.Null()], { description: 'The model group that answers; null: the agent’s.' })),
  pinned: Type.Optional(Type.Boolean()),
  temporary: Type.Optional(Type.Literal(false, { description: 'Keeps a temporary chat: from now on it is a chat like any other.' })),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: maxTags,
      description: `All tags of the chat, each with 1 to ${maxTagLength} characters; no two may differ in case alone.`,
    }),
  ),
})

/** Tags in their normal form. @throws `invalid_request`. */
function acceptableTags(given: readonly string[]): readonly string[] {
  const { tags, problems } = normalTags(given)
  if (problems.length === 0) return tags
  throw invalidRequestError.create(
    { where: 'body' },
    { problems: problems.map(({ path, message }) => ({ path: `/tags${path}`, message })) },
  )
}

/** The routes under `/api/chats` except messages. */
export function createChatRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly inference: Pick<Inference, 'groups'>
  readonly agentChoice: AgentChoice
  readonly runs: RunManager
  readonly parts: Pick<ChatParts, 'erase' | 'rest'>
  readonly settings: Required<AgentSettings>
}): readonly HttpRoute[] {
  const { database, events, clock, inference, agentChoice, runs, parts, settings } = dependencies
  const chats = database.collection(chatCollection)
  const spaces = database.collection(spaceCollection)

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats',
      operationId: 'listChats',
      summary: "List the caller's chats, most recently changed first",
      description:
        'Either the current or the archived chats, without hidden, temporary and deleted ones; `space_id`, `pinned` and `tag` select among them. With `tag`, chats are ordered by the last message of a person, or the last change of the chat.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: listQuerySchema,
      errors: [notFoundError],
      answers: { 200: { description: 'One page.', schema: pageSchema(chatSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        const { space_id, archived = false, pinned, tag, order } = request.query
        if (space_id !== undefined) ownDocument('space', await spaces.get(space_id), userId)
        const listing = archived ? 'archived' : 'current'
        const selection = { userId, listing, spaceId: space_id, pinned, tag, pinnedFirst: order === 'pinned_first' } as const
        const { items, next_cursor } = await listChats(database, selection, request.query)
        return ok({ items: items.map(presentChat), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats',
      operationId: 'createChat',
      summary: 'Create a chat',
      description:
        "Without `agent_id` the chat is with the caller's first enabled agent. Without `title` its title comes from the first message, and after the first answer from a model, if the model group `title` or `small` is configured. `model` names the model group that answers instead of the agent’s.",
      tags,
      auth: 'user',
      idempotent: true,
      body: { kind: 'json', schema: newChatSchema },
      errors: [notFoundError, noAgentError],
      answers: { 201: { description: 'The chat.', schema: chatSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const agent = await agentChoice.byId(userId, request.body.agent_id)
        const chosen = request.body.title === undefined ? null : wellFormed(request.body.title)
        const { space_id, model, hidden = false, temporary = false } = request.body
        requireModel(inference, model)
        const keepSecs = settings.temporary_chats_hours * 3_600
        const chat = newChat(
          {
            ...{ id: uuidv7(), user_id: userId, agent_id: agent.id, title: chosen, model: model ?? null },
            ...(hidden && { listing: 'hidden', titling: 'closed' }),
            ...(temporary && { listing: 'hidden', temporary: { keep_secs: keepSecs }, without_memory: true }),
          },
          new Date(clock.now()).toISOString(),
        )
        const stored = await database.transaction(async (transaction) => {
          const placed: Chat = { ...chat, space_id: await ownSpace(transaction, space_id ?? null, userId) }
          transaction.insert(chatCollection, placed)
          if (placed.temporary)
            transaction.insert(temporaryChatCollection, {
              id: placed.id,
              user_id: userId,
              due_at: expiryOf(placed.updated_at, placed.temporary),
            })
          events.record(transaction, { userId, name: 'chat.created', data: { chat_id: placed.id, chat: presentChat(placed) } })
          return placed
        })
        return created(presentChat(stored))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}',
      operationId: 'getChat',
      summary: 'Get a chat',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The chat.', schema: chatSchema } },
      async handle(request) {
        return ok(presentChat(ownUndeleted('chat', await chats.get(request.params.chat_id), ownerOf(request))))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/chats/{chat_id}',
      operationId: 'updateChat',
      summary: 'Change a chat or switch its branch',
      description:
        '`title: null` restores the title made from the first message. `archived` removes the chat from the list of current chats; a new message brings it back. `branch_id` shows another branch, with which the chat continues (409 `run_in_progress` during a run). `compaction: false` prevents older messages from being summarised. `model` names the model group that answers instead of the agent’s. `temporary: false` keeps a temporary chat.',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: changeSchema },
      errors: [hiddenChatError, runInProgressError],
      answers: { 200: { description: 'The chat.', schema: chatSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const { title, agent_id, branch_id, archived, space_id, compaction, model, pinned, temporary } = request.body
        requireModel(inference, model)
        const tags = request.body.tags && acceptableTags(request.body.tags)
        const agent = agent_id === undefined ? undefined : await agentChoice.byId(userId, agent_id)
        const change = {
          title,
          agentId: agent?.id,
          branchId: branch_id,
          archived,
          spaceId: space_id,
          compaction,
          model,
          pinned,
          tags,
          temporary,
        }
        const chat = await database.transaction(async (transaction) => {
          const place = { chatId: request.params.chat_id, userId, now: new Date(clock.now()).toISOString() }
          const changed = await changeChat(transaction, place, change)
          events.record(transaction, { userId, name: 'chat.updated', data: { chat_id: changed.id, chat: presentChat(changed) } })
          return changed
        })
        return ok(presentChat(chat))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/chats/{chat_id}',
      operationId: 'deleteChat',
      summary: 'Delete a chat with its messages and runs',
      description:
        'It is hidden at once, its links stop to work, and a run in progress is cancelled. It can be restored for as many days as the service keeps deleted chats (30 by default), and is then deleted for good. A hidden chat, such as a temporary one, and one without messages are deleted for good at once; an interrupted deletion of such a chat can be repeated.',
      tags,
      auth: 'user',
      params,
      errors: [chatPartFailedError],
      answers: { 204: { description: 'Deleted.' } },
      async handle(request) {
        await deleteChat(
          { database, events, runs, clock, parts, keepDays: settings.deleted_chats_days },
          { chatId: request.params.chat_id, userId: ownerOf(request), signal: request.signal },
        )
        return noContent()
      },
    }),
  ]
}
