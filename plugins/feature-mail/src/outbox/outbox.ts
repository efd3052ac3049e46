import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Mail, MailInput, MailStatus } from '@agent-service/sdk/services/mail'
import { v7 as uuidv7 } from 'uuid'
import { outboxCollection, pendingMail, type StoredMail } from '../store/stored-mail.js'

/** How many e-mails to one user wait at most. */
const maxWaiting = 100
const maxSubject = 200
const maxText = 20_000

/** The service `mail`: it stores what the engine then sends. */
export function createMail(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly accounts: Pick<Accounts, 'contact'>
  readonly status: () => MailStatus
  /** Of the sender's address: Message-IDs end with it. */
  readonly domain: string
  /** Something waits. */
  readonly wake: () => void
}): Mail {
  const { database, clock, accounts, status, domain, wake } = dependencies
  return Object.freeze<Mail>({
    status,
    async send(mail) {
      if (!status().available) return { id: '', outcome: 'unavailable' }
      const { userId, key } = mail
      const outbox = database.collection(outboxCollection)
      const known = await outbox.find('by_key', [userId, key])
      if (known) return { id: known.id, outcome: 'known' }
      const contact = await accounts.contact(userId)
      if (!contact?.email) return { id: '', outcome: contact?.hasUnconfirmedEmail === true ? 'unconfirmed_address' : 'no_address' }
      const waiting = await outbox.query({ index: 'by_waiting', equals: [userId, true], limit: maxWaiting })
      if (waiting.items.length >= maxWaiting) return { id: '', outcome: 'too_many' }
      const stored = storedMail(mail, { domain, now: clock.now() })
      const result = await database.transaction(async (transaction) => {
        const earlier = await transaction.find(outboxCollection, 'by_key', [userId, key])
        if (earlier) return { id: earlier.id, outcome: 'known' } as const
        transaction.insert(outboxCollection, stored)
        return { id: stored.id, outcome: 'stored' } as const
      })
      wake()
      return result
    },
  })
}

const storedMail = (mail: MailInput, at: { readonly domain: string; readonly now: number }): StoredMail =>
  pendingMail(
    {
      id: uuidv7(),
      user_id: mail.userId,
      key: mail.key,
      purpose: 'message',
      to: null,
      subject: mail.subject.slice(0, maxSubject),
      text: mail.text.slice(0, maxText),
      link: mail.link ?? null,
      footer: mail.footer ?? null,
      unsubscribe_path: mail.unsubscribePath ?? null,
    },
    at,
  )
