import { ServiceError } from '@agent-service/sdk'
import type { RunAnswer } from '@agent-service/sdk/services/runs'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { Connection } from '../store/connection.js'
import type { AskedQuestion, Conversation } from '../store/conversation.js'
import { type InboxAnswer, type InboxMessage, inboxCollection } from '../store/inbox.js'
import { isOwnerOf, type Sender } from '../store/sender.js'
import { openQuestion } from './open-question.js'
import type { Settlement } from './settlement.js'

const yes = /^(?:yes|y|ok|ja|j)[.!]?$/i
const no = /^(?:no|n|nein)[.!]?$/i
const always = /^(?:always|immer)(?:\s+(\d))?[.!]?$/i
const maxAnswer = 20_000

/**
 * Takes a message as the answer to what a run asks in its conversation, where it is one: a button of the
 * question, or words without files where it is certain what they answer. Only the account's own person may answer; of anyone else a button does nothing,
 * and words go to the agent as any others. `undefined`: it is no answer.
 */
export async function answerQuestion(
  parts: ChannelParts,
  at: {
    readonly connection: Connection
    readonly conversation: Conversation
    readonly sender: Sender | undefined
    readonly message: InboxMessage
  },
): Promise<Settlement | undefined> {
  const { conversation, sender, message } = at
  if (message.answer != null) return give(parts, conversation, message.answer)
  const isOwner = isOwnerOf(sender)
  if (message.button !== null) {
    const [prefix, token = '', choice = ''] = message.button.split(':')
    if (prefix !== 'q') return undefined
    if (!isOwner) return { outcome: 'not_the_owner', conversation, notice: 'Only the owner of this account can decide that.' }
    const question = conversation.questions.find((each) => each.token === token)
    const answer = question && choiceOf(question, choice)
    if (!question || !answer) return { outcome: 'question_over', conversation, notice: 'This question is no longer open.' }
    return decide(parts, at, { run_id: question.run_id, call_id: question.call_id, answer })
  }
  // As a message to the run it withdraws the question, and its files reach the agent.
  if (message.files.length > 0) return undefined
  const question = isOwner ? await openQuestion(parts.database, conversation, message) : undefined
  if (!question) return undefined
  const text = message.text.trim()
  const answer = wordsOf(question, text)
  if (answer) return decide(parts, at, { run_id: question.run_id, call_id: question.call_id, answer })
  if (question.kind === 'question' || question.scopes.length === 0 || !always.test(text)) return undefined
  const words = question.scopes.map((_, index) => `“always ${index + 1}”`).join(' or ')
  return { outcome: 'answer_unclear', conversation, notice: `Say which: ${words}. The agent still waits for the answer.` }
}

const choiceOf = (question: AskedQuestion, choice: string): RunAnswer | undefined => {
  if (choice === 'n') return { decision: 'deny' }
  if (choice === 'y') return question.kind === 'approval' ? { decision: 'approve_once' } : undefined
  if (/^a\d$/.test(choice)) return allowed(question, choice.slice(1))
  const option = /^\d$/.test(choice) ? question.options[Number(choice)] : undefined
  return option === undefined ? undefined : { decision: 'answer', answer: option }
}

function wordsOf(question: AskedQuestion, text: string): RunAnswer | undefined {
  if (question.kind === 'question') return text === '' ? undefined : { decision: 'answer', answer: text.slice(0, maxAnswer) }
  if (yes.test(text)) return { decision: 'approve_once' }
  const [, number = question.scopes.length === 1 ? '1' : ''] = always.exec(text) ?? [undefined, '']
  return no.test(text) ? { decision: 'deny' } : allowed(question, number)
}

/** Allows what the question offers under this number, from now on. */
const allowed = ({ kind, scopes }: AskedQuestion, number: string): RunAnswer | undefined => {
  const scope = kind === 'approval' ? scopes[Number(number) - 1] : undefined
  return scope === undefined ? undefined : { decision: 'approve', scope }
}

/** Stores that the message is an answer before it is given, so that it never becomes a message to the agent. */
async function decide(
  parts: ChannelParts,
  { conversation, message }: { readonly conversation: Conversation; readonly message: InboxMessage },
  answer: InboxAnswer,
): Promise<Settlement> {
  await parts.database.transaction(async (transaction) => {
    const stored = await transaction.get(inboxCollection, message.id)
    if (stored?.line != null) transaction.put(inboxCollection, { ...stored, answer })
  })
  return give(parts, conversation, answer)
}

async function give(
  { runs, log }: ChannelParts,
  conversation: Conversation,
  { run_id: runId, call_id: callId, answer }: InboxAnswer,
): Promise<Settlement> {
  const change = (current: Conversation): Conversation => ({
    ...current,
    questions: current.questions.filter((each) => each.call_id !== callId),
  })
  try {
    await runs.answer({ userId: conversation.user_id, runId, callId, ...answer })
    return { outcome: 'answer', conversation, change }
  } catch (error) {
    // Another place was quicker, or it has expired.
    if (!ServiceError.isInstance(error) || error.status >= 500) throw error
    log.info('An answer from a channel came too late.', { run_id: runId, error })
    return { outcome: 'question_over', conversation, change, notice: 'This question is no longer open.' }
  }
}
