import { type Static, Type } from '@agent-service/sdk'
import {
  accepted,
  defineRoute,
  type HttpRoute,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import { type Agent, agentCollection } from '../agents/agent.js'
import { chatCollection, presentChat, titleFrom } from '../chats/chat.js'
import { messageTooLongError, noAgentError, runInProgressError } from '../errors.js'
import { ownerOf } from '../owner.js'
import { pageOf } from '../paging.js'
import { maximumMessageBytes } from '../runs/answer-limits.js'
import type { FreshRun } from '../runs/fresh-run.js'
import type { ModelTurn } from '../runs/model-turn.js'
import { noUsage, presentRun, type Run, runCollection, runSchema } from '../runs/run.js'
import type { RunManager } from '../runs/run-manager.js'
import { wellFormed } from '../well-formed.js'
import { type Message, messageCollection, messageInputSchema, messageSchema, presentMessage } from './message.js'
import { insertMessage } from './write-message.js'

const params = Type.Object({ chat_id: Type.String({ minLength: 1, maxLength: 100 }) })
const tags = ['chats']

/** The routes under `/api/chats/{chat_id}/messages`. */
export function createMessageRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly runs: RunManager
  readonly modelTurn: Pick<ModelTurn, 'open'>
}): readonly HttpRoute[] {
  const { database, events, clock, runs, modelTurn } = dependencies
  const chats = database.collection(chatCollection)
  const messages = database.collection(messageCollection)

  /** An open message with what it has come to by now, and the id from which the stream goes on. */
  const withText = async (message: Message, position: number) => {
    if (message.status !== 'open') return presentMessage(message)
    const live = runs.liveMessage(message.run_id)
    if (live?.messageId === message.id) return { ...presentMessage(message), content: live.view(), event_id: String(position) }
    // It may have ended since it was read.
    const current = (await messages.get(message.id)) ?? message
    return current.status === 'open' ? { ...presentMessage(current), event_id: String(position) } : presentMessage(current)
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/messages',
      operationId: 'listMessages',
      summary: 'The messages of a chat, from old to new',
      description: 'An open message has its text so far and `event_id`: stream `/api/events?after={event_id}` to go on without a gap.',
      tags,
      auth: 'user',
      params,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(messageSchema) } },
      async handle(request) {
        const userId = ownerOf(request)
        // Before the state is read: whatever changes in between is in the stream behind it.
        const position = events.position(userId)
        const chat = await chats.get(request.params.chat_id)
        if (chat?.user_id !== userId) throw notFoundError.create({ what: 'chat' })
        const page = await messages.query({ index: 'by_chat', equals: [chat.id], ...pageOf(request.query) })
        const items = await Promise.all(page.items.map((message) => withText(message, position)))
        return ok({ items, next_cursor: page.nextCursor ?? null })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/{chat_id}/messages',
      operationId: 'createMessage',
      summary: 'Write to the agent',
      description:
        'Stores the message and begins a run. The answer comes on `/api/events`. A chat has one run at a time (409 `run_in_progress`).',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      idempotent: true,
      params,
      body: { kind: 'json', schema: messageInputSchema, limit: 32 * 1024 * 1024 },
      answers: {
        202: { description: 'The message, and the run that answers it.', schema: Type.Object({ message: messageSchema, run: runSchema }) },
      },
      async handle(request) {
        const userId = ownerOf(request)
        const content = partsOf(request.body.content)
        const giveBack = runs.reserve(userId)
        try {
          const { message, fresh } = await post(userId, request.params.chat_id, content)
          runs.begin(fresh)
          return accepted({ message: presentMessage(message), run: presentRun(fresh.run) })
        } finally {
          giveBack()
        }
      },
    }),
  ]

  function post(
    userId: string,
    chatId: string,
    content: readonly TextPart[],
  ): Promise<{ readonly message: Message; readonly fresh: FreshRun }> {
    return database.transaction(async (transaction) => {
      const chat = await transaction.get(chatCollection, chatId)
      if (chat?.user_id !== userId || chat.deleting) throw notFoundError.create({ what: 'chat' })
      if (chat.active_run_id !== null) throw runInProgressError.create({ runId: chat.active_run_id })
      const agent = await transaction.get(agentCollection, chat.agent_id)
      if (!agent?.enabled) throw noAgentError.create({})
      const now = new Date(clock.now()).toISOString()
      const run = newRun(chat.id, agent, now)
      transaction.insert(runCollection, run)
      const title = chat.title ?? titleFrom(content.map((part) => part.text).join(' '))
      const added = await insertMessage(transaction, {
        id: uuidv7(),
        run,
        role: 'user',
        status: 'complete',
        content,
        now,
        chat: { active_run_id: run.id, title },
      })
      events.record(transaction, {
        userId,
        name: 'message.created',
        data: { chat_id: chat.id, run_id: run.id, message: presentMessage(added.message) },
      })
      events.record(transaction, {
        userId,
        name: 'chat.updated',
        data: { chat_id: chat.id, run_id: run.id, chat: presentChat(added.chat) },
      })
      const { message } = added
      return { message, fresh: runs.hasRoom(userId) ? await modelTurn.open(transaction, run, { agent, latest: message }) : { run } }
    })
  }
}

/** The content as it is kept. @throws `message_too_long`. */
function partsOf(content: Static<typeof messageInputSchema>['content']): readonly TextPart[] {
  const parts: readonly TextPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const kept = parts.map(({ text }): TextPart => ({ type: 'text', text: wellFormed(text) }))
  const bytes = Buffer.byteLength(JSON.stringify(kept))
  if (bytes > maximumMessageBytes) throw messageTooLongError.create({ bytes, limit: maximumMessageBytes })
  return kept
}

function newRun(chatId: string, agent: Agent, now: string): Run {
  return {
    id: uuidv7(),
    user_id: agent.user_id,
    chat_id: chatId,
    agent_id: agent.id,
    status: 'queued',
    model_group: agent.model_group,
    failure: null,
    usage: noUsage,
    turns: 0,
    step_count: 0,
    // Whoever stores it drives it.
    epoch: 1,
    lease_until: null,
    attempts: 1,
    cancel_requested_at: null,
    created_at: now,
    started_at: null,
    finished_at: null,
  }
}
