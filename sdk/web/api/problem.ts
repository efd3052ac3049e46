import { loadPart, MissingPartError } from '../core/load-part.js'
import { language } from '../i18n/language.js'

/** The body of an error answer (RFC 9457). */
export interface ProblemBody {
  /** Always `about:blank`: the kind of error is in `code`. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** What went wrong and how to correct it. */
  readonly detail: string
  /** The kind of error, in snake_case. */
  readonly code: string
  readonly request_id: string
  /** The problems of a request that is not valid. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

interface ProblemOptions extends ErrorOptions {
  retryAfterMs?: number
}

/**
 * A request that was answered with a problem, or not answered at all: then `status` is 0 and the
 * code is `offline`, `foreign_answer` if something else answered, or `aborted` if the caller gave up.
 */
export class ApiProblem extends Error {
  /** The HTTP status; 0 without an answer of the service. */
  readonly status: number
  /** The kind of problem, in snake_case: `not_found`. Programs decide by it, people read the message. */
  readonly code: string
  /** Problems of single fields: the path begins with `/` and leads through the body. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** Finds the request in the log of the service; `undefined` where it gave no answer. */
  readonly requestId: string | undefined
  /** The service's own words, in English, where those in the person's language are only general. */
  readonly said: string | undefined
  /** In milliseconds, from `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(
    body: Pick<ProblemBody, 'status' | 'code' | 'detail'> & Partial<ProblemBody>,
    options: ProblemOptions & { said?: string } = {},
  ) {
    super(body.detail, options)
    this.name = 'ApiProblem'
    this.status = body.status
    this.code = body.code
    this.errors = body.errors ?? []
    this.requestId = body.request_id
    this.said = options.said
    this.retryAfterMs = options.retryAfterMs
  }

  /** The message for a field of the body, by its JSON pointer: `/username`. */
  messageFor(path: string): string | undefined {
    return this.errors.find((error) => error.path === path)?.message
  }
}

/**
 * Whether an error is an {@link ApiProblem}, and if a code is given, whether it has that one.
 *
 * @example
 * if (isProblem(error, 'not_found')) await navigate('/')
 */
export const isProblem = (error: unknown, code?: string): error is ApiProblem =>
  error instanceof ApiProblem && (code === undefined || error.code === code)

/**
 * Networks and proxies that want a sign-in answer in place of the service, often with status 200 and always with a
 * page of theirs.
 */
export const isPage = (contentType: string | null): boolean => /^text\/html\b/i.test(contentType ?? '')

export const foreignAnswer = (): ApiProblem =>
  new ApiProblem({ status: 0, code: 'foreign_answer', detail: 'Something else answered in place of the service.' })

/** No answer came, or only a part of one: `aborted` where the signal of the request says so, else `offline`. */
export const unanswered = (cause: unknown, signal?: AbortSignal): ApiProblem =>
  new ApiProblem({ status: 0, code: signal?.aborted ? 'aborted' : 'offline', detail: 'The service did not answer.' }, { cause })

/** The whole body. @throws {ApiProblem} like {@link unanswered} if the connection ends or the request is aborted within it */
export const bodyOf = (response: Response, signal?: AbortSignal): Promise<string> =>
  response.text().catch((cause: unknown) => {
    throw unanswered(cause, signal)
  })

/** What a failure says about a field of the body, by its path or by a code that is about this field alone. */
export function fieldMessage(failure: unknown, path: string, code: string): string | undefined {
  if (!isProblem(failure)) return undefined
  return failure.messageFor(path) ?? (failure.code === code ? failure.message : undefined)
}

/** Refusals of sign-in proxies and networks (RFC 9110, RFC 6585); those of the service have a problem as their body. */
const refusalsElsewhere: ReadonlySet<number> = new Set([401, 403, 407, 511])

/** What an answer says that has no problem: a proxy gave it. */
export const unexpectedAnswer = ({ status, statusText }: Pick<Response, 'status' | 'statusText'>, options = {}): ApiProblem =>
  refusalsElsewhere.has(status)
    ? foreignAnswer()
    : new ApiProblem({ status, code: 'unexpected_answer', detail: `${status} ${statusText}` }, options)

/**
 * The problem in an answer; proxies may answer with other bodies.
 * @throws {ApiProblem} like {@link unanswered} if the answer breaks off: not even its status counts then
 */
export async function problemOf(response: Response, signal?: AbortSignal): Promise<ApiProblem> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body = isJson ? parsedJson(await bodyOf(response, signal)) : undefined
  return isProblemBody(body) ? inWords(body, options) : unexpectedAnswer(response, options)
}

/** `undefined` for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A problem of the service with the words that the person reads; with its own if there are no others. */
export async function inWords(body: ProblemBody, options: ProblemOptions = {}): Promise<ApiProblem> {
  // Everybody meets this one before signing in; its words are in `errorText`.
  if (body.code === 'unauthenticated') return new ApiProblem(body, options)
  const words = await loadPart(() => import('../i18n/problems/problem-words.js')).catch((error: unknown) => {
    if (error instanceof MissingPartError) return undefined
    throw error
  })
  if (words === undefined) return new ApiProblem(body, options)
  const wordsOf = language() === 'de' ? words.germanProblem : words.plainProblem
  const { detail, errors, said } = wordsOf({ ...body, errors: body.errors ?? [] })
  return new ApiProblem({ ...body, detail, errors: [...errors] }, { ...options, ...(said !== undefined && { said }) })
}

export const isProblemBody = (body: unknown): body is ProblemBody =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'status' in body
