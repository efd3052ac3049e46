import type { Transaction } from '@agent-service/sdk/services/database'
import { pairingCode } from '../common/ids.js'
import { codeLifeMs } from '../common/limits.js'
import { textOf } from '../common/time.js'
import { noticeOf } from '../outbox/new-delivery.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import type { Connection } from '../store/connection.js'
import { deliveryCollection } from '../store/delivery.js'
import { type Sender, senderCollection } from '../store/sender.js'

/** Who asks to be let in, and where. */
export interface PairingRequest {
  readonly connection: Connection
  /** Of the connection and the sender together. */
  readonly id: string
  readonly sender: { readonly id: string; readonly name: string }
  readonly conversationId: string
  /** Of what they were asked before. */
  readonly before: Sender | undefined
}

/**
 * Stores that a person asks to be let in, and shows them a code. Once for each life of a code: what they
 * write meanwhile is answered by nothing.
 */
export async function askToPair(
  parts: ChannelParts,
  transaction: Transaction,
  { connection, id, sender, conversationId, before }: PairingRequest,
): Promise<Sender> {
  const { clock, events, notifications } = parts
  const now = textOf(clock.now())
  const code = pairingCode()
  const asking: Sender = {
    ...{ id, connection_id: connection.id, user_id: connection.user_id, sender_id: sender.id, name: sender.name },
    ...{ state: 'pending', role: 'guest', code, code_expires_at: textOf(clock.now() + codeLifeMs), conversation_id: conversationId },
    ...{ held: before?.held ?? 0, created_at: before?.created_at ?? now, changed_at: now },
  }
  transaction.put(senderCollection, asking)
  transaction.insert(
    deliveryCollection,
    noticeOf(connection, { conversationId, userId: connection.user_id, text: pairingText(connection, code), now: clock.now() }),
  )
  if (connection.user_id === null) return asking
  events.record(transaction, {
    ...{ userId: connection.user_id, name: 'channel.updated' },
    data: { connection_id: connection.id, change: 'pairing' },
  })
  await notifications?.send(
    {
      ...{ to: { userId: connection.user_id }, kind: 'channel.pairing', key: `${id}.${code}` },
      ...{ title: `${sender.name || sender.id} wants to write to your agent`.slice(0, 200), link: `/channels/${connection.id}` },
      text: `Over ${connection.title}, with the code ${code}. Let them in only if they told you this code.`,
      about: { connection_id: connection.id, pairing_id: id },
    },
    { transaction },
  )
  return asking
}

const pairingText = ({ user_id: userId }: Connection, code: string): string =>
  userId === null
    ? `I do not know you yet. Your code is ${code}. Sign in to the service, open its page for channels and enter the code within an hour. Give it to no one.`
    : `I do not know you yet. Your code is ${code}. Tell it to the owner of this account, who can let you in. It is valid for an hour.`
