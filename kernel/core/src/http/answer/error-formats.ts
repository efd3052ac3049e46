import type { Disposer, Logger } from '@agent-service/sdk'
import type { FormattedError, HttpErrorFormat } from '@agent-service/sdk/contracts/http-error-format'
import type { ProblemAnswer } from './problem.js'

/** The forms of errors below prefixes. */
export interface ErrorFormats {
  /** The prefix must be free. */
  add(format: HttpErrorFormat): Disposer
  has(prefix: string): boolean
  /** The format of the longest prefix that covers a path. */
  find(path: string): HttpErrorFormat | undefined
}

/** Makes an empty table. */
export function createErrorFormats(): ErrorFormats {
  const formats = new Map<string, HttpErrorFormat>()
  return {
    add(format) {
      formats.set(format.prefix, format)
      return () => void formats.delete(format.prefix)
    },
    has: (prefix) => formats.has(prefix),
    find(path) {
      let found: HttpErrorFormat | undefined
      for (const [prefix, format] of formats)
        if ((path === prefix || path.startsWith(`${prefix}/`)) && prefix.length > (found?.prefix.length ?? 0)) found = format
      return found
    },
  }
}

/** Headers that a format cannot set: of the connection, of the content, and of credentials. */
const reserved: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade', 'content-length', 'content-type'],
  ...['x-request-id', 'set-cookie', 'www-authenticate', 'retry-after'],
])

/**
 * The answer in a format: with its members, which replace none of a problem, its status and its
 * headers. If the format fails, the answer stays as it was.
 */
export function formatAnswer(answer: ProblemAnswer, format: HttpErrorFormat | undefined, logger: Logger): ProblemAnswer {
  if (!format) return answer
  const { document, headers, retryAfterSeconds } = answer
  const { status, code, detail, errors: problems = [] } = document
  let formatted: FormattedError
  try {
    formatted = format.format({ status, code, detail, problems, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
  } catch (error) {
    logger.error('An error format failed.', { error, prefix: format.prefix, request_id: document.request_id })
    return answer
  }
  const changed = isErrorStatus(formatted.status) ? { status: formatted.status } : {}
  const added = Object.entries(formatted.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !reserved.has(name))
  return {
    ...answer,
    document: { ...formatted.members, ...document, ...changed },
    headers: { ...Object.fromEntries(added), ...headers },
  }
}

const isErrorStatus = (status: number | undefined): status is number =>
  status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599
