import { defineCollection } from '@agent-service/sdk/services/database'

/**
 * `sending`: a process has handed it to the server, or died while it did. `unknown`: whether the
 * server has it is not known; it is sent again with the same Message-ID.
 */
export type MailState = 'pending' | 'sending' | 'unknown' | 'sent' | 'failed'

/**
 * `message`: to the confirmed address of the account; `confirmation`: a code to the address that it
 * confirms; `address_changed`: a word to the address that the account had.
 */
export type MailPurpose = 'message' | 'confirmation' | 'address_changed'

/** An e-mail that was handed over. */
export interface StoredMail {
  readonly id: string
  readonly user_id: string
  /** The sender's: with the user it is unique. */
  readonly key: string
  /** The same at every attempt. */
  readonly message_id: string
  readonly purpose: MailPurpose
  /** Where a letter that is no message goes. Null for messages: their address is read when they are sent. */
  readonly to: string | null
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
  version: 2,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'id'] },
    by_key: { fields: ['user_id', 'key'], unique: true },
    by_waiting: { fields: ['user_id', 'waiting', 'id'] },
    by_state: { fields: ['state', 'id'] },
    by_due: { fields: ['due_at'] },
    by_end: { fields: ['ended_at'] },
  },
  migrations: [
    {
      to: 2,
      description: 'E-mails say what they are for; those that are there are messages.',
      migrate: (mail) => ({ ...mail, purpose: 'message', to: null }),
    },
  ],
})

/** A new e-mail that is due at once. */
export const pendingMail = (
  mail: Pick<StoredMail, 'id' | 'user_id' | 'key' | 'purpose' | 'to' | 'subject'> &
    Partial<Pick<StoredMail, 'text' | 'link' | 'footer' | 'unsubscribe_path'>>,
  { domain, now }: { readonly domain: string; readonly now: number },
): StoredMail => ({
  text: '',
  link: null,
  footer: null,
  unsubscribe_path: null,
  ...mail,
  message_id: `<${mail.id}@${domain}>`,
  state: 'pending',
  attempts: 0,
  claim: null,
  due_at: timeText(now),
  waiting: true,
  error: null,
  created_at: timeText(now),
  ended_at: null,
})

export const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString()
