import { createLimiter, type Limiter, onAbort, readBytes, tooManyWaitingError } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type HttpClient,
  type HttpClientRequest,
  type HttpClientStream,
  httpClientBusyError,
  httpTimeoutError,
} from '@agent-service/sdk/services/http-client'
import { type AddressGuard, createAddressGuard } from './address-guard.js'
import { type CheckedRequest, checkRequest } from './check-request.js'
import { type Connections, createConnections, type Resolve } from './connections.js'
import { decodeBody } from './decode-body.js'
import { followRedirects } from './follow-redirects.js'
import type { NetworkPermission } from './network-permission.js'
import { type Hop, type HopAnswer, sendHop } from './send-hop.js'

const maxHeldBytes = 64 * 1024 * 1024
const maxStreamedBytes = 4 * 1024 * 1024 * 1024
const perOrigin = { maxConcurrent: 8, maxWaiting: 64 }
const overall = { maxConcurrent: 128, maxWaiting: 512 }

/** Options of {@link createHttpClient}. */
export interface HttpClientOptions {
  readonly permission: NetworkPermission
  readonly clock: Clock
  /** The origins of the service itself, which are refused. */
  readonly ownOrigins: () => readonly string[]
  /** Default: the resolver of the operating system. */
  readonly resolve?: Resolve
  /** Certificates of further trusted authorities besides those of Node, in PEM. Default: none. */
  readonly trusted?: readonly string[]
}

/** A client that its owner closes. */
export interface OwnedHttpClient {
  readonly client: HttpClient
  /** Closes all connections and ends their requests. */
  close(): Promise<void>
}

interface ClientState {
  readonly guard: AddressGuard
  readonly connections: Connections
  readonly clock: Clock
  readonly all: Limiter
  readonly origins: Map<string, Limiter>
}

/** Makes a client without connections; the HTTP library is loaded with the first request. */
export function createHttpClient({ permission, clock, ownOrigins, ...options }: HttpClientOptions): OwnedHttpClient {
  const guard = createAddressGuard({ permission, ownOrigins })
  const connections = createConnections({ guard, maxPerOrigin: perOrigin.maxConcurrent, ...options })
  const state: ClientState = { guard, connections, clock, all: createLimiter(overall), origins: new Map() }
  const open = (request: HttpClientRequest, signal: AbortSignal, maxBodyBytes: number) => {
    const checked = checkRequest(request, maxBodyBytes)
    signal.throwIfAborted()
    return openAnswer(checked, signal, state)
  }
  return {
    client: Object.freeze<HttpClient>({
      async request(request, { signal }) {
        const { body, close, ...head } = await open(request, signal, maxHeldBytes)
        return { ...head, body: await readBytes(body, { maxBytes: maxHeldBytes }).finally(close) }
      },
      stream: async (request, { signal }) => open(request, signal, maxStreamedBytes),
    }),
    close: () => connections.close(),
  }
}

/**
 * Sends a checked request. Its time limit runs, and it counts as active, until the body has ended.
 */
async function openAnswer(request: CheckedRequest, signal: AbortSignal, state: ClientState): Promise<HttpClientStream> {
  const time = limitedTime(request, signal, state.clock)
  let current: HeldHop | undefined
  const close = async (): Promise<void> => {
    time.end()
    current?.answer.end()
    current?.release()
  }
  try {
    const { answer, url, redirects } = await followRedirects(request, async (hop) => {
      current?.release()
      current = await sendHeld(hop, request, time.signal, state)
      return current.answer
    })
    const encoding = request.method === 'HEAD' ? undefined : answer.headers['content-encoding']
    const body = decodeBody(answer.body, { host: url.hostname, encoding, maxBytes: request.maxBodyBytes })
    // A response that is not read stops counting as active when its time is over.
    onAbort(time.signal, () => void close())
    return { status: answer.status, headers: answer.headers, url: url.href, redirects, body: closing(body, time.signal, close), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface HeldHop {
  readonly answer: HopAnswer
  readonly release: () => void
}

/** Checks a hop, waits for its turn, and sends it. */
async function sendHeld(hop: Hop, request: CheckedRequest, signal: AbortSignal, state: ClientState): Promise<HeldHop> {
  state.guard.checkUrl(hop.url, request.scope)
  const release = await takeTurn(hop.url, signal, state)
  try {
    const agent = await state.connections.agentFor(request.scope.allowPrivate)
    const { headersMs, idleMs } = request
    return { answer: await sendHop(hop, { agent, clock: state.clock, headersMs, idleMs, signal }), release }
  } catch (error) {
    release()
    throw error
  }
}

async function takeTurn(url: URL, signal: AbortSignal, { all, origins }: ClientState): Promise<() => void> {
  const own = origins.get(url.origin) ?? createLimiter(perOrigin)
  origins.set(url.origin, own)
  const forget = (): void => {
    if (own.active === 0 && own.waiting === 0) origins.delete(url.origin)
  }
  try {
    const leaveOrigin = await own.acquire({ signal })
    const leave = (): void => {
      leaveOrigin()
      forget()
    }
    try {
      const leaveAll = await all.acquire({ signal })
      return () => {
        leaveAll()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  } catch (error) {
    forget()
    if (tooManyWaitingError.isInstance(error))
      throw httpClientBusyError.create({ host: url.hostname }, { cause: error, retryAfterSeconds: 1 })
    throw error
  }
}

/** A signal that is aborted by the caller's signal or by the time limit. */
function limitedTime({ url, totalMs }: CheckedRequest, signal: AbortSignal, clock: Clock): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const cancel = clock.after(totalMs, () =>
    controller.abort(httpTimeoutError.create({ host: url.hostname, what: 'the whole request', limitMs: totalMs })),
  )
  const forget = onAbort(signal, (reason) => controller.abort(reason))
  return {
    signal: controller.signal,
    end() {
      void cancel()
      forget()
    },
  }
}

async function* closing(body: AsyncIterable<Uint8Array>, signal: AbortSignal, close: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    signal.throwIfAborted()
    for await (const piece of body) {
      yield piece
      signal.throwIfAborted()
    }
  } finally {
    await close()
  }
}
