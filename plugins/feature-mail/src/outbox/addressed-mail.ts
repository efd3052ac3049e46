import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { EmailConfirmation } from '@agent-service/sdk/services/email-confirmation'
import { type MailLanguage, mailLanguageOf } from '../common/mail-language.js'
import type { StoredMail } from '../store/stored-mail.js'
import { letters } from './letters.js'

/** An e-mail with the one address that it goes to now. */
export interface AddressedMail {
  readonly mail: StoredMail
  readonly to: { readonly name: string | null; readonly email: string }
  readonly language: MailLanguage
}

/** A code is wanted now or not at all: later, a retry would only end the code that the person has by then. */
const codeGiveUpMs = 30 * 60_000

/** What the decision depends on. */
export interface AddressParts {
  readonly accounts: Pick<Accounts, 'contact'>
  readonly confirmation: Pick<EmailConfirmation, 'issue'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Decides at the moment of sending whom an e-mail goes to, and whether it still may: a message only to
 * the confirmed address of the account, a code only to the address for which it was requested. Returns
 * the reason why it goes nowhere. A code is made here and not stored.
 */
export const addressedMail = (parts: AddressParts, mail: StoredMail): Promise<AddressedMail | string> =>
  mail.purpose === 'message' ? messageOf(parts.accounts, mail) : letterOf(parts, mail)

async function messageOf(accounts: Pick<Accounts, 'contact'>, mail: StoredMail): Promise<AddressedMail | string> {
  const contact = await accounts.contact(mail.user_id)
  if (!contact) return 'The account is closed.'
  const { name, email, hasUnconfirmedEmail, language } = contact
  if (email !== null) return { mail, to: { name, email }, language: mailLanguageOf(language) }
  return hasUnconfirmedEmail ? 'The e-mail address of the account is not confirmed.' : 'The account has no e-mail address any more.'
}

async function letterOf({ accounts, confirmation, clock }: AddressParts, mail: StoredMail): Promise<AddressedMail | string> {
  const { purpose, to, user_id: userId } = mail
  if (purpose === 'message' || to === null) return 'The letter has no address.'
  const isLate = purpose === 'confirmation' && clock.now() - Date.parse(mail.created_at) >= codeGiveUpMs
  if (isLate) return `The code could not be sent within half an hour; the person can ask for another.${lastReason(mail)}`
  const code = purpose === 'confirmation' ? await confirmation.issue(userId, to, { retried: mail.attempts > 1 }) : ''
  if (code === undefined)
    return 'The account has another e-mail address by now, or this one is confirmed, or too many wrong codes were entered for this e-mail.'
  const language = mailLanguageOf((await accounts.contact(userId))?.language)
  const letter = { ...mail, ...letters[language][purpose](code) }
  // Mail programs show one message of those with the same id, and only the last code is valid.
  const messageId = code === '' ? mail.message_id : mail.message_id.replace('@', `.${mail.attempts}@`)
  return { mail: { ...letter, message_id: messageId }, to: { name: null, email: to }, language }
}

const lastReason = ({ error }: StoredMail): string => (error === null ? '' : ` The last reason: ${error}`)
