import type { Database } from '@agent-service/sdk/services/database'
import { type AskedQuestion, type Conversation, questionDeliveryId } from '../store/conversation.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import type { InboxMessage } from '../store/inbox.js'

/**
 * The question that words of its owner can answer: the one that the message replies to, else the only
 * one that is open, if it was shown whole before the message came. A reply to what was sent before
 * the question, such as one that is over, answers nothing.
 */
export async function openQuestion(
  database: Pick<Database, 'collection'>,
  { questions }: Pick<Conversation, 'questions'>,
  message: Pick<InboxMessage, 'reply_to' | 'received_at'>,
): Promise<AskedQuestion | undefined> {
  const shown: { readonly question: AskedQuestion; readonly delivery: Delivery }[] = []
  for (const question of questions) {
    if (!question.shown) continue
    const delivery = await database.collection(deliveryCollection).get(questionDeliveryId(question))
    if (delivery?.state === 'sent' && delivery.settled_at !== null && delivery.settled_at <= message.received_at)
      shown.push({ question, delivery })
  }
  const { reply_to: replyTo } = message
  const named = replyTo === null ? undefined : shown.find(({ delivery }) => delivery.vendor_id === replyTo)
  if (named) return named.question
  const [only] = questions.length === 1 ? shown : []
  return only && (replyTo === null || !(await wasBefore(database, only.delivery, replyTo))) ? only.question : undefined
}

/** How many messages before a question are looked at. */
const lookedAt = 200

/**
 * Whether a message was sent before a question, and is no piece of it. That an id is unknown says
 * nothing: servers of mail replace them.
 */
async function wasBefore(database: Pick<Database, 'collection'>, question: Delivery, vendorId: string): Promise<boolean> {
  const place = { index: 'by_connection', equals: [question.connection_id], order: 'descending' } as const
  const { items } = await database.collection(deliveryCollection).query({ ...place, to: question.order, limit: lookedAt })
  return items.some(({ id, vendor_id: of }) => of === vendorId && !id.startsWith(question.id))
}
