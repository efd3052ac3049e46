import type { JsonObject } from '@agent-service/sdk'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { RunEvent } from '@agent-service/sdk/services/runs'
import { hashOf } from '../common/ids.js'
import { textOf } from '../common/time.js'
import { lineOfConversation, questionDeliveries, questionEdit } from '../outbox/new-delivery.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { watchersOf } from '../sessions/save-state.js'
import type { Typing } from '../sessions/typing.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import {
  type AskedQuestion,
  type Conversation,
  conversationCollection,
  conversationKind,
  questionDeliveryId,
} from '../store/conversation.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import { senderCollection } from '../store/sender.js'
import { composeAnswer } from './compose-answer.js'
import { type MissedPlace, missedPlaces } from './missed-runs.js'
import { buttonsOf, isWhole, offeredScopes, outcomeOf, questionText } from './question-form.js'

/** The most questions that are open in one conversation. */
const maxQuestions = 20
/** The most messages that one question is shown in. */
const maxPieces = 20

export interface RunEventsDependencies {
  readonly parts: ChannelParts
  readonly typing: Pick<Typing, 'stop'>
  readonly onDelivery: (connectionId: string, line: string) => void
}

/**
 * Follows the runs of conversations, over restarts: their ends become deliveries, once, and what they
 * ask is asked in the channel.
 */
export const createRunSubscription = (dependencies: RunEventsDependencies): EventSubscription => ({
  id: 'conversation-runs',
  names: ['run.completed', 'run.failed', 'run.cancelled', 'approval.requested', 'approval.resolved'],
  timeoutSeconds: 60,
  maxAttempts: 50,
  async handle(event, { signal }) {
    if (event.kind === 'gap') {
      dependencies.parts.log.warn('Ends of runs of channels were missed; they are looked up.', { lost: event.lost })
      for await (const at of missedPlaces(dependencies.parts, event, signal)) await catchUp(dependencies, at, signal)
      return
    }
    const { database } = dependencies.parts
    const { run_id: runId, reports_to: reportsTo, approval } = event.data
    const { kind, id } = (reportsTo ?? {}) as { readonly kind?: unknown; readonly id?: unknown }
    if (kind !== conversationKind || typeof id !== 'string' || typeof runId !== 'string') return
    const conversation = await database.collection(conversationCollection).get(id)
    const connection = conversation && (await database.collection(connectionCollection).get(conversation.connection_id))
    if (!connection || conversation.user_id !== event.userId) return
    const at = { connection, conversation, runId }
    if (event.name === 'approval.requested') return ask(dependencies, at, approval as JsonObject)
    if (event.name === 'approval.resolved') return forgetQuestion(dependencies, at, approval as JsonObject)
    await onEnd(dependencies, at, signal)
  },
})

/** Does what the events of a run would have led to. Nothing that was done is done again. */
async function catchUp(dependencies: RunEventsDependencies, { run, ...at }: MissedPlace, signal: AbortSignal): Promise<void> {
  if (run.finishedAt !== null) return onEnd(dependencies, at, signal)
  const open = new Set(run.questions.map(({ callId }) => callId))
  for (const { run_id: runId, call_id: callId } of at.conversation.questions)
    if (runId === run.id && !open.has(callId)) await forgetQuestion(dependencies, at, { call_id: callId })
  for (const { callId, kind, text, options, scopes } of run.questions) {
    const asked = { call_id: callId, kind, text, options: [...options], scopes: scopes.map(({ key, label }) => ({ key, label })) }
    await ask(dependencies, at, asked)
  }
}

interface Place {
  readonly connection: Connection
  readonly conversation: Conversation
  readonly runId: string
}

async function onEnd(
  { parts, typing, onDelivery }: RunEventsDependencies,
  { connection, conversation, runId }: Place,
  signal: AbortSignal,
): Promise<void> {
  const { database } = parts
  typing.stop(conversation.id)
  if (await database.collection(deliveryCollection).get(`${runId}.0`)) return
  const ended = await endOf(parts, { userId: conversation.user_id, runId, signal })
  const deliveries = ended === undefined ? [] : await composeAnswer(parts, { connection, conversation, ended, signal })
  await database.transaction(async (transaction) => {
    const current = await transaction.get(conversationCollection, conversation.id)
    if (current?.questions.some((each) => each.run_id === runId))
      transaction.put(conversationCollection, { ...current, questions: current.questions.filter((each) => each.run_id !== runId) })
    const [first] = deliveries
    if (!first || !(await transaction.get(connectionCollection, connection.id)) || (await transaction.get(deliveryCollection, first.id)))
      return
    for (const delivery of deliveries) transaction.insert(deliveryCollection, delivery)
  })
  onDelivery(connection.id, lineOfConversation(connection.id, conversation.conversation_id))
}

