import type { Disposer, Logger } from '@agent-service/sdk'
import type { FormattedError, HttpErrorFormat } from '@agent-service/sdk/contracts/http-error-format'
import { isBelow, plainPath } from '../request/mend-target.js'
import type { ProblemAnswer } from './problem.js'

/** Blanks in a path that was decoded, or not, because it has a control character. */
const blanks = /\s|%(?:20|09|0a|0d)/gi

/** The forms of errors below prefixes. */
export interface ErrorFormats {
  /** The prefix must be free. */
  add(format: HttpErrorFormat): Disposer
  has(prefix: string): boolean
  /** The format of the longest prefix that covers a path. */
  find(path: string): HttpErrorFormat | undefined
  /** The format whose clients look for their protocol at a path by mistake. Only for paths without a route. */
  findMistaken(path: string): HttpErrorFormat | undefined
  /** The prefixes of the formats that are lenient. The same list until a format is added or removed. */
  lenientPrefixes(): readonly string[]
}

/** Makes an empty table. */
export function createErrorFormats(): ErrorFormats {
  const formats = new Map<string, HttpErrorFormat>()
  let lenient: readonly string[] = []
  const update = (): void => {
    lenient = [...formats.values()].filter((format) => format.lenient === true).map(({ prefix }) => prefix)
  }
  return {
    add(format) {
      formats.set(format.prefix, format)
      update()
      return () => {
        formats.delete(format.prefix)
        update()
      }
    },
    has: (prefix) => formats.has(prefix),
    find(path) {
      let found: HttpErrorFormat | undefined
      for (const [prefix, format] of formats) if (isBelow(path, prefix) && prefix.length > (found?.prefix.length ?? 0)) found = format
      return found
    },
    findMistaken(path) {
      // A blank that was copied along with a base URL.
      const meant = plainPath(path.replaceAll(blanks, ''))
      return [...formats.values()].find(
        ({ prefix, mistaken = [] }) => mistaken.length > 0 && [prefix, ...mistaken].some((each) => isBelow(meant, each)),
      )
    },
    lenientPrefixes: () => lenient,
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
export function formatAnswer(
  answer: ProblemAnswer,
  format: HttpErrorFormat | undefined,
  { path, logger }: { readonly path: string; readonly logger: Logger },
): ProblemAnswer {
  if (!format) return answer
  const { document, headers, retryAfterSeconds } = answer
  const { status, code, detail, errors: problems = [] } = document
  let formatted: FormattedError
  try {
    formatted = format.format({ status, code, detail, path, problems, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
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
