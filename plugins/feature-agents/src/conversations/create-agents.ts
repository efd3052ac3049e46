import type { Logger } from '@agent-service/sdk'
import {
  type AgentSummary,
  type Agents,
  agentUnknownError,
  type ConversationEvent,
  type ConversationQuestion,
  type ConverseRequest,
} from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { SharedAgents } from '../agents/shared-agents.js'
import { deleteChat } from '../chats/delete-chat.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import type { Posting } from '../posting/posting.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { RunWatchers, Watch } from '../runs/streaming/run-watchers.js'
import { type Agent, agentCollection } from '../store/agents/agent.js'
import { chatCollection } from '../store/chats/chat.js'
import { approvalCollection } from '../store/runs/approval.js'
import { isFinished, noUsage, type Run, runCollection } from '../store/runs/run.js'
import { createAnswerText } from './answer-text.js'
import type { Conversations, TurnPlace } from './conversations.js'
import { createTurnView } from './turn-view.js'

/** How long a run that nobody listens to any more may take to stop, in milliseconds. */
const cancelWithinMs = 15_000

/** The agents of the users, for other parts of the service. */
export function createAgents(dependencies: {
  readonly database: Database
  readonly sharedAgents: SharedAgents
  readonly conversations: Conversations
  readonly posting: Posting
  readonly clock: Clock
  readonly runs: RunManager
  readonly parts: Pick<ChatParts, 'erase'>
  readonly watchers: RunWatchers
  readonly logger: Logger
}): Agents {
  const { database, clock, sharedAgents, conversations, posting, runs, parts, watchers, logger } = dependencies
  const agents = database.collection(agentCollection)
  const storedRuns = database.collection(runCollection)

  const agentNamed = async (userId: string, handle: string): Promise<Agent> => {
    await sharedAgents.ensure(userId)
    const agent = await agents.find('by_handle', [userId, handle])
    if (!agent?.enabled) throw agentUnknownError.create({ handle })
    return agent
  }

  /** Stores the message. A chat that was made for a message that cannot be stored goes again. */
  const post = async (userId: string, place: TurnPlace): Promise<Run> => {
    const { chatId, content, replaces, fresh } = place
    try {
      return (await posting.post({ userId, chatId, content, ...(replaces === undefined ? {} : { replaces }) })).run
    } catch (error) {
      if (fresh) await deleteChat({ database, runs, clock, parts }, { chatId, userId, signal: AbortSignal.timeout(cancelWithinMs) })
      throw error
    }
  }

  /** Ends a run to which nobody listens any more; one that waits for a person stays. */
  const leave = async (runId: string): Promise<void> => {
    const run = await storedRuns.get(runId)
    if (!run || isFinished(run) || run.status === 'waiting') return
    await runs.cancel(runId, { signal: AbortSignal.timeout(cancelWithinMs) })
  }

  const questionsOf = async (run: Run): Promise<readonly ConversationQuestion[]> => {
    const approvals = await Promise.all(run.asking.map((id) => database.collection(approvalCollection).get(id)))
    return approvals.flatMap((approval) =>
      approval?.status === 'pending' ? [{ callId: approval.id, kind: approval.kind, text: approval.purpose }] : [],
    )
  }

  async function* follow(
    agent: Agent,
    request: ConverseRequest,
    place: TurnPlace,
    { watch, runId, signal }: { readonly watch: Watch; readonly runId: string; readonly signal: AbortSignal },
  ): AsyncGenerator<ConversationEvent, void, undefined> {
    const answer = createAnswerText()
    const view = createTurnView()

    const remember = async (): Promise<void> => {
      const chat = await database.collection(chatCollection).get(place.chatId)
      if (!chat) return
      const { branchId, sequence } = view.end() ?? { branchId: chat.branch_id, sequence: chat.message_count }
      await conversations.remember(agent, place, { text: answer.text(), branchId, sequence, as: request.as })
    }
    const finished = (
      rest: Pick<Extract<ConversationEvent, { type: 'finished' }>, 'usage' | 'stopReason' | 'waiting'>,
    ): ConversationEvent => ({
      ...{ type: 'finished', text: answer.text(), reasoning: answer.reasoning() },
      ...rest,
    })

    for (;;) {
      const event = await watch.next(signal)
      if (event === 'ended') {
        yield {
          type: 'failed',
          code: 'run_interrupted',
          message: 'The service is stopping. The answer goes on in its chat once it is back.',
        }
        return
      }
      if (event.runId !== runId) continue
      view.take(event)
      yield* answer.take(event)
      const call = view.callIn(event)
      if (call) yield call
      if (event.name === 'run.waiting') {
        const run = await storedRuns.get(runId)
        const waiting = run ? await questionsOf(run) : []
        // Somebody has answered already: it goes on.
        if (run?.status !== 'waiting' || waiting.length === 0) continue
        yield* answer.add(waitingText(waiting))
        await remember()
        yield finished({ usage: run.usage, stopReason: 'stop', waiting })
        return
      }
      if (event.name === 'run.completed') {
        await remember()
        yield finished({ usage: view.usage() ?? noUsage, stopReason: view.stopReason(), waiting: [] })
        return
      }
      if (event.name === 'run.failed' || event.name === 'run.cancelled') {
        if (answer.text() !== '') await remember()
        yield { type: 'failed', ...view.failure(event) }
        return
      }
    }
  }

  return {
    async list(userId) {
      await sharedAgents.ensure(userId)
      const page = await agents.query({ index: 'by_user', equals: [userId], limit: 200 })
      return page.items.filter(({ enabled }) => enabled).map(summaryOf)
    },

    async *converse(request, { signal }) {
      const agent = await agentNamed(request.userId, request.agent)
      const place = await conversations.open(agent, request, signal)
      const watch = watchers.watch(place.chatId, request.restarts ? { restarts: request.restarts } : {})
      let runId: string | undefined
      let over = false
      try {
        const run = await post(request.userId, place).finally(place.release)
        runId = run.id
        void runs.ended(run.id).then(watch.end)
        yield { type: 'run', runId: run.id, chatId: place.chatId }
        for await (const event of follow(agent, request, place, { watch, runId: run.id, signal })) {
          over = event.type === 'finished' || event.type === 'failed'
          yield event
        }
      } finally {
        watch.close()
        if (runId !== undefined && !over)
          leave(runId).catch((error: unknown) =>
            logger.warn('A run to which nobody listens any more could not be ended.', { run_id: runId, error }),
          )
      }
    },
  }
}

const summaryOf = ({ id, handle, name, description, created_at }: Agent): AgentSummary => ({
  id,
  handle,
  name,
  description,
  createdAt: created_at,
})

/** What the answer says of a run that waits for a person. */
function waitingText(questions: readonly ConversationQuestion[]): string {
  const lines = questions.map(({ kind, text }) =>
    kind === 'question' ? `I have a question: ${text}` : `I need your approval before I go on: ${text}`,
  )
  const how = questions.every(({ kind }) => kind === 'question')
    ? 'Answer in the chat of this conversation in the console, or simply here.'
    : 'Approve or deny it in the chat of this conversation in the console. If you write here instead, it is not done, and I go on with what you write.'
  return `${lines.join('\n')}\n\n${how}`
}