/** The last event of a run that has ended; `undefined` if its chat was deleted. */
async function endOf(
  { runs }: ChannelParts,
  { userId, runId, signal }: { readonly userId: string; readonly runId: string; readonly signal: AbortSignal },
): Promise<Extract<RunEvent, { readonly type: 'finished' }> | undefined> {
  try {
    for await (const event of runs.watch({ userId, runId }, { signal })) if (event.type === 'finished') return event
  } catch (error) {
    signal.throwIfAborted()
    if ((error as { readonly code?: unknown }).code === 'not_found') return undefined
    throw error
  }
  throw new Error(`The stream of the run ${runId} ended without its end.`)
}

async function ask(
  { parts, onDelivery }: RunEventsDependencies,
  { connection, conversation, runId }: Place,
  approval: JsonObject,
): Promise<void> {
  const { database, clock, events } = parts
  const { call_id: callId, kind, options } = approval
  const scopes = offeredScopes(approval['scopes'])
  if (typeof callId !== 'string' || (kind !== 'approval' && kind !== 'question')) return
  const question: Omit<AskedQuestion, 'shown'> = {
    ...{ token: tokenOf(callId), run_id: runId, call_id: callId, kind },
    options: Array.isArray(options) ? options.filter((each) => typeof each === 'string').slice(0, 10) : [],
    scopes: scopes.map(({ key }) => key),
  }
  const canAnswer = await hasOwner(parts, connection, conversation)
  const watchers = await watchersOf(parts, conversation.user_id)
  const deliveries = await database.transaction(async (transaction): Promise<readonly Delivery[]> => {
    const current = await transaction.get(conversationCollection, conversation.id)
    const id = questionDeliveryId(question)
    if (!current || current.questions.some((each) => each.call_id === callId) || (await transaction.get(deliveryCollection, id))) return []
    const given = { id, runId, conversationId: current.conversation_id, userId: current.user_id, now: clock.now() }
    const text = typeof approval['text'] === 'string' ? approval['text'] : ''
    const whole = questionDeliveries(connection, {
      ...given,
      text: questionText({ kind, options: question.options, scopes }, text, connection),
      buttons: connection.form.buttons ? buttonsOf(question) : [],
    })
    const isShown = canAnswer && text !== '' && isWhole(text) && whole.length <= maxPieces
    const asked = isShown ? whole : questionDeliveries(connection, { ...given, text: canAnswer ? notWhole : askedElsewhere, buttons: [] })
    transaction.put(conversationCollection, {
      ...current,
      questions: [...current.questions, { ...question, shown: isShown }].slice(-maxQuestions),
      changed_at: textOf(clock.now()),
    })
    for (const each of asked) transaction.insert(deliveryCollection, each)
    for (const userId of watchers)
      events.record(transaction, { userId, name: 'channel.updated', data: { connection_id: connection.id, change: 'delivery' } })
    return asked
  })
  const [delivery] = deliveries
  if (delivery?.line != null) onDelivery(connection.id, delivery.line)
}

const notWhole = 'The agent asks for a decision, and not all that it asks can be shown here. Decide in the service.'
const askedElsewhere = 'I have to ask the owner of this account something first. They find it in the service.'

/** Whether the account's own person is known in the channel, so that they can answer where it is asked. */
async function hasOwner({ database }: ChannelParts, connection: Connection, conversation: Conversation): Promise<boolean> {
  const current = await database.collection(conversationCollection).get(conversation.id)
  let cursor: string | undefined
  do {
    const page = await database
      .collection(senderCollection)
      .query({ index: 'by_connection', equals: [connection.id, 'approved'], limit: 200, ...(cursor !== undefined && { cursor }) })
    const isHere = page.items.some(
      ({ role, user_id: userId, conversation_id: where }) =>
        role === 'owner' &&
        (userId ?? connection.user_id) === conversation.user_id &&
        (conversation.kind === 'group' || where === conversation.conversation_id || (where === null && current?.owner_wrote === true)),
    )
    if (isHere) return true
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return false
}

/** A question is over: nothing answers it any more, and where the channel can do so its buttons go. */
async function forgetQuestion(
  { parts: { database, clock }, onDelivery }: RunEventsDependencies,
  { connection, conversation }: Place,
  approval: JsonObject,
): Promise<void> {
  const { call_id: callId } = approval
  if (typeof callId !== 'string') return
  const outcome = outcomeOf(approval, connection)
  const edit = await database.transaction(async (transaction): Promise<Delivery | undefined> => {
    const current = await transaction.get(conversationCollection, conversation.id)
    if (current?.questions.some((each) => each.call_id === callId))
      transaction.put(conversationCollection, { ...current, questions: current.questions.filter((each) => each.call_id !== callId) })
    const asked = await transaction.get(deliveryCollection, questionDeliveryId({ token: tokenOf(callId) }))
    if (!connection.form.edits || !asked || asked.buttons.length === 0 || asked.connection_id !== connection.id) return undefined
    const made = questionEdit(connection, asked, { outcome, now: clock.now() })
    if (await transaction.get(deliveryCollection, made.id)) return undefined
    transaction.insert(deliveryCollection, made)
    return made
  })
  if (edit?.line != null) onDelivery(connection.id, edit.line)
}

const tokenOf = (callId: string): string => hashOf(callId).slice(0, 16)
