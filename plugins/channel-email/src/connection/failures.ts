import {
  type ChannelRefusal,
  channelConnectionInvalidError,
  channelErrorKindOf,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'

/** What errors call the vendor. */
export const mailServer = 'The mail server'

/** What errors of the IMAP client say of themselves. */
interface ImapError {
  readonly code?: unknown
  readonly authenticationFailed?: unknown
  readonly tlsFailed?: unknown
  readonly mailboxMissing?: unknown
  readonly responseStatus?: unknown
  readonly serverResponseCode?: unknown
  readonly throttleReset?: unknown
}

/** Of RFC 5530 and RFC 9051: the credentials may be good. */
const busy: ReadonlySet<unknown> = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN', 'THROTTLED', 'OVERQUOTA'])

const refusals: Readonly<Record<string, ChannelRefusal>> = { EXPIRED: 'expired', AUTHORIZATIONFAILED: 'missing_permission' }

const defaultWaitMs = 60_000
const maxWaitMs = 900_000

/**
 * The error of the contract for one of the IMAP client. `wasAccepted`: the credentials were good
 * before. An error of a sign-in is not kept as a cause, since it has the command.
 */
export function imapFailure(error: unknown, { wasAccepted = false } = {}): Error {
  if (channelErrorKindOf(error) !== 'unknown') return error as Error
  const { code, authenticationFailed, tlsFailed, mailboxMissing, responseStatus, serverResponseCode, throttleReset } = Object(
    error,
  ) as ImapError
  const channel = mailServer
  const answer = typeof serverResponseCode === 'string' && /^[A-Z-]{1,40}$/.test(serverResponseCode) ? serverResponseCode : undefined
  if (code === 'ETHROTTLE') {
    const wait = typeof throttleReset === 'number' && throttleReset > 0 ? throttleReset : defaultWaitMs
    return channelThrottledError.create({ channel, retryAfterMs: Math.min(wait, maxWaitMs) })
  }
  if (authenticationFailed === true) {
    if (busy.has(answer)) return channelUnavailableError.create({ channel, reason: `it takes no sign-in now (${answer})` })
    if (responseStatus !== undefined && responseStatus !== 'NO' && responseStatus !== 'BAD')
      return channelUnavailableError.create({ channel, reason: 'the connection ended while it signed in' })
    return channelUnauthorizedError.create({ channel, reason: refusals[answer ?? ''] ?? (wasAccepted ? 'revoked' : 'wrong') })
  }
  if (mailboxMissing === true) return channelConnectionInvalidError.create({ member: 'mailbox', reason: 'is no folder of the account' })
  if (tlsFailed === true || isAboutProtection(code))
    return channelUnavailableError.create({ channel, reason: `the connection could not be protected${inBrackets(code)}` }, { cause: error })
  const reason = `the connection failed${inBrackets(answer ?? code)}`
  return channelUnavailableError.create({ channel, reason }, { cause: error })
}

/** Whether an error is about a certificate or the agreement on TLS. */
export const isAboutProtection = (code: unknown): boolean =>
  typeof code === 'string' && /CERT|SELF_SIGNED|VERIFY|^ERR_(?:TLS|SSL)|^ETLS$|STARTTLS|^EPROTO$/.test(code)

/** A code for people, in brackets, if it is one. */
export const inBrackets = (code: unknown): string => (typeof code === 'string' && /^[\w-]{2,60}$/.test(code) ? ` (${code})` : '')
