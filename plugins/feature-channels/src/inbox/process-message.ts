import { fileWaitMs, maxFileWaitMs } from '../common/limits.js'
import { conversationCollection } from '../store/conversation.js'
import { type InboxMessage, inboxCollection } from '../store/inbox.js'
import { firstOf } from '../store/lines.js'
import { isOwnerOf } from '../store/sender.js'
import { answerQuestion } from './answer-question.js'
import { commandOf } from './commands.js'
import { beat } from './loop-breaker.js'
import { needsSession } from './message-content.js'
import { type Place, placeOf } from './message-place.js'
import { obey } from './obey.js'
import type { ProcessDependencies } from './process-dependencies.js'
import { settle } from './settle.js'
import type { Settlement } from './settlement.js'
import { orderOf, startRun } from './start-run.js'
import { waits } from './waits.js'

/** Works a line of received messages off, in its order. Returns when it has to be looked at again, in milliseconds. */
export async function drainInbox(dependencies: ProcessDependencies, line: string, signal: AbortSignal): Promise<number | undefined> {
  const { parts } = dependencies
  for (;;) {
    signal.throwIfAborted()
    const message = await firstOf(parts.database, inboxCollection, line)
    if (!message) return undefined
    const waitMs = message.not_before - parts.clock.now()
    if (waitMs > 0) return waitMs
    const laterMs = await processMessage(dependencies, message, signal)
    if (laterMs !== undefined) return laterMs
  }
}

/** Returns when the message has to be looked at again, in milliseconds; `undefined`: nothing is waited for. */
async function processMessage(dependencies: ProcessDependencies, message: InboxMessage, signal: AbortSignal): Promise<number | undefined> {
  const { parts } = dependencies
  const place = await placeOf(parts, message)
  if (typeof place === 'string') {
    await settle(dependencies, message, { outcome: place })
    return undefined
  }
  const isWaiting = needsSession(message, isOwnerOf(place.sender)) && !dependencies.session(place.connection.id)
  if (isWaiting && parts.clock.now() - Date.parse(message.received_at) < maxFileWaitMs) return fileWaitMs
  await take(dependencies, place, message, signal)
  return undefined
}

/** Does what a message asks for. */
async function take(dependencies: ProcessDependencies, place: Place, message: InboxMessage, signal: AbortSignal): Promise<void> {
  const { parts } = dependencies
  const { connection, conversation, sender } = place
  if (message.run === null) {
    const paced = beat(conversation, { bot: message.sender.bot, now: parts.clock.now() })
    const settleCounted = ({ change = (current) => current, ...settlement }: Settlement): Promise<void> =>
      settle(dependencies, message, {
        ...{ connection, ...settlement },
        change(current) {
          const { recent, paused_until } = paced.conversation
          return { ...change(current), recent, paused_until }
        },
      })
    const isOwner = isOwnerOf(sender) && !message.sender.bot
    // A command is never an answer, except as the label of a button.
    const command = message.button === null ? commandOf(message.text) : undefined
    // In a conversation that is left alone the owner can still decide, and stop what is at work.
    const isHeard = paced.outcome === 'go' || isOwner
    const answered = isHeard && command === undefined ? await answerQuestion(parts, { ...place, message }) : undefined
    if (answered) return settleCounted(answered)
    if (command && (paced.outcome === 'go' || (isOwner && command === 'stop')))
      return settleCounted(await obey(parts, conversation, command, signal))
    if (paced.outcome !== 'go') {
      const notice = paced.outcome === 'pause' && !message.sender.bot ? 'That is too much at once. I go on in a few minutes.' : undefined
      return settleCounted({ outcome: 'loop', conversation, ...(notice !== undefined && { notice }) })
    }
    // Decided once: a start that is repeated after a crash is the same request.
    const run = orderOf(place, message)
    const decided = await parts.database.transaction(async (transaction) => {
      const stored = await transaction.get(inboxCollection, message.id)
      if (stored?.line == null) return undefined
      transaction.put(conversationCollection, paced.conversation)
      const next = { ...stored, run }
      transaction.put(inboxCollection, next)
      return next
    })
    const now = { connection, conversation: paced.conversation, sender }
    if (decided && !(await waits(dependencies, now, decided))) await startRun(dependencies, now, decided, signal)
    return
  }
  // What was decided but never failed may have begun before a crash: then its start only says so again.
  if (message.attempts === 0 || !(await waits(dependencies, place, message))) await startRun(dependencies, place, message, signal)
}
