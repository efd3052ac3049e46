import type { FailureReport } from './failure-report.js'

const timeoutCodes: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

/**
 * A failure below HTTP: the name is unknown, the connection refused or reset, the certificate bad,
 * the wait too long.
 */
export function transportFailure(error: unknown): FailureReport {
  const chain = causesOf(error)
  const code = chain.map((entry) => (entry as { readonly code?: unknown }).code).find((entry): entry is string => typeof entry === 'string')
  const deepest = chain.at(-1)
  const message = deepest instanceof Error && deepest.message !== '' ? deepest.message : 'The connection failed.'
  return {
    failure: code !== undefined && timeoutCodes.has(code) ? 'timeout' : 'transport',
    retryable: true,
    reason: code === undefined || message.includes(code) ? message : `${message} (${code})`,
    ...(code !== undefined && { providerCode: code }),
    ...(code === 'UND_ERR_CONNECT_TIMEOUT' && { expiredWait: 'connect' as const }),
  }
}

function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  let current = error
  while (current instanceof Error && chain.length < 8) {
    chain.push(current)
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return chain
}
