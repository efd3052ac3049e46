import { Type } from '@agent-service/sdk'
import {
  actorKinds,
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import {
  budgetExceededError,
  credentialMissingError,
  credentialUnusableError,
  modelGroupUnusableError,
} from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import { noAgentError, runInProgressError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { createKeyedLock } from '../common/keyed-lock.js'
import { ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import type { Compactor } from '../context/compactor.js'
import { compactionInProgressError, nothingToSummariseError, summaryUnusableError } from '../context/errors.js'
import { agentCollection } from '../store/agents/agent.js'
import { type Chat, chatCollection, presentChat } from '../store/chats/chat.js'
import { presentSummary, type Summary, summaryCollection, summarySchema } from '../store/chats/summary.js'

const params = Type.Object({ chat_id: idSchema })
const tags = ['chats']

/** The routes of a chat's summaries. */
export function createSummaryRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly compactor: Compactor
}): readonly HttpRoute[] {
  const { database, events, clock, compactor } = dependencies
  const chats = database.collection(chatCollection)
  const agents = database.collection(agentCollection)
  const summaries = database.collection(summaryCollection)
  const oneAtATime = createKeyedLock(() => compactionInProgressError.create({}))

  const summarise = async (chat: Chat, signal: AbortSignal): Promise<Summary> => {
    const agent = await agents.get(chat.agent_id)
    if (!agent) throw noAgentError.create({})
    const plan = await compactor.plan({
      chat,
      group: chat.model ?? agent.model_group,
      fixedTokens: 0,
      // Half of the messages are summarised, even if there is room for more.
      refused: true,
      withinTurns: false,
      before: chat.message_count,
      unseen: [],
    })
    if (!plan) throw nothingToSummariseError.create({})
    const attribution = { userId: chat.user_id, agentId: agent.id, chatId: chat.id }
    const draft = await compactor.draft(plan, { attribution, signal, onUsage: () => undefined }).catch((error: unknown) => {
      throw providerError.isInstance(error) ? summaryUnusableError.create({ reason: error.message }, { cause: error }) : error
    })
    return database.transaction(async (transaction) => {
      const current = ownUndeleted('chat', await transaction.get(chatCollection, chat.id), chat.user_id)
      const now = new Date(clock.now()).toISOString()
      const summary: Summary = { ...draft, id: uuidv7(), run_id: null, created_at: now, undone_at: null }
      transaction.insert(summaryCollection, summary)
      const data = { chat_id: chat.id, chat: presentChat(current), summary: presentSummary(summary), compaction: 'done' }
      events.record(transaction, { userId: chat.user_id, name: 'chat.updated', data })
      return summary
    })
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/summaries',
      operationId: 'listSummaries',
      summary: 'List the summaries of the older messages of a chat',
      description:
        'Of all branches, the furthest reaching first, including undone ones. For a model, each replaces the messages of its branch before `until`. The messages themselves stay.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(summarySchema) } },
      async handle(request) {
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), ownerOf(request))
        const place = { index: 'by_chat', equals: [chat.id], order: 'descending' } as const
        const { items, next_cursor } = await pageOfIndex(summaries, place, request.query)
        return ok({ items: items.map(presentSummary), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/{chat_id}/compact',
      operationId: 'compactChat',
      summary: 'Summarise the older messages of a chat now',
      description:
        'Responds when the summary is done, which may take a while. Returns 409 `run_in_progress` during a run of the chat, and `nothing_to_summarise` if every message has to stay. This also works for a chat whose `compaction` is off.',
      tags,
      auth: 'user',
      params,
      errors: [
        budgetExceededError,
        modelGroupUnusableError,
        credentialMissingError,
        credentialUnusableError,
        compactionInProgressError,
        nothingToSummariseError,
        summaryUnusableError,
        noAgentError,
        runInProgressError,
      ],
      answers: { 201: { description: 'The summary.', schema: summarySchema } },
      async handle(request) {
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), ownerOf(request))
        if (chat.active_run_id !== null) throw runInProgressError.create({ runId: chat.active_run_id })
        return created(presentSummary(await oneAtATime(chat.id, () => summarise(chat, request.signal))))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/chats/{chat_id}/summaries/{summary_id}',
      operationId: 'undoSummary',
      summary: 'Undo a summary',
      description:
        'From the next run on, a model reads the messages again that the summary replaced, as many as fit. The chat’s `compaction` is switched off, so that they are not summarised again at once. The summary stays in the list with its `undone_at`.',
      tags,
      auth: 'user',
      params: Type.Object({ ...params.properties, summary_id: idSchema }),
      answers: { 204: { description: 'Undone.' } },
      async handle(request) {
        const userId = ownerOf(request)
        const { chat_id, summary_id } = request.params
        await database.transaction(async (transaction) => {
          const chat = ownUndeleted('chat', await transaction.get(chatCollection, chat_id), userId)
          const summary = await transaction.get(summaryCollection, summary_id)
          if (summary?.chat_id !== chat.id) throw notFoundError.create({ what: 'summary' })
          if (summary.undone_at !== null) return
          const now = new Date(clock.now()).toISOString()
          const undone: Summary = { ...summary, undone_at: now }
          const changed: Chat = { ...chat, compaction: false, updated_at: now }
          transaction.put(summaryCollection, undone)
          transaction.put(chatCollection, changed)
          const data = { chat_id: chat.id, chat: presentChat(changed), summary: presentSummary(undone) }
          events.record(transaction, { userId, name: 'chat.updated', data })
        })
        return noContent()
      },
    }),
  ]
}
