import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { EmailConfirmation } from '@agent-service/sdk/services/email-confirmation'
import type { Urls } from '@agent-service/sdk/services/urls'
import { v7 as uuidv7 } from 'uuid'
import type { MailMetrics } from '../common/metrics.js'
import { composeMail } from '../smtp/compose.js'
import type { Failure } from '../smtp/failure.js'
import type { Mailer } from '../smtp/mailer.js'
import { outboxCollection, type StoredMail, timeText } from '../store/stored-mail.js'
import { addressedMail } from './addressed-mail.js'
import type { Rates } from './rates.js'

/** What sending depends on. */
export interface SendParts {
  readonly database: Database
  readonly clock: Clock
  readonly accounts: Pick<Accounts, 'contact'>
  readonly confirmation: Pick<EmailConfirmation, 'issue'>
  readonly urls: Pick<Urls, 'page' | 'external'>
  readonly mailer: Pick<Mailer, 'send' | 'explain'>
  readonly rates: Rates
  readonly metrics: MailMetrics
  readonly from: string
}

/** An attempt that has not ended by then counts as lost: its process is dead. */
export const claimMs = 10 * 60_000
const firstDelayMs = 60_000
const maxDelayMs = 4 * 3_600_000
/** An e-mail that could not be sent for so long has failed. */
const giveUpMs = 48 * 3_600_000

/**
 * Makes one attempt at a due e-mail. That the attempt begins is stored before the server hears of
 * it, and how it ended after: a process that dies between leaves an e-mail whose state is unknown,
 * which is sent again with the same Message-ID. Returns the failure if nothing can be sent now.
 */
export async function sendStoredMail(parts: SendParts, id: string): Promise<Failure | undefined> {
  const mail = await claim(parts, id)
  if (!mail) return undefined
  const addressed = await addressedMail(parts, mail)
  if (typeof addressed === 'string') {
    await settle(parts, mail, { state: 'failed', error: addressed })
    return undefined
  }
  const began = parts.clock.monotonic()
  const { from, urls, mailer } = parts
  try {
    await mailer.send(composeMail(addressed.mail, { from, urls, to: addressed.to, language: addressed.language }))
  } catch (error) {
    return failed(parts, mail, mailer.explain(error))
  }
  parts.metrics.took(parts.clock.monotonic() - began)
  await settle(parts, mail, { state: 'sent', error: null })
  return undefined
}

/** Takes an e-mail for an attempt; `undefined` if it is not due, or has to wait. */
async function claim({ database, clock, rates }: SendParts, id: string): Promise<StoredMail | undefined> {
  const token = uuidv7()
  const known = await database.collection(outboxCollection).get(id)
  if (!known || !isDue(known, clock)) return undefined
  const limit = rates.take(known.user_id)
  return database.transaction(async (transaction) => {
    const mail = await transaction.get(outboxCollection, id)
    if (!mail || !isDue(mail, clock)) return undefined
    if (limit) {
      transaction.put(outboxCollection, { ...mail, due_at: timeText(clock.now() + limit.waitMs) })
      return undefined
    }
    const claimed: StoredMail = {
      ...{ ...mail, state: 'sending', claim: token, attempts: mail.attempts + 1 },
      due_at: timeText(clock.now() + claimMs),
    }
    transaction.put(outboxCollection, claimed)
    return claimed
  })
}

const isDue = ({ due_at }: StoredMail, clock: Pick<Clock, 'now'>): boolean => due_at !== null && Date.parse(due_at) <= clock.now()

async function failed(parts: SendParts, mail: StoredMail, failure: Failure): Promise<Failure | undefined> {
  const { clock } = parts
  const { kind, reason } = failure
  const isOver = clock.now() - Date.parse(mail.created_at) >= giveUpMs
  if (kind === 'refused' || isOver) {
    const error = kind === 'refused' ? reason : `It could not be sent for two days. The last reason: ${reason}`
    await settle(parts, mail, { state: 'failed', error })
  } else {
    const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(mail.attempts - 1, 16))
    const state = kind === 'unknown' ? 'unknown' : 'pending'
    await settle(parts, mail, { state, error: reason, due: clock.now() + delay })
  }
  return kind === 'server' ? failure : undefined
}

/** Stores how an attempt ended, unless another process has the e-mail by now. */
async function settle(
  { database, clock, metrics }: SendParts,
  { id, claim: token }: StoredMail,
  end: { readonly state: 'sent' | 'failed' | 'pending' | 'unknown'; readonly error: string | null; readonly due?: number },
): Promise<void> {
  const { state, error, due } = end
  const isMine = await database.transaction(async (transaction) => {
    const mail = await transaction.get(outboxCollection, id)
    if (mail?.claim !== token) return false
    const open = { ...mail, state, error, claim: null }
    if (due !== undefined) transaction.put(outboxCollection, { ...open, due_at: timeText(due) })
    else transaction.put(outboxCollection, { ...open, ...ended, ended_at: timeText(clock.now()) })
    return true
  })
  if (isMine) metrics.attempted(state === 'pending' ? 'retried' : state)
}

/** What is left of an e-mail that has ended: its subject and outcome, not what it says and where it went. */
const ended = { to: null, text: '', link: null, footer: null, unsubscribe_path: null, due_at: null, waiting: null } as const
