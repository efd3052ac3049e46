import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { EmailChange, EmailConfirmation } from '@agent-service/sdk/services/email-confirmation'
import type { MailStatus } from '@agent-service/sdk/services/mail'
import { v7 as uuidv7 } from 'uuid'
import { mailUnavailableError } from '../common/errors.js'
import { outboxCollection, pendingMail } from '../store/stored-mail.js'
import { letters } from './letters.js'

/** Letters to an address itself, whether or not it is confirmed. */
export interface AddressLetters {
  /**
   * Sends a code to the address of an account, which is returned.
   * @throws `mail_unavailable`, and as `EmailConfirmation.request`.
   */
  sendCode(userId: string, by: { readonly address: string }): Promise<string>
  /** Sends what follows from a change of an address. Never throws. */
  follow(change: EmailChange): Promise<void>
}

/** Codes are no part of the stored letters: each attempt to send one makes its own. */
export function createAddressLetters(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly confirmation: Pick<EmailConfirmation, 'request'>
  readonly status: () => MailStatus
  /** Of the sender's address: Message-IDs end with it. */
  readonly domain: string
  /** Something waits. */
  readonly wake: () => void
  readonly log: Logger
}): AddressLetters {
  const { database, clock, confirmation, status, domain, wake, log } = dependencies
  const store = async (userId: string, purpose: 'confirmation' | 'address_changed', to: string): Promise<void> => {
    const { subject } = letters.en[purpose]('')
    const id = uuidv7()
    const mail = pendingMail({ id, user_id: userId, key: `${purpose}/${id}`, purpose, to, subject }, { domain, now: clock.now() })
    await database.collection(outboxCollection).insert(mail)
    wake()
  }
  const sendCode: AddressLetters['sendCode'] = async (userId, by) => {
    const now = status()
    if (!now.available) throw mailUnavailableError.create({ reason: now.reason })
    const { email } = await confirmation.request(userId, by)
    await store(userId, 'confirmation', email)
    return email
  }
  const tried = async (userId: string, work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (error) {
      log.warn('A letter about a changed e-mail address was not sent.', { user_id: userId, error })
    }
  }
  return {
    sendCode,
    async follow({ userId, confirmedBefore, wantsCode }) {
      if (!status().available) return
      if (confirmedBefore !== null) await tried(userId, store(userId, 'address_changed', confirmedBefore))
      if (wantsCode) await tried(userId, sendCode(userId, { address: '' }))
    },
  }
}
