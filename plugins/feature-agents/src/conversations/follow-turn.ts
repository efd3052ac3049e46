import type { ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ConversationEvent, ConversationQuestion, ConverseRequest } from '@agent-service/sdk/services/agents'
import type { Database } from '@agent-service/sdk/services/database'
import { type Run, type RunEvent, type RunFailure, type Runs, runWatchInterruptedError } from '@agent-service/sdk/services/runs'
import type { Agent } from '../store/agents/agent.js'
import { chatCollection } from '../store/chats/chat.js'
import { messageCollection } from '../store/chats/message.js'
import type { Conversations, TurnDestination } from './conversations.js'
import { createTurnText, type TurnText } from './turn-text.js'

/** The dependencies for following a turn. */
export interface FollowDependencies {
  readonly database: Database
  readonly conversations: Pick<Conversations, 'remember'>
  readonly runs: Pick<Runs, 'watch' | 'get'>
}

/** A turn that has begun. */
export interface BegunTurn {
  readonly agent: Agent
  readonly request: ConverseRequest
  readonly place: Pick<TurnDestination, 'chatId' | 'key' | 'instructions'>
  readonly runId: string
  /**
   * The earlier text of its run and the cursor of its last event, if the turn went to a waiting
   * run.
   */
  readonly before: { readonly text: string; readonly reasoning: string; readonly cursor: string | undefined }
}

/** What the turn says of a model that answered in place of another. */
type Fallback = Pick<Extract<ConversationEvent, { readonly type: 'finished' }>, 'fallback'>

/** A run as one turn of a conversation. The last event is `finished` or `failed`. */
export async function* followTurn(
  dependencies: FollowDependencies,
  turn: BegunTurn,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, void, undefined> {
  const { runs } = dependencies
  const { request, runId, before } = turn
  const text = createTurnText(before)
  const after = before.cursor === undefined ? {} : { after: before.cursor }
  const messageIds: string[] = []
  let fallback: Fallback = {}
  try {
    for await (const event of runs.watch({ userId: request.userId, runId, ...after }, { signal })) {
      yield* text.take(event)
      if (event.type === 'message') {
        messageIds.push(event.messageId)
        if (event.fallback) fallback = { fallback: event.fallback }
      }
      const call = callIn(event)
      if (call) yield call
      if (event.type === 'retrying') yield event
      const waiting = await waitingIn(runs, turn, event)
      if (waiting) {
        yield* text.add(waitingText(waiting.questions))
        await remember(dependencies, turn, text, messageIds.at(-1))
        const pictures = await picturesIn(dependencies, messageIds)
        const questions = waiting.questions.map(questionOf)
        yield { type: 'finished', ...text.texts(), usage: waiting.usage, stopReason: 'stop', waiting: questions, ...pictures, ...fallback }
        return
      }
      if (event.type !== 'finished') continue
      const { run, stopReason } = event
      if (run.status === 'completed' || text.texts().text !== '') await remember(dependencies, turn, text, messageIds.at(-1))
      if (run.status === 'completed') {
        const pictures = await picturesIn(dependencies, messageIds)
        yield { type: 'finished', ...text.texts(), usage: run.usage, stopReason, waiting: [], ...pictures, ...fallback }
      } else yield { type: 'failed', ...failureOf(run) }
      return
    }
  } catch (error) {
    if (!runWatchInterruptedError.isInstance(error)) throw error
    yield {
      type: 'failed',
      code: 'run_interrupted',
      message: 'The service is stopping. The answer continues in its chat when the service is back.',
    }
  }
}

/** The run, if it waits for a person now. A run that was answered meanwhile continues. */
async function waitingIn(runs: FollowDependencies['runs'], { request, runId }: BegunTurn, event: RunEvent): Promise<Run | undefined> {
  if (event.type !== 'waiting' && !(event.type === 'state' && event.run.status === 'waiting')) return undefined
  const run = await runs.get({ userId: request.userId, runId })
  return run.status === 'waiting' && run.questions.length > 0 ? run : undefined
}

/** Remembers the end of the turn for the next one. */
async function remember(
  { database, conversations }: FollowDependencies,
  { agent, place, request }: BegunTurn,
  text: TurnText,
  messageId: string | undefined,
): Promise<void> {
  const chat = await database.collection(chatCollection).get(place.chatId)
  if (!chat) return
  const last = messageId === undefined ? undefined : await database.collection(messageCollection).get(messageId)
  const end = last ? { branchId: last.branch_id, sequence: last.sequence + 1 } : { branchId: chat.branch_id, sequence: chat.message_count }
  await conversations.remember(agent, place, { text: text.texts().text, ...end, as: request.as })
}

/** The pictures of answers; nothing if there are none. */
async function picturesIn(
  { database }: Pick<FollowDependencies, 'database'>,
  messageIds: readonly string[],
): Promise<{ readonly pictures?: readonly ImagePart[] }> {
  const messages = await Promise.all(messageIds.map((id) => database.collection(messageCollection).get(id)))
  const pictures = messages.flatMap((message) =>
    (message?.content ?? []).flatMap((part): readonly ImagePart[] => {
      if (part.type !== 'image') return []
      const { opaque: _, ...picture } = part
      return [picture]
    }),
  )
  return pictures.length === 0 ? {} : { pictures }
}

function callIn(event: RunEvent): Extract<ConversationEvent, { readonly type: 'tool' }> | undefined {
  if (event.type === 'tool.finished') return { type: 'tool', state: 'finished', callId: event.callId, name: event.name }
  if (event.type !== 'tool.started') return undefined
  const { callId, name, purpose } = event
  return { type: 'tool', state: 'started', callId, name, ...(purpose === undefined ? {} : { purpose }) }
}

const questionOf = ({ callId, kind, text }: Run['questions'][number]): ConversationQuestion => ({ callId, kind, text })

function failureOf({ status, failure }: Run): RunFailure {
  if (status === 'cancelled') return { code: 'run_cancelled', message: 'The run was cancelled.' }
  return failure ?? { code: 'internal_error', message: 'The run failed.' }
}

/** The text that an answer adds for a run that waits for a person. */
function waitingText(questions: Run['questions']): string {
  const lines = questions.map(({ kind, text }) =>
    kind === 'question' ? `I have a question: ${text}` : `I need your approval before I go on: ${text}`,
  )
  const how = questions.every(({ kind }) => kind === 'question')
    ? 'Answer in the chat of this conversation in the console, or simply here.'
    : 'Approve or deny it in the chat of this conversation in the console. If you write here instead, it is not done, and I go on with what you write.'
  return `${lines.join('\n')}\n\n${how}`
}
