import { Type } from '@agent-service/sdk'
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
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import { type Agent, agentCollection } from '../agents/agent.js'
import type { SharedAgents } from '../agents/shared-agents.js'
import { noAgentError } from '../errors.js'
import { ownerOf } from '../owner.js'
import { pageOf } from '../paging.js'
import type { RunManager } from '../runs/run-manager.js'
import { wellFormed } from '../well-formed.js'
import { type Chat, chatCollection, chatSchema, presentChat } from './chat.js'
import { deleteChat } from './delete-chat.js'

const params = Type.Object({ chat_id: Type.String({ minLength: 1, maxLength: 100 }) })
const title = Type.String({ minLength: 1, maxLength: 200 })
const tags = ['chats']

/** The routes under `/api/chats`, messages apart. */
export function createChatRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly sharedAgents: SharedAgents
  readonly runs: RunManager
}): readonly HttpRoute[] {
  const { database, events, clock, sharedAgents, runs } = dependencies
  const chats = database.collection(chatCollection)
  const agents = database.collection(agentCollection)

  const agentFor = async (userId: string, agentId: string | undefined): Promise<Agent> => {
    await sharedAgents.ensure(userId)
    if (agentId !== undefined) {
      const agent = await agents.get(agentId)
      if (agent?.user_id !== userId) throw notFoundError.create({ what: 'agent' })
      return agent
    }
    const page = await agents.query({ index: 'by_user', equals: [userId], limit: 200 })
    const first = page.items.find((agent) => agent.enabled)
    if (!first) throw noAgentError.create({})
    return first
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats',
      operationId: 'listChats',
      summary: "The caller's chats, the last changed first",
      tags,
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(chatSchema) } },
      async handle(request) {
        const page = await chats.query({ index: 'by_user', equals: [ownerOf(request)], order: 'descending', ...pageOf(request.query) })
        return ok({ items: page.items.map(presentChat), next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats',
      operationId: 'createChat',
      summary: 'Begin a chat',
      description: "Without `agent_id` it is with the caller's first enabled agent. Without `title` the first message gives one.",
      tags,
      auth: 'user',
      body: { kind: 'json', schema: Type.Object({ agent_id: Type.Optional(params.properties.chat_id), title: Type.Optional(title) }) },
      answers: { 201: { description: 'The chat.', schema: chatSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const agent = await agentFor(userId, request.body.agent_id)
        const now = new Date(clock.now()).toISOString()
        const chat: Chat = {
          id: uuidv7(),
          user_id: userId,
          agent_id: agent.id,
          title: request.body.title === undefined ? null : wellFormed(request.body.title),
          created_at: now,
          updated_at: now,
          active_run_id: null,
          message_count: 0,
          deleting: false,
        }
        await chats.insert(chat)
        return created(presentChat(chat))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}',
      operationId: 'getChat',
      summary: 'One chat',
      tags,
      auth: 'user',
      params,
      answers: { 200: { description: 'The chat.', schema: chatSchema } },
      async handle(request) {
        const chat = await chats.get(request.params.chat_id)
        if (chat?.user_id !== ownerOf(request)) throw notFoundError.create({ what: 'chat' })
        return ok(presentChat(chat))
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/chats/{chat_id}',
      operationId: 'updateChat',
      summary: 'Rename a chat, or go on with another agent',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: Type.Object({ title: Type.Optional(title), agent_id: Type.Optional(params.properties.chat_id) }) },
      answers: { 200: { description: 'The chat.', schema: chatSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const agent = request.body.agent_id === undefined ? undefined : await agentFor(userId, request.body.agent_id)
        const chat = await database.transaction(async (transaction) => {
          const current = await transaction.get(chatCollection, request.params.chat_id)
          if (current?.user_id !== userId || current.deleting) throw notFoundError.create({ what: 'chat' })
          const changed: Chat = {
            ...current,
            title: request.body.title === undefined ? current.title : wellFormed(request.body.title),
            agent_id: agent?.id ?? current.agent_id,
            updated_at: new Date(clock.now()).toISOString(),
          }
          transaction.put(chatCollection, changed)
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
      description: 'A run that goes on is cancelled first. A deletion that was interrupted can be asked for again.',
      tags,
      auth: 'user',
      params,
      answers: { 204: { description: 'Deleted.' } },
      async handle(request) {
        await deleteChat({ database, runs }, { chatId: request.params.chat_id, userId: ownerOf(request), signal: request.signal })
        return noContent()
      },
    }),
  ]
}
