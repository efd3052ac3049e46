import type { paths as KitPaths } from '../api/schema.js'
import { answer } from './answers.js'
import type { FakeAnswer, FakeRequest, Handler, Handlers, OperationName } from './operations.js'
import { onTestEnd, reportFault } from './running-test.js'

/** The handlers of an area, and of what the kit itself asks the service. */
export type AllHandlers<Paths> = Handlers<Paths> & Omit<Handlers<KitPaths>, OperationName<Paths>>

/** Lets go the answers that were held back. */
export interface HeldAnswers {
  /** Answers what has been asked, and from now on at once. */
  release(): void
}

/** The service in place of the real one, for one test. */
export interface FakeApi<Paths> {
  /** All requests, in the order in which they came, answered or not. */
  readonly requests: readonly FakeRequest[]
  /** The requests of one operation, with the types of it. */
  requestsOf<Name extends OperationName<Paths>>(operation: Name): readonly FakeRequest<Paths, Name>[]
  /** Answers operations in another way from now on; the others stay as they are. */
  answer(handlers: AllHandlers<Paths>): void
  /** Holds the answers of an operation back, so that the test sees what is shown meanwhile. */
  hold(operation: OperationName<Paths>): HeldAnswers
}

type AnyHandler = (request: FakeRequest) => unknown

interface State {
  readonly handlers: Map<string, AnyHandler>
  readonly held: Map<string, Promise<void>>
  readonly requests: FakeRequest[]
}

/**
 * Answers the requests of the test in place of the service, at the level of `fetch`: the client, its problems and its headers are
 * the real ones. `Paths` are those of `createApi`, so that a wrong path or answer does not compile. A request that no handler is
 * there for fails the test, by its method and path, and so does a handler that throws. At the end of the test all is as before.
 *
 * A handler returns the JSON of a success, nothing for 204, or what {@link problem}, {@link answer} or {@link offline} make.
 *
 * @example
 * it('says what the service says', async () => {
 *   const service = fakeApi<DicePaths>({
 *     'get /api/plugins/tool-dice/rolls': ({ query }) => problem(403, 'forbidden', { detail: `Not ${query.limit}.` }),
 *   })
 *   render(() => <Rolls />)
 *   await screen.findByText('Not 50.')
 *   expect(service.requests.map(({ operation }) => operation)).to.deep.equal(['get /api/plugins/tool-dice/rolls'])
 * })
 *
 * it('shows that it is busy', async () => {
 *   const service = fakeApi<DicePaths>({ 'post /api/plugins/tool-dice/rolls': ({ body }) => ({ id: 'first', name: body.name }) })
 *   const held = service.hold('post /api/plugins/tool-dice/rolls')
 *   const { user } = render(() => <Rolls />)
 *   await user.click(screen.getByRole('button', { name: 'Roll' }))
 *   expect(screen.getByRole('button', { name: 'Roll' }).getAttribute('aria-busy')).to.equal('true')
 *   held.release()
 *   await screen.findByText('first')
 * })
 */
export function fakeApi<Paths = KitPaths>(handlers: AllHandlers<Paths> = {} as AllHandlers<Paths>): FakeApi<Paths> {
  const state: State = { handlers: new Map(), held: new Map(), requests: [] }
  const take = (more: object): void => {
    for (const [name, handler] of Object.entries(more)) state.handlers.set(name, handler as AnyHandler)
  }
  take(handlers)
  const before = globalThis.fetch
  globalThis.fetch = (input, init) => answerTo(state, input, init)
  onTestEnd(() => {
    globalThis.fetch = before
  })
  return {
    requests: state.requests,
    requestsOf: <Name extends OperationName<Paths>>(operation: Name) =>
      state.requests.filter((request) => request.operation === operation) as unknown as readonly FakeRequest<Paths, Name>[],
    answer: take,
    hold: (operation) => hold(state, operation),
  }
}

function hold({ held }: State, operation: string): HeldAnswers {
  let release = (): void => undefined
  held.set(
    operation,
    new Promise((resolve) => {
      release = () => {
        held.delete(operation)
        resolve()
      }
    }),
  )
  return { release: () => release() }
}

async function answerTo(state: State, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : String(input), location.href)
  const request = await requestOf(state, url, init)
  state.requests.push(request)
  const handler = state.handlers.get(request.operation)
  if (!handler) return refuse(`${methodOf(init).toUpperCase()} ${request.address} was not expected. ${expectedOf(state)}`)
  await untilReleased(state.held.get(request.operation), init.signal)
  try {
    return responseOf(await handler(request))
  } catch (error) {
    if (error instanceof Refusal) throw new TypeError('fetch failed')
    return refuse(`The handler of ${request.operation} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
}

const methodOf = ({ method = 'GET' }: RequestInit): string => method.toLowerCase()

const expectedOf = ({ handlers }: State): string =>
  handlers.size === 0 ? 'The fake API answers nothing.' : `The fake API answers ${[...handlers.keys()].join(', ')}.`

/** Fails the test. What asked gets no answer. */
export function refuse(fault: string): never {
  reportFault(fault)
  throw new TypeError('fetch failed')
}

async function requestOf({ handlers }: State, url: URL, init: RequestInit): Promise<FakeRequest> {
  const method = methodOf(init)
  const found = [...handlers.keys()]
    .flatMap((name) => {
      const path = parametersOf(name, method, url.pathname)
      return path ? [{ name, path }] : []
    })
    // A path that names more of what was asked for is meant: `/import` rather than `/{prompt_id}`.
    .sort((one, other) => Object.keys(one.path).length - Object.keys(other.path).length)[0]
  const headers = new Headers(init.headers)
  const isJson = typeof init.body === 'string' && (headers.get('content-type')?.includes('json') ?? false)
  return {
    operation: found?.name ?? `${method} ${url.pathname}`,
    address: `${url.pathname}${url.search}`,
    path: found?.path ?? {},
    query: Object.fromEntries(url.searchParams),
    body: isJson ? (JSON.parse(init.body as string) as unknown) : (init.body ?? undefined),
    headers,
  }
}

/** The parameters of a path that fits an operation. */
function parametersOf(name: string, method: string, pathname: string): Readonly<Record<string, string>> | undefined {
  const [own, template = ''] = name.split(' ')
  const [parts, segments] = [template.split('/'), pathname.split('/')]
  if (own !== method || parts.length !== segments.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? ''
    const parameter = /^\{(\w+)\}$/.exec(part)?.[1]
    if (parameter === undefined && part !== segment) return undefined
    if (parameter !== undefined) found[parameter] = decodeURIComponent(segment)
  }
  return found
}

/** Waits for the test; a request that is given up is rejected as `fetch` does it. */
async function untilReleased(held: Promise<void> | undefined, signal: AbortSignal | null | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (!held) return
  const givenUp = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  await Promise.race([held, givenUp])
}

/** No answer came, as the test wanted. */
class Refusal extends Error {}

function responseOf(result: unknown): Response {
  if (result instanceof Response) return result
  if (!isAnswer(result)) return (result === undefined ? noContent : answer(result)).respond()
  try {
    return result.respond()
  } catch (cause) {
    throw new Refusal('No answer', { cause })
  }
}

const isAnswer = (result: unknown): result is FakeAnswer => typeof (result as Partial<FakeAnswer> | undefined)?.respond === 'function'

const noContent: FakeAnswer = { respond: () => new Response(null, { status: 204 }) }

/** What asks the service without a fake one. */
export const refuseAll: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : String(input), location.href)
  return refuse(`${methodOf(init).toUpperCase()} ${url.pathname}${url.search} was not expected: the test has no fakeApi.`)
}

export type { Handler }
