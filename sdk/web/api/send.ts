import { placed } from '../core/base.js'
import type { Method } from './operations.js'
import { foreignAnswer, isPage, problemOf, unanswered } from './problem.js'

/** A request of any operation. */
export interface AnyRequest {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
}

/** Waits until the person has signed in again; false if they did not. */
let renewSession: () => Promise<boolean> = async () => false

/** Sets what happens when the session has ended in the middle of work. */
export const onSessionEnd = (renew: () => Promise<boolean>): void => {
  renewSession = renew
}

/** The whole answer, for downloads and headers such as `ETag`. @throws {ApiProblem} */
export async function send(method: Method, path: string, request: AnyRequest = {}): Promise<Response> {
  const ask = () => sendOnce(method, path, request)
  const response = await ask()
  if (response.ok) return ofService(response, request)
  const problem = await problemOf(response, request.signal)
  if (problem.code !== 'unauthenticated' || path.startsWith('/api/auth/login')) throw problem
  if (!(await renewSession())) throw problem
  const again = await ask()
  if (again.ok) return ofService(again, request)
  throw await problemOf(again, request.signal)
}

/** The service answers with a page only where one is asked for. */
function ofService(response: Response, { headers }: AnyRequest): Response {
  if (isPage(response.headers.get('content-type')) && headers?.['accept'] !== 'text/html') throw foreignAnswer()
  return response
}

async function sendOnce(method: Method, path: string, request: AnyRequest): Promise<Response> {
  const { body, headers, signal, idempotencyKey } = request
  const isRaw = body instanceof Blob || body instanceof ArrayBuffer
  try {
    return await fetch(placed(addressOf(path, request)), {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    throw unanswered(cause, signal)
  }
}

/** The path of an operation, its parameters filled in. */
export function addressOf(path: string, { path: parameters = {}, query = {} }: Pick<AnyRequest, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined && each !== null) search.append(name, String(each))
  const text = search.toString()
  return text === '' ? filled : `${filled}?${text}`
}
