import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'

/** The address of an account has changed. */
export interface EmailChange {
  /** Whose. */
  readonly userId: string
  /** The address so far, if it was confirmed: its owner is told. Null: there is nothing to tell. */
  readonly confirmedBefore: string | null
  /** The person has entered an address that is not confirmed yet, and waits for a code. */
  readonly wantsCode: boolean
}

/** The account has no address that could be confirmed. */
export const emailMissingError = defineError<Record<string, never>>({
  code: 'email_missing',
  status: 409,
  title: 'No e-mail address',
  message: () => 'Your account has no e-mail address that can be written to. Enter one in your profile first.',
})

/** The address is confirmed already. */
export const emailConfirmedError = defineError<Record<string, never>>({
  code: 'email_confirmed',
  status: 409,
  title: 'E-mail address already confirmed',
  message: () => 'The e-mail address of your account is confirmed already.',
})

/** The code is wrong, was used, is too old, or belongs to another address. */
export const emailCodeInvalidError = defineError<Record<string, never>>({
  code: 'email_code_invalid',
  status: 422,
  title: 'Code not valid',
  message: () =>
    'The code is not valid. It works once, for half an hour, five times at most, and only for the address that it was sent to. Check it, or send another one.',
})

/**
 * Confirms that the person of an account reads the e-mails to its address. The kernel makes, keeps
 * and checks the codes; the plugin that sends e-mail brings them to the address and nowhere else.
 *
 * A code proves nothing alone: only a session of the very account that it was sent for may confirm
 * with it. Otherwise an account with the address of another person would be confirmed by that
 * person's click.
 *
 * @example
 * const confirmation = context.use(emailConfirmationService)
 * const { email } = await confirmation.request(userId, { address: '203.0.113.7' })
 * // later, when it is sent:
 * const code = await confirmation.issue(userId, email)
 */
export interface EmailConfirmation {
  /**
   * Permits one e-mail with a code and counts it: at most 3 an hour and 5 a day for an account, and
   * 3 a day for a mailbox over all accounts, with one more for the address itself. Returns the
   * address.
   * @throws `email_missing`, `email_confirmed`, `rate_limited`, `unauthenticated`.
   */
  request(userId: string, by: { readonly address: string }): Promise<{ readonly email: string }>
  /**
   * Makes the code for an address, at the moment in which it is sent; earlier codes of the account
   * end. For an e-mail that is `retried`, wrong codes go on to count: `undefined` after too many.
   * `undefined` also if the account has another address by now, or it is confirmed. A secret: it
   * goes into the e-mail and nowhere else.
   */
  issue(userId: string, email: string, options?: { readonly retried?: boolean }): Promise<string | undefined>
  /**
   * Confirms the address with the code. A wrong one counts.
   * @throws `email_code_invalid`, `email_missing`, `email_confirmed`, `unauthenticated`.
   */
  confirm(userId: string, code: string, by: { readonly address: string }): Promise<void>
  /**
   * Calls the listener after each change of an address that was committed in this process. Returns
   * what ends it.
   */
  watch(listener: (change: EmailChange) => void): () => void
}

/**
 * Confirmation of e-mail addresses. Provided by the kernel, to built-in plugins.
 */
export const emailConfirmationService = defineServiceReference<EmailConfirmation>()('kernel.email-confirmation')
