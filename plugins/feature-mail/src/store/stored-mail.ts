import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * `sending`: a process has handed it to the server, or died while it did. `unknown`: whether the
 * server has it is not known; it is sent again with the same Message-ID.
 */
export type MailState = 'pending' | 'sending' | 'unknown' | 'sent' | 'failed'

/** An e-mail that was handed over. */
export interface StoredMail {
  readonly id: string
  readonly user_id: string
  /** The sender's: with the user it is unique. */
  readonly key: string
  /** The same at every attempt. */
  readonly message_id: string
  readonly subject: string
  /** Empty once it has ended, as the members below are null. */
  readonly text: string
  readonly link: { readonly label: string; readonly path: string } | null
  readonly footer: string | null
  readonly unsubscribe_path: string | null
  readonly state: MailState
  readonly attempts: number
  /** Of the attempt that is under way. */
  readonly claim: string | null
  /** While it has not ended: when it is tried next, or when its attempt counts as lost. */
  readonly due_at: string | null
  /** True while it has not ended, else null. */
  readonly waiting: true | null
  /** Why it was not sent yet, or not at all. */
  readonly error: string | null
  readonly created_at: string
  readonly ended_at: string | null
}

export const outboxCollection = defineCollection<StoredMail>()({
  name: 'mail.outbox',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_key: { fields: ['user_id', 'key'], unique: true },
    by_waiting: { fields: ['user_id', 'waiting', 'id'] },
    by_state: { fields: ['state', 'id'] },
    by_due: { fields: ['due_at'] },
    by_end: { fields: ['ended_at'] },
  },
})

export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString()
