import { onAbort, processTimers, type TimeSource, timeLimitError } from '../async/index.js'
import { ServiceError } from '../core/errors.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { messageInvalidError, peerBusyError, processGoneError, remoteError } from './errors.js'
import type { MessageChannel } from './message-channel.js'

/** One side of a JSON-RPC 2.0 connection. */
export interface RequestPeer {
  /**
   * Sends a request and waits for the answer. @throws `process_remote_error` with the error of the
   * other side, `time_limit_exceeded`, `process_gone`, `process_peer_busy`, or the signal's reason.
   * After a time-out or an abort the other side is notified if `cancellation` is set.
   */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonValue>
  /** Sends a notification. */
  notify(method: string, params?: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** How many answers are waited for. */
  readonly pending: number
  /**
   * Resolves with the reason when the connection has ended; every pending request has failed then.
   * Never rejects.
   */
  readonly ended: Promise<Error>
}

/** Options of one request. */
export interface RequestOptions {
  /** Ends the wait with its reason. Default: only the limit does. */
  readonly signal?: AbortSignal
  /** In milliseconds. Default: that of the peer. */
  readonly limitMs?: number
}

/** Options of a peer. */
export interface RequestPeerOptions {
  /** Stands in errors as their subject. Default: `The process`. */
  readonly what?: string
  /** How long an answer may take if a request says nothing, in milliseconds. Default 60,000. */
  readonly limitMs?: number
  /** Requests that wait for an answer at once. Default 128. */
  readonly maxPending?: number
  /**
   * Requests of the other side that are answered at once; more are refused with -32000. Default 32.
   */
  readonly maxServed?: number
  /**
   * Answers the other side. What it throws becomes an error of JSON-RPC: of a `ServiceError` its
   * message, of anything else nothing. Default: -32601.
   */
  readonly onRequest?: (method: string, params: JsonValue | undefined, context: { readonly signal: AbortSignal }) => Promise<JsonValue>
  /** Receives notifications. Default: they are dropped. */
  readonly onNotification?: (method: string, params: JsonValue | undefined) => void
  /**
   * The notification that withdraws a request; MCP has `notifications/cancelled`. Default: the
   * other side is not notified.
   */
  readonly cancellation?: (id: number, reason: string) => { readonly method: string; readonly params: JsonObject }
  /** Default: the timers of the process. */
  readonly clock?: TimeSource
}

interface Waiting {
  settle(outcome: { readonly result: JsonValue } | { readonly error: Error }): void
}

/** Codes of JSON-RPC 2.0, section 5.1. */
const codes = { invalidRequest: -32600, unknownMethod: -32601, internal: -32603, busy: -32000 } as const

/**
 * Begins a conversation over a channel, whose messages it reads from now on. It ends with the
 * channel.
 */
export function createRequestPeer(channel: MessageChannel, options: RequestPeerOptions = {}): RequestPeer {
  const { what = 'The process', limitMs: usualMs = 60_000, maxPending = 128, clock = processTimers, cancellation } = options
  const waiting = new Map<number, Waiting>()
  const over = new AbortController()
  let lastId = 0

  const send = (message: JsonObject, signal?: AbortSignal): Promise<void> =>
    channel.send({ jsonrpc: '2.0', ...message }, signal && { signal })
  const withdraw = (id: number, reason: string): void => {
    if (cancellation) void send({ ...cancellation(id, reason) }).catch(() => undefined)
  }
  const answered = ({ id, result, error }: JsonObject): void => {
    const request = typeof id === 'number' ? waiting.get(id) : undefined
    // An answer that comes too late, or was never asked for, says nothing.
    request?.settle(error === undefined ? { result: result ?? null } : { error: errorOf(error) })
  }
  const serve = createServing(options, send, over.signal)
  const ended = readAll(channel, { answered, serve, noted: options.onNotification }).then((error): Error => {
    const reason = error ? error.message : 'it has closed its output.'
    const gone = processGoneError.create({ what, reason }, error && { cause: error })
    over.abort(gone)
    for (const request of [...waiting.values()]) request.settle({ error: gone })
    return gone
  })

  return {
    ended,
    get pending() {
      return waiting.size
    },
    async notify(method, params, { signal } = {}) {
      await send({ method, ...(params && { params }) }, signal)
    },
    async request(method, params, { signal, limitMs = usualMs } = {}) {
      signal?.throwIfAborted()
      over.signal.throwIfAborted()
      if (waiting.size >= maxPending) throw peerBusyError.create({ maxPending })
      lastId += 1
      const id = lastId
      return new Promise<JsonValue>((resolve, reject) => {
        const request: Waiting = {
          settle(outcome) {
            if (!waiting.delete(id)) return
            forget()
            void cancel()
            if ('error' in outcome) reject(outcome.error)
            else resolve(outcome.result)
          },
        }
        waiting.set(id, request)
        const cancel = clock.after(limitMs, () => {
          request.settle({ error: timeLimitError.create({ what: `${what}'s answer to “${method}”`, limitMs }) })
          withdraw(id, 'It took too long.')
        })
        const forget = onAbort(signal, (reason) => {
          request.settle({ error: reason as Error })
          withdraw(id, 'It is not wanted any more.')
        })
        send({ id, method, ...(params && { params }) }).catch((error: Error) => request.settle({ error }))
      })
    },
  }
}

interface Handlers {
  readonly answered: (message: JsonObject) => void
  readonly serve: (message: JsonObject) => void
  readonly noted: RequestPeerOptions['onNotification']
}

/** Reads until the end, and resolves with what ended it; `undefined` for an end in order. */
async function readAll({ messages }: MessageChannel, { answered, serve, noted }: Handlers): Promise<Error | undefined> {
  try {
    for await (const message of messages) {
      // A batch is what older revisions allow.
      for (const part of Array.isArray(message) ? message : [message]) {
        if (!isObject(part)) return messageInvalidError.create({ reason: 'a message is not an object.' })
        const { method, id, params } = part
        if (typeof method !== 'string') answered(part)
        else if (id === undefined || id === null) noted?.(method, params)
        else serve(part)
      }
    }
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function createServing(
  { onRequest, maxServed = 32 }: RequestPeerOptions,
  send: (message: JsonObject) => Promise<void>,
  signal: AbortSignal,
): (message: JsonObject) => void {
  let served = 0
  const answer = async (method: string, params: JsonValue | undefined): Promise<JsonObject> => {
    if (!onRequest) return failure(codes.unknownMethod, `Unknown method “${method.slice(0, 100)}”.`)
    if (served >= maxServed) return failure(codes.busy, 'Too many requests are being answered. Try again later.')
    served += 1
    try {
      return { result: await onRequest(method, params, { signal }) }
    } catch (error) {
      return failure(codes.internal, ServiceError.isInstance(error) && error.status < 500 ? error.message : 'The request failed.')
    } finally {
      served -= 1
    }
  }
  return ({ id = null, method, params }) => {
    // Where it cannot be sent any more, the conversation has ended, which is reported by itself.
    void answer(String(method), params).then((outcome) => send({ id, ...outcome }).catch(() => undefined))
  }
}

const isObject = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const failure = (code: number, message: string): JsonObject => ({ error: { code, message } })

function errorOf(error: JsonValue): Error {
  const { code, message, data } = isObject(error) ? error : ({} as JsonObject)
  return remoteError.create({
    remoteCode: typeof code === 'number' ? code : codes.invalidRequest,
    text: typeof message === 'string' ? message.slice(0, 2_000) : 'no message',
    ...(data !== undefined && { data }),
  })
}
