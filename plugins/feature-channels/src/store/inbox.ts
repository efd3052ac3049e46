import type { GuestAccess } from '@agent-service/sdk/contracts/tool'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { RunAnswer } from '@agent-service/sdk/services/runs'

/** A file that came with a message. */
export interface InboxFile {
  /** What the channel needs to download it; null: its content is in the user's files. */
  readonly id: string | null
  readonly path: string | null
  readonly name: string | null
  readonly media_type: string | null
  readonly size: number | null
}

/** What a message becomes, as it was decided when its turn came: a repeated start is the same request. */
export interface InboxOrder {
  readonly key: string
  readonly agent_id: string | null
  readonly chat_id: string | null
  /** Of a new chat; null: only the account's own person writes and reads there. */
  readonly guests: GuestAccess | null
  readonly title: string
}

/** The answer to a question that a message is. */
export interface InboxAnswer {
  readonly run_id: string
  readonly call_id: string
  readonly answer: RunAnswer
}

/** A message as it was received. */
export interface InboxMessage {
  /** Of the connection and the vendor's id together, so that each is there once. */
  readonly id: string
  readonly connection_id: string
  /** The connection's owner; of a shared one, the sender's account. */
  readonly user_id: string | null
  /** Its conversation at the vendor, of the connection together; null once it is settled. */
  readonly line: string | null
  /** Who waits to be let in, while it is held for them. */
  readonly held_for: string | null
  /** Grows with each message that comes. */
  readonly order: string
  readonly vendor_id: string
  readonly conversation: { readonly id: string; readonly kind: 'direct' | 'group'; readonly title: string | null }
  readonly sender: { readonly id: string; readonly name: string; readonly bot: boolean }
  readonly text: string
  readonly button: string | null
  /** The vendor's id of the message that it replies to. */
  readonly reply_to: string | null
  readonly mentioned: boolean
  readonly files: readonly InboxFile[]
  readonly attempts: number
  readonly not_before: number
  readonly run: InboxOrder | null
  /** What it answers, as it was decided when its turn came: it stays an answer over a crash. */
  readonly answer: InboxAnswer | null
  /** What became of it. */
  readonly outcome: string | null
  readonly received_at: string
  readonly settled_at: string | null
}

export const inboxCollection = defineCollection<InboxMessage>()({
  name: 'channels.inbox',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_line: { fields: ['line', 'order'] },
    by_held: { fields: ['held_for', 'order'] },
    by_connection: { fields: ['connection_id', 'order'] },
    by_settled: { fields: ['settled_at'] },
  },
  migrations: [
    // What was decided without them is decided again; what it has started is found by its key.
    { to: 2, description: 'Messages know what guests may use.', migrate: (message) => ({ ...message, run: null }) },
  ],
})

/** A settled message without what was said: it only stands for its id from now on. */
export const settled = (message: InboxMessage, outcome: string, now: string): InboxMessage => ({
  ...message,
  ...{ line: null, held_for: null, text: '', button: null, files: [], run: null, answer: null, outcome, settled_at: now },
  ...{ sender: { ...message.sender, name: '' }, conversation: { ...message.conversation, title: null } },
})

/** Messages of one conversation at a vendor wait behind each other. */
export const lineOf = (connectionId: string, conversation: string): string => `${connectionId}/${conversation}`
