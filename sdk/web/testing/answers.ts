import type { ProblemBody } from '../api/problem.js'
import type { FakeAnswer } from './operations.js'

/** What a problem says beside its status and code. */
export interface ProblemWords {
  /** What went wrong. Default: a sentence with the code. */
  readonly detail?: string
  /** Problems of single fields of the body, by their JSON pointers: `[{ path: '/name', message: 'is too long' }]`. */
  readonly errors?: ProblemBody['errors']
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter?: number
}

/**
 * A problem in the form of the service (RFC 9457), which the client throws as an `ApiProblem`.
 *
 * @example
 * fakeApi<DicePaths>({ 'get /api/plugins/tool-dice/rules': () => problem(403, 'forbidden', { detail: 'Not today.' }) })
 */
export function problem(status: number, code: string, words: ProblemWords = {}): FakeAnswer {
  const { detail = `The fake service answered with ${code}.`, errors, retryAfter } = words
  const title = code.replaceAll('_', ' ')
  const body = { type: 'about:blank', title, status, detail, code, request_id: 'req_fake', ...(errors && { errors }) }
  const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) }
  return answer(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })
}

/** JSON with another status than 200, or with headers such as `etag`. */
export function answer(
  json: unknown,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): FakeAnswer {
  const text = json === undefined ? null : JSON.stringify(json)
  return { respond: () => new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } }) }
}

/** No answer at all, as without a network: the client throws an `ApiProblem` with the code `offline`. */
export const offline = (): FakeAnswer => ({
  respond: () => {
    throw new TypeError('fetch failed')
  },
})
