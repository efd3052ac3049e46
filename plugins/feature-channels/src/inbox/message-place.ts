import type { GuestAccess } from '@agent-service/sdk/contracts/tool'
import { idOf } from '../common/ids.js'
import { textOf } from '../common/time.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { type Conversation, conversationCollection } from '../store/conversation.js'
import type { InboxMessage } from '../store/inbox.js'
import { isOwnerOf, type Sender, senderCollection } from '../store/sender.js'
import { admissionOf } from './admission.js'
import { accountOf } from './receive.js'

/** Whose message it is, and where it belongs. */
export interface Place {
  readonly connection: Connection
  readonly conversation: Conversation
  readonly sender: Sender | undefined
}

/** The place of a message, or why it has none any more. */
export async function placeOf({ database, clock, accounts }: ChannelParts, message: InboxMessage): Promise<Place | string> {
  const connection = await database.collection(connectionCollection).get(message.connection_id)
  if (!connection) return 'connection_deleted'
  const sender = await database.collection(senderCollection).get(idOf(connection.id, message.sender.id))
  // Access may have ended since it was received.
  if (admissionOf(connection, sender, message, clock.now()) !== 'accept') return 'not_allowed'
  const userId = accountOf(connection, sender)
  if (userId === null || !(await accounts.get(userId))) return 'no_account'
  const id = idOf(connection.id, message.conversation.id, userId)
  const known = await database.collection(conversationCollection).get(id)
  const now = textOf(clock.now())
  const conversation: Conversation = known ?? {
    ...{ id, connection_id: connection.id, user_id: userId, conversation_id: message.conversation.id, kind: message.conversation.kind },
    ...{ title: message.conversation.title, chat_id: null, agent_id: connection.agent_id, run_id: null, questions: [], reply_to: null },
    ...{ guest_tools: null, owner_wrote: false, recent: [], paused_until: 0, created_at: now, changed_at: now },
  }
  return { connection, sender, conversation }
}

/**
 * What a run for a message may use. Null: everything, since only the account's own person writes and
 * reads there. That is so in a direct conversation alone: in a group everyone reads the answers.
 */
export function guestsOf({ connection, conversation, sender }: Place, message: InboxMessage): GuestAccess | null {
  const isDirect = conversation.kind === 'direct' && message.conversation.kind === 'direct'
  return isDirect && isOwnerOf(sender) && !message.sender.bot ? null : { tools: connection.guest_tools }
}
