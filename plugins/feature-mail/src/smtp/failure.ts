import type { MailSettings } from '../common/mail-section.js'

/** What a failed attempt means. */
export interface Failure {
  /**
   * `retry`: the server has not taken the message and may later; `unknown`: it may have taken it;
   * `refused`: it never will; `server`: nothing can be sent at the moment, whatever the message.
   */
  readonly kind: 'retry' | 'unknown' | 'refused' | 'server'
  /** Sentences for an administrator, without secrets: what the server said, and the setting that can help. */
  readonly reason: string
}

/** How the server was spoken to when an attempt failed. */
export interface UsedServer extends Pick<MailSettings, 'port' | 'security'> {
  readonly user: string | undefined
  readonly password: string | undefined
  /** The name in EHLO; undefined if the transport chose one. */
  readonly ehloName: string | undefined
}

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
  readonly command?: unknown
  readonly message?: unknown
}

/** An error of the transport as it is judged. */
interface Answer {
  readonly code: string
  readonly command: string
  /** Of a reply of the server; undefined if there was none. */
  readonly status: number | undefined
  /** What the transport and the server said, on one line. */
  readonly said: string
  /** The server's words from the status on, without addresses: people choose those, also `helo@example.org`. */
  readonly words: string
}

/** Errors before a message is handed over: the connection, its protection, the sign-in. */
const ofServer: ReadonlySet<string> = new Set(['ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'EPROTOCOL', 'ECONNREFUSED', 'ENOTFOUND'])
/** Commands that are about one message. */
const ofMessage: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])
const maxReason = 300

/** Reads an error of the transport. */
export function failureOf(error: unknown, used: UsedServer): Failure {
  const answer = answerOf(error, used)
  const reason = reasonOfServer(answer, used)
  return reason === undefined ? ofOneMessage(answer) : { kind: 'server', reason }
}

function answerOf(error: unknown, used: UsedServer): Answer {
  const { code, responseCode, command, message } = (typeof error === 'object' && error !== null ? error : {}) as SmtpError
  const status = typeof responseCode === 'number' ? responseCode : undefined
  const said = withoutSecrets(String(message ?? error).replaceAll(/[\s\p{Cc}]+/gu, ' '), used).slice(0, maxReason)
  const words = said.slice(Math.max(0, said.indexOf(String(status)))).replaceAll(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, '…')
  return { code: String(code), command: String(command), status, said, words }
}

/** Servers repeat commands that they do not understand, also that of the sign-in. */
function withoutSecrets(text: string, { user, password }: UsedServer): string {
  if (password === undefined || password === '') return text
  const secrets = [`\0${user ?? ''}\0${password}`, password].map((secret) => Buffer.from(secret, 'utf8').toString('base64'))
  return [...secrets, password].reduce((masked, secret) => masked.replaceAll(secret, '…'), text)
}

/** Why no message can be sent at the moment; undefined if the error is about one message. */
function reasonOfServer(answer: Answer, used: UsedServer): string | undefined {
  const { code, command, status, said } = answer
  if (code === 'EAUTH' || command.startsWith('AUTH')) return `The sign-in failed: ${said}. ${adviceOnSignIn(status)}`
  if (isAboutRecipient(answer)) return undefined
  if (isAboutName(answer)) return refusedName(said, used)
  if (ofMessage.has(command)) return status === 421 ? said : reasonOfSession(answer)
  const protection = reasonOfProtection(answer, used)
  if (protection !== undefined) return protection
  if (ofServer.has(code)) return `The mail server cannot be reached: ${said}`
  if (code === 'ETIMEDOUT' && /connection timeout/i.test(said)) return said
  return status !== undefined && (status >= 500 || status === 421) ? said : undefined
}

const adviceOnSignIn = (status: number | undefined): string =>
  status === 504
    ? 'The server takes no user name with a password (PLAIN, LOGIN, CRAM-MD5), or not on this connection: use a server that does, such as a relay.'
    : 'Check mail.user and mail.password. Where the provider has passwords for programs (“app passwords”), use one of those.'

/**
 * One recipient who cannot be reached must not keep the e-mails of all others waiting. Codes of addresses and mailboxes
 * (RFC 3463), and the words of servers; Postfix looks for recipients in a “relay recipient table”.
 */
