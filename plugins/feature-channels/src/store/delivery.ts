import { defineCollection } from '@agent-service/sdk/services/database'

/** `unknown`: it may have been sent, or not. The last three are final, until someone sends it again. */
export const deliveryStates = ['queued', 'sending', 'sent', 'unknown', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface DeliveryButton {
  readonly label: string
  readonly value: string
}

/** A file that goes with a message. Its content is kept apart. */
export interface DeliveryFile {
  readonly name: string
  readonly media_type: string
  /** In bytes. */
  readonly size: number
}

/** One message to a vendor: an answer, or a part of one. */
export interface Delivery {
  /** Unique in a deployment, and what the channel gets as the key of the message. */
  readonly id: string
  readonly connection_id: string
  /** The account that it comes from; null: of a shared connection, to a person without an account. */
  readonly user_id: string | null
  /** `connection/conversation` while it is not settled, else null. */
  readonly line: string | null
  /** Grows with each delivery. */
  readonly order: string
  /** The vendor's. */
  readonly conversation_id: string
  /** `edit`: what another delivery is changed to, and it gets no message of its own. `file`: what an agent sends with the tool. */
  readonly kind: 'answer' | 'question' | 'notice' | 'test' | 'edit' | 'file'
  /** Of an edit: the delivery that is changed; else null. */
  readonly edit_of: string | null
  readonly run_id: string | null
  readonly chunk: { readonly index: number; readonly count: number }
  readonly text: string
  readonly buttons: readonly DeliveryButton[]
  readonly reply_to: string | null
  /** The file that goes with it. */
  readonly file: DeliveryFile | null
  /** The account in whose files the content of `file` is, under the id of the delivery. Null: there is none, or it is needed no longer. */
  readonly keeps: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly not_before: number
  /** When it was tried for the first time so that it may have been sent, in milliseconds; null: it was certainly not sent. */
  readonly doubt_since: number | null
  /** The vendor's id of the message. */
  readonly vendor_id: string | null
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly created_at: string
  readonly settled_at: string | null
}

export const deliveryCollection = defineCollection<Delivery>()({
  name: 'channels.deliveries',
  version: 3,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_line: { fields: ['line', 'order'] },
    by_connection: { fields: ['connection_id', 'order'] },
    by_settled: { fields: ['settled_at'] },
    by_kept: { fields: ['keeps', 'id'] },
  },
  migrations: [
    {
      to: 2,
      description: 'Messages know since when they may have been sent, and what they change.',
      // Too long ago for a vendor that forgets.
      migrate: (delivery) => ({ ...delivery, edit_of: null, doubt_since: delivery['state'] === 'sending' ? 0 : null }),
    },
    { to: 3, description: 'Messages may have a file.', migrate: (delivery) => ({ ...delivery, file: null, keeps: null }) },
  ],
})
