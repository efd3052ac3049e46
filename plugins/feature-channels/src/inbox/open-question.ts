import type { Database } from '@agent-service/sdk/services/database'
import { type AskedQuestion, type Conversation, questionDeliveryId } from '../store/conversation.js'
import { deliveryCollection } from '../store/delivery.js'
import type { InboxMessage } from '../store/inbox.js'

/**
 * The question that words of its owner can answer: the one that the message replies to, else the only
 * one that is open, if it was shown whole before the message came.
 */
export async function openQuestion(
  database: Pick<Database, 'collection'>,
  { questions }: Pick<Conversation, 'questions'>,
  message: Pick<InboxMessage, 'reply_to' | 'received_at'>,
): Promise<AskedQuestion | undefined> {
  const shown: { readonly question: AskedQuestion; readonly vendorId: string | null }[] = []
  for (const question of questions) {
    if (!question.shown) continue
    const delivery = await database.collection(deliveryCollection).get(questionDeliveryId(question))
    if (delivery?.state === 'sent' && delivery.settled_at !== null && delivery.settled_at <= message.received_at)
      shown.push({ question, vendorId: delivery.vendor_id })
  }
  const named = message.reply_to === null ? undefined : shown.find(({ vendorId }) => vendorId === message.reply_to)
  return named?.question ?? (questions.length === 1 ? shown[0]?.question : undefined)
}