const isAboutRecipient = ({ command, words }: Answer): boolean =>
  command === 'RCPT TO' &&
  !/sender address rejected/i.test(words) &&
  /^5\d\d[ -]5\.(?:1\.(?:[1-6]|10)|2\.\d+)\b|recipient address rejected|no such (?:user|recipient|mailbox)|(?:user|recipient|mailbox) (?:unknown|not found|unavailable)|unknown (?:user|recipient|mailbox)/i.test(
    words,
  )

/** Servers that examine the name in EHLO late refuse the recipient because of it. A busy server ends the greeting with 421. */
const isAboutName = ({ command, status, words }: Answer): boolean =>
  status !== undefined &&
  ((/^(?:EHLO|HELO)$/.test(command) && status !== 421) ||
    (/^(?:EHLO|HELO|MAIL FROM|RCPT TO|DATA)$/.test(command) && /\b(?:EHLO|HELO)\b/i.test(words)))

const refusedName = (said: string, { ehloName }: UsedServer): string =>
  `The mail server does not accept how this service greets it (EHLO ${ehloName ?? 'with the name of this machine'}): ${said}. Set mail.ehlo_name to a full host name that it accepts, such as agents.example.org.`

/** Refusals at a message that every other message meets too, with the setting that is meant. */
const ofSession: readonly (readonly [RegExp, string])[] = [
  [
    /^530\b|authenticat(?:ion|e) (?:is )?(?:required|first)|must authenticate|not authenticated/i,
    'The mail server wants a sign-in: set mail.user and mail.password, and mail.security to starttls or tls.',
  ],
  [
    /\brelay|rcpthosts/i,
    'The mail server sends nothing on for this service: set mail.user and mail.password, or permit this machine there.',
  ],
  [
    /\bclient host\b.*\b(?:rejected|blocked|denied)|\bblocked using\b|\bPTR record|reverse (?:DNS|hostname)|\bconnections will not be accepted\b|\b5\.7\.25\b/i,
    'The mail server takes nothing from the address of this machine: have it permitted there, or send through a relay, with mail.host, mail.user and mail.password.',
  ],
  [
    /\bsender\b.*\b(?:rejected|denied|refused|fail(?:ed|ure)|not allowed|not owned|invalid)|send ?as ?denied|not owned by user/i,
    'The mail server does not accept the sender: set mail.from to an address of the account in mail.user.',
  ],
  [/\b5\.4\.5\b/, 'The mail server takes no more for now.'],
]
const tooLarge = /^552\b|\b5\.3\.4\b|size/i

function reasonOfSession({ command, status, said, words }: Answer): string | undefined {
  if (status === undefined || status < 500) return undefined
  const advice = ofSession.find(([pattern]) => pattern.test(words))?.[1]
  if (advice !== undefined) return `${said}. ${advice}`
  // Nothing but the sender has been named yet.
  return command === 'MAIL FROM' && !tooLarge.test(words)
    ? `The mail server does not accept the sender: ${said}. Set mail.from to an address that it accepts.`
    : undefined
}

function reasonOfProtection({ code, status, said }: Answer, { port, security }: UsedServer): string | undefined {
  const hint = (advice: string): string => `The connection could not be protected: ${said}. ${advice}`
  if (security === 'tls' && /wrong version number|packet length too long|record layer|http request/i.test(said))
    return hint(`Port ${port} does not begin with TLS: set mail.security to starttls, or mail.port to 465.`)
  if (security !== 'tls' && status === undefined && /greeting never received/i.test(said))
    return `The mail server did not greet: ${said}. If port ${port} begins with TLS, as 465 does, set mail.security to tls.`
  if (/altname|does not match certificate/i.test(said)) return hint('Set mail.host to a name that is in the certificate.')
  if (/certificate|self-signed/i.test(said))
    return hint('If it is of an authority of your own, start the service with NODE_EXTRA_CA_CERTS, the path of its certificate.')
  if (code === 'ETLS' || /STARTTLS|TLS handshake/.test(said))
    return hint(`If port ${port} offers no STARTTLS, set mail.security to tls and mail.port to 465.`)
  return undefined
}

function ofOneMessage({ code, status, said }: Answer): Failure {
  if (status !== undefined && status >= 500) return { kind: 'refused', reason: said }
  if (status !== undefined) return { kind: 'retry', reason: said }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return { kind: 'refused', reason: said }
  return { kind: 'unknown', reason: `The connection broke in the middle: ${said}` }
}
