import { ServiceError } from '@agent-service/sdk'
import { type Run, runKeyReusedError, type StartRunRequest } from '@agent-service/sdk/services/runs'
import { maxStartAttempts } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { conversationCollection, conversationKind, isForOwner } from '../store/conversation.js'
import { type InboxMessage, type InboxOrder, inboxCollection } from '../store/inbox.js'
import { isOwnerOf } from '../store/sender.js'
import { newestRun } from './chat-run.js'
import { messageContent } from './message-content.js'
import { guestsOf, type Place } from './message-place.js'
import type { ProcessDependencies } from './process-dependencies.js'
import { settle } from './settle.js'

/** What a message becomes. Another agent, or others who write or read, begin another chat. */
export function orderOf(place: Place, message: InboxMessage): InboxOrder {
  const { connection, conversation } = place
  const guests = guestsOf(place, message)
  const isSame = conversation.agent_id === connection.agent_id && isSameList(conversation.guest_tools, guests?.tools ?? null)
  const who = message.conversation.title ?? message.sender.name
  const title = who === '' ? connection.form.title : `${connection.form.title}: ${who}`
  return {
    ...{ key: `channel/${message.id}`, agent_id: connection.agent_id, title: title.slice(0, 300) },
    guests,
    chat_id: isSame ? conversation.chat_id : null,
  }
}

const isSameList = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one && [...one].sort()) === JSON.stringify(other && [...other].sort())

/** Gives a message to the agent. */
export async function startRun(dependencies: ProcessDependencies, place: Place, message: InboxMessage, signal: AbortSignal): Promise<void> {
  const { parts, typing, session } = dependencies
  const { connection, conversation, sender } = place
  const order = message.run
  const isOwner = isOwnerOf(sender)
  if (order === null) throw new Error(`The message ${message.id} has no order.`)
  try {
    const content = await messageContent(parts, {
      ...{ message, userId: conversation.user_id, isOwner },
      ...{ session: session(connection.id), signal },
    })
    const request: StartRunRequest = {
      ...{ userId: conversation.user_id, key: order.key, message: content.message, ifBusy: 'join' },
      ...(content.attachments.length > 0 && { attachments: content.attachments }),
      ...(order.agent_id !== null && { agent: { id: order.agent_id } }),
      chat: order.chat_id === null ? { title: order.title, ...(order.guests && { guests: order.guests }) } : { id: order.chat_id },
      reportsTo: { kind: conversationKind, id: conversation.id },
      answerFor: 'report',
    }
    // Before the run, so that its end finds the conversation.
    await parts.database.transaction(async (transaction) => {
      const stored = await transaction.get(conversationCollection, conversation.id)
      if (!stored || (isOwner && !stored.owner_wrote))
        transaction.put(conversationCollection, { ...(stored ?? conversation), owner_wrote: isOwner })
    })
    const run = await startOnce(parts, request, signal)
    parts.metrics.started(parts.clock.now() - Date.parse(message.received_at))
    typing.begin({ connectionId: connection.id, conversation, userId: conversation.user_id, runId: run.id })
    await settle(dependencies, message, {
      ...{ outcome: 'run', connection },
      change: (current) => ({
        ...current,
        ...{
          chat_id: run.chatId,
          agent_id: order.agent_id,
          guest_tools: order.guests?.tools ?? null,
          run_id: run.id,
          reply_to: message.vendor_id,
        },
      }),
      conversation,
    })
  } catch (error) {
    signal.throwIfAborted()
    await onStartFailed(dependencies, place, { message, order, error })
  }
}

/**
 * The run of a request. Where its key has started one with other contents, since a file could not be
 * loaded before a crash or after it, that one is it.
 */
async function startOnce({ runs }: ChannelParts, request: StartRunRequest, signal: AbortSignal): Promise<Run> {
  try {
    return (await runs.start(request, { signal })).run
  } catch (error) {
    if (!runKeyReusedError.isInstance(error) || request.reportsTo === undefined) throw error
    const run = await newestRun(runs, { userId: request.userId, reportsTo: request.reportsTo })
    if (!run) throw error
    return run
  }
}

/** What another attempt may mend is tried again after a while; the rest is said to the person. */
async function onStartFailed(
  dependencies: ProcessDependencies,
  { connection, conversation, sender }: Place,
  { message, order, error }: { readonly message: InboxMessage; readonly order: InboxOrder; readonly error: unknown },
): Promise<void> {
  const isOwner = isOwnerOf(sender)
  const { parts } = dependencies
  const attempts = message.attempts + 1
  const status = ServiceError.isInstance(error) ? error.status : 500
  parts.log.warn('A message of a channel could not be given to its agent.', { connection: connection.id, attempts, error })
  const isChatGone = ServiceError.isInstance(error) && error.code === 'not_found' && order.chat_id !== null
  const isLater = isChatGone || status === 409 || status === 429 || status >= 500
  if (!isLater || attempts >= maxStartAttempts) {
    const isTold = ServiceError.isInstance(error) && error.status < 500 && isForOwner({ ...conversation, owner_wrote: isOwner })
    const reason = isTold ? ` ${error.message}` : ''
    return settle(dependencies, message, {
      outcome: 'refused',
      connection,
      conversation,
      notice: `Your message could not be given to the agent.${reason}`,
    })
  }
  await parts.database.transaction(async (transaction) => {
    const stored = await transaction.get(inboxCollection, message.id)
    if (stored?.line == null) return
    const run = isChatGone ? { ...order, chat_id: null, key: `${order.key}/${attempts}` } : order
    const delayMs = isChatGone ? 0 : Math.min(60_000, 500 * 2 ** attempts)
    transaction.put(inboxCollection, { ...stored, run, attempts, not_before: parts.clock.now() + delayMs })
  })
}
