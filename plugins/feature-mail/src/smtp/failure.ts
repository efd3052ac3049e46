/** What a failed attempt means. */
export interface Failure {
  /**
   * `retry`: the server has not taken the message and may later; `unknown`: it may have taken it;
   * `refused`: it never will; `server`: nothing can be sent at the moment, whatever the message.
   */
  readonly kind: 'retry' | 'unknown' | 'refused' | 'server'
  /** A sentence for an administrator, without secrets. */
  readonly reason: string
}

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
  readonly command?: unknown
  readonly message?: unknown
}

/** Errors before a message is handed over: the connection, its protection, the sign-in. */
const ofServer: ReadonlySet<string> = new Set(['ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'EPROTOCOL', 'ECONNREFUSED', 'ENOTFOUND'])
const maxReason = 300

/** Reads an error of the transport. */
export function failureOf(error: unknown): Failure {
  const { code, responseCode, command, message } = (typeof error === 'object' && error !== null ? error : {}) as SmtpError
  const said = String(message ?? error)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, maxReason)
  const status = typeof responseCode === 'number' ? responseCode : undefined
  if (typeof command === 'string' && command.startsWith('AUTH')) return { kind: 'server', reason: `The sign-in failed: ${said}` }
  if (ofServer.has(String(code))) return { kind: 'server', reason: reasonOfServer(String(code), said) }
  if (status !== undefined && status >= 500) {
    // 421 and the like are about the server; a 5xx about the session is no verdict on the message.
    const isAboutMessage = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(String(command))
    return { kind: isAboutMessage ? 'refused' : 'server', reason: said }
  }
  if (status === 421) return { kind: 'server', reason: said }
  if (status !== undefined) return { kind: 'retry', reason: said }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return { kind: 'refused', reason: said }
  if (code === 'ETIMEDOUT' && /connection timeout|greeting never received/i.test(said)) return { kind: 'server', reason: said }
  return { kind: 'unknown', reason: `The connection broke in the middle: ${said}` }
}

function reasonOfServer(code: string, said: string): string {
  if (code === 'ETLS' || /certificate|self-signed|STARTTLS/i.test(said)) return `The connection could not be protected: ${said}`
  return `The mail server cannot be reached: ${said}`
}
