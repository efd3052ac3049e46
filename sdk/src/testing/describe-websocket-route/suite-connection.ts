import { connectionClosedError } from '../../contracts/websocket-route/errors.js'
import type { WebSocketConnection, WebSocketMessage, WebSocketRoute } from '../../contracts/websocket-route/route.js'
import { pathOf, suitePrincipal } from '../describe-http-route/suite-request.js'
import type { WebSocketRouteExample } from './suite-options.js'

/**
 * A connection without a network: it records what the handler sends, and the suite is its client.
 */
export interface SuiteConnection {
  readonly connection: WebSocketConnection
  readonly received: readonly WebSocketMessage[]
  /** Resolves after that many messages, or when the connection has ended. */
  until(count: number): Promise<void>
  /** The handler's close code. */
  readonly closedWith: () => number | undefined
  /** The handler's close reasons. */
  readonly reasons: readonly string[]
  /** What the handler did that no connection can carry out. */
  readonly wrong: readonly string[]
  /** The maximum number of unsent messages. */
  readonly mostWaiting: () => number
  /** Disconnects the client. */
  leave(): void
}

/** The close codes that a handler may give, beside those of applications. */
const closeCodes: ReadonlySet<number> = new Set([1000, 1008, 1011])
const maxReasonBytes = 123

/** What kind of client the suite is. */
export interface SuiteClient {
  /** Whether it takes what is sent. Default true. */
  readonly reads?: boolean
  /** Whether it offers the first subprotocol of the route. Default true. */
  readonly offersSubprotocol?: boolean
}

/**
 * How often a handler may send in vain: one that tries for ever would leave the event loop to nothing
 * else, so that no test could fail.
 */
const maxVainSends = 1_000

/** Makes a connection whose client sends the messages of an example. */
export function createSuiteConnection(
  route: WebSocketRoute,
  example: WebSocketRouteExample,
  { reads = true, offersSubprotocol = true }: SuiteClient = {},
): SuiteConnection {
  const controller = new AbortController()
  const received: WebSocketMessage[] = []
  const wrong: string[] = []
  const reasons: string[] = []
  const waiting = [...structuredClone(example.sends ?? [])]
  const listeners = new Set<() => void>()
  let closeCode: number | undefined
  let onTheirWay = 0
  let most = 0
  let vainSends = 0
  let isGone = false
  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const end = (): void => {
    controller.abort(new DOMException('The WebSocket has ended.', 'AbortError'))
    tell()
  }
  const ended = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve(), { once: true }))
  const closed = (): Error => connectionClosedError.create({ code: closeCode ?? 1001, reason: '' })

  const connection: WebSocketConnection = {
    request: requestOf(route, example, offersSubprotocol),
    messages: {
      async *[Symbol.asyncIterator]() {
        for (const message of waiting.splice(0)) {
          if (controller.signal.aborted) return
          yield message
        }
        await ended
      },
    },
    async send(message) {
      if (controller.signal.aborted) {
        vainSends += 1
        if (vainSends > maxVainSends) await new Promise(() => undefined)
        throw closed()
      }
      const carried = structuredClone(message)
      onTheirWay += 1
      most = Math.max(most, onTheirWay)
      if (!reads) {
        await ended
        throw closed()
      }
      // The socket accepts it in a later turn, which reveals a handler that does not wait.
      await new Promise((resolve) => setImmediate(resolve))
      onTheirWay -= 1
      if (isGone) throw closed()
      received.push(carried)
      tell()
    },
    async close(code = 1000, reason = '') {
      if (!(closeCodes.has(code) || (code >= 3000 && code <= 4999)))
        wrong.push(`the close code ${code}; expected 1000, 1008, 1011, or 3000 to 4999`)
      const bytes = Buffer.byteLength(reason)
      if (bytes > maxReasonBytes) wrong.push(`a close reason of ${bytes} bytes; at most ${maxReasonBytes} fit`)
      closeCode ??= code
      reasons.push(reason)
      end()
    },
    signal: controller.signal,
  }
  return {
    connection: Object.freeze(connection),
    received,
    closedWith: () => closeCode,
    wrong,
    reasons,
    mostWaiting: () => most,
    leave() {
      isGone = true
      end()
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count && !controller.signal.aborted) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
      }),
  }
}

function requestOf(
  route: WebSocketRoute,
  { params = {}, query = {}, headers = {}, principal }: WebSocketRouteExample,
  offersSubprotocol: boolean,
) {
  const caller = principal ?? suitePrincipal(route.auth)
  const [subprotocol] = route.subprotocols ?? []
  return structuredClone({
    path: pathOf(route.path, params),
    ...{ params, query, headers },
    ...(offersSubprotocol && subprotocol !== undefined && { subprotocol }),
    ...(caller && { principal: caller }),
    requestId: '0199a3f0-6f1c-7c3e-9d0a-4a3c1f0f8b52',
    address: '192.0.2.1',
    loopback: false,
  })
}
