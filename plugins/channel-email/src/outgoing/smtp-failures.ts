import {
  channelErrorKindOf,
  channelOutcomeUnknownError,
  channelRejectedError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import { inBrackets, isAboutProtection, mailServer } from '../connection/failures.js'

/** What is known of a failure. */
export interface SmtpFailure {
  readonly error: unknown
  /** Whether the end of the message was sent: from then on the server may have taken it. */
  readonly wasHandedOver: boolean
  /** Whether the credentials were good before. */
  readonly wasAccepted: boolean
}

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
  readonly command?: unknown
  readonly message?: unknown
  readonly cause?: unknown
}

/** Enhanced codes of RFC 3463 for which people can do something. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^5\.1\.[0-3]$/, 'there is no such address'],
  [/^5\.2\.1$/, 'the mailbox of the person takes no mail'],
  [/^5\.2\.2$/, 'the mailbox of the person is full'],
  [/^5\.(?:2\.3|3\.4)$/, 'the mail is too large'],
  [/^5\.7\.\d+$/, 'a rule of the mail server, or of the person’s, forbids it'],
]

/** The error of the contract for a failure of the SMTP client. Nothing of what the server wrote is in it but its codes. */
export function smtpFailure({ error, wasHandedOver, wasAccepted }: SmtpFailure): Error {
  if (channelErrorKindOf(error) !== 'unknown') return error as Error
  const { code, responseCode, response, command, message, cause } = Object(error) as SmtpError
  const status = typeof responseCode === 'number' && responseCode >= 400 && responseCode < 600 ? responseCode : undefined
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(typeof response === 'string' ? response.slice(0, 100) : '')?.[1]
  const answer = `it answers ${status ?? 0}${enhanced === undefined ? '' : ` ${enhanced}`}`
  const channel = mailServer
  const isSignIn = code === 'EAUTH' || code === 'ENOAUTH' || (typeof command === 'string' && command.startsWith('AUTH'))
  // The command of a sign-in has the password: its error is not kept as a cause.
  if (isSignIn) {
    if (status !== undefined && status >= 500)
      return channelUnauthorizedError.create({ channel, reason: wasAccepted ? 'revoked' : 'wrong' })
    const reason = status === undefined ? 'the connection ended while it signed in' : answer
    return channelUnavailableError.create({ channel, reason })
  }
  if (status === 530) return channelUnauthorizedError.create({ channel, reason: 'missing_permission' })
  // Some servers examine the greeting late, and refuse the recipient because of it.
  if (status !== undefined && (/^(?:EHLO|HELO)$/.test(String(command)) || /\b(?:EHLO|HELO)\b/i.test(String(response)))) {
    const reason = `it does not accept how it is greeted (${answer}): set smtp_ehlo_name to a full host name that it accepts`
    return channelUnavailableError.create({ channel, reason }, { cause: error })
  }
  const isAboutMessage = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(String(command))
  if (isAboutMessage && status !== undefined && status >= 500 && status !== 503) {
    const reason = reasons.find(([pattern]) => pattern.test(enhanced ?? ''))?.[1] ?? (status === 552 ? 'the mail is too large' : undefined)
    return channelRejectedError.create({ channel, reason: reason === undefined ? answer : `${reason} (${answer})` }, { cause: error })
  }
  if (code === 'EENVELOPE' && status === undefined)
    return channelRejectedError.create({ channel, reason: 'the address cannot be written to' }, { cause: error })
  if (code === 'EMESSAGE' && command === 'MAIL FROM')
    return channelRejectedError.create({ channel, reason: 'the mail is too large' }, { cause: error })
  if (status !== undefined) return channelUnavailableError.create({ channel, reason: answer }, { cause: error })
  if (wasHandedOver)
    return channelOutcomeUnknownError.create({ channel, reason: `the connection failed${inBrackets(code)}` }, { cause: error })
  const inner = (Object(cause) as SmtpError).code
  // The client gives failures of TLS the code of the socket.
  const isProtection = [code, inner].some(isAboutProtection) || /certificate|altnames|self-signed|\bTLS\b/i.test(String(message))
  const reason = isProtection ? 'the connection could not be protected' : 'the connection failed'
  return channelUnavailableError.create(
    { channel, reason: `${reason}${inBrackets(inner ?? code)}${adviceOnProtection(String(message))}` },
    { cause: error },
  )
}

/** For the two ways in which a port and its protection are mixed up. */
function adviceOnProtection(message: string): string {
  if (/wrong version number|packet length too long|record layer/i.test(message))
    return '; its port does not begin with TLS: choose “starttls”, or the port 465'
  return /greeting never received/i.test(message) ? '; if its port begins with TLS, as 465 does, choose “tls”' : ''
}
