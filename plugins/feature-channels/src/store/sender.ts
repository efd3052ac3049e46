import { defineCollection } from '@agent-service/sdk/services/database'

export const senderStates = ['pending', 'approved', 'denied'] as const
export type SenderState = (typeof senderStates)[number]

/** `owner`: the account's own person, who may also approve what runs ask. `guest`: may only write. */
export const senderRoles = ['owner', 'guest'] as const
export type SenderRole = (typeof senderRoles)[number]

/** A person at a vendor, as one connection knows them: who asks to be let in, and who was. */
export interface Sender {
  /** Of the connection and the vendor's id together. */
  readonly id: string
  readonly connection_id: string
  /** The account in whose name their messages run. Null: of a shared connection, and not paired yet. */
  readonly user_id: string | null
  /** The vendor's. */
  readonly sender_id: string
  readonly name: string
  readonly state: SenderState
  readonly role: SenderRole
  /** What the person was shown; null once it was used. */
  readonly code: string | null
  readonly code_expires_at: string | null
  /** Where they wrote. */
  readonly conversation_id: string | null
  readonly held: number
  readonly created_at: string
  readonly changed_at: string
}

/** Whether it is the account's own person. */
export const isOwnerOf = (sender: Pick<Sender, 'state' | 'role'> | undefined): boolean =>
  sender?.state === 'approved' && sender.role === 'owner'

export const senderCollection = defineCollection<Sender>()({
  name: 'channels.senders',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_connection: { fields: ['connection_id', 'state', 'id'] },
    by_code: { fields: ['code'], unique: true },
    by_expiry: { fields: ['code_expires_at'] },
  },
})
