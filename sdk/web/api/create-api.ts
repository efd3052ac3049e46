import type { AnswerOf, Method, PathOf, RequestOf } from './operations.js'
import { bodyOf, foreignAnswer, parsedJson } from './problem.js'
import { type AnyRequest, send } from './send.js'

type ArgumentsOf<Request> = object extends Request ? [request?: Request] : [request: Request]

/**
 * A function for each method, typed by the paths of an area. The browser sends the session's cookie, which scripts cannot
 * read; no script holds a credential. When the session has ended, the request waits for the person to sign in again and is
 * then repeated.
 *
 * Each resolves with the JSON of a successful answer, `undefined` for one without a body.
 * @throws {@link ApiProblem} for every other answer, and if there is none
 */
export type Api<Paths> = {
  readonly [M in Method]: <P extends PathOf<Paths, M>>(
    path: P,
    ...request: ArgumentsOf<RequestOf<Paths, M, P>>
  ) => Promise<AnswerOf<Paths, M, P>>
}

const callerOf =
  (method: Method) =>
  async (path: string, request?: AnyRequest): Promise<unknown> => {
    const response = await send(method, path, request)
    const text = response.status === 204 ? '' : await bodyOf(response, request?.signal)
    if (text === '') return undefined
    const answer = parsedJson(text)
    if (answer === undefined) throw foreignAnswer()
    return answer
  }

const client = {
  get: callerOf('get'),
  post: callerOf('post'),
  put: callerOf('put'),
  patch: callerOf('patch'),
  delete: callerOf('delete'),
} as const

/**
 * The client with the types of one area. All areas have the same client, so that this costs nothing. `Paths` are the paths as
 * `openapi-typescript` writes them from the OpenAPI document of the service; a few can be written by hand.
 *
 * @example
 * interface paths {
 *   '/api/plugins/tool-dice/rolls/{id}': {
 *     get: {
 *       parameters: { path: { id: string }; query?: { sides?: number } }
 *       responses: { 200: { content: { 'application/json': { rolled: number } } } }
 *     }
 *   }
 * }
 * export const api = createApi<paths>()
 * const { rolled } = await api.get('/api/plugins/tool-dice/rolls/{id}', { path: { id: 'first' }, query: { sides: 6 } })
 */
export const createApi = <Paths>(): Api<Paths> => client as Api<Paths>
