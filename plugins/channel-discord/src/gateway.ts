import { createBoundedQueue, onAbort, type TimeSource } from '@agent-service/sdk/async'
import { callVendor, parsedJson, textOf, type Values, valuesOf } from '@agent-service/sdk/channels'
import { channelUnauthorizedError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import type WebSocket from 'ws'
import { discord } from './api.js'

/** Where a session at the gateway goes on. */
export interface Resumption {
  readonly sessionId: string
  readonly url: string
  readonly sequence: number
}

/** An event, with where to go on after it. */
export interface GatewayEvent {
  readonly type: string
  readonly data: Values
  /** Undefined after the session has become invalid. */
  readonly next: Resumption | undefined
}

/** A connection on which the bot is known. */
export interface Gateway {
  /** What comes, once. Ends when Discord asks to connect again. @throws `channel_unavailable`, `channel_unauthorized`. */
  readonly events: AsyncIterable<GatewayEvent>
  close(): void
}

export interface GatewayOptions {
  readonly url: URL
  readonly token: string
  readonly resumption: Resumption | undefined
  readonly clock: TimeSource
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Messages of servers and of single persons, with their content. */
const intents = (1 << 9) | (1 << 12) | (1 << 15)

const maxFrameBytes = 16 * 1_048_576
const pauseAt = 16
const maxWaiting = 1_000

/** Connects, and identifies the bot or resumes its session. A session that cannot be resumed begins anew. */
export async function openGateway({ url, token, resumption, clock, limitMs, signal }: GatewayOptions): Promise<Gateway> {
  const { default: Socket } = await import('ws')
  signal.throwIfAborted()
  const socket: WebSocket = new Socket(url, { maxPayload: maxFrameBytes, perMessageDeflate: false, handshakeTimeout: limitMs })
  const queue = createBoundedQueue<GatewayEvent>({ maxItems: maxWaiting })
  let next = resumption
  let isResuming = resumption !== undefined
  let isReady = false
  let isOver = false
  let isHeard = true
  let sequence = resumption?.sequence ?? null
  let cancelBeat: () => unknown = () => undefined
  let cancelWait: () => unknown = () => undefined
  const say = (op: number, d: unknown): void => socket.send(JSON.stringify({ op, d }), () => undefined)
  const identify = (): void =>
    isResuming
      ? say(6, { token, session_id: next?.sessionId, seq: next?.sequence })
      : say(2, { token, intents, properties: { os: process.platform, browser: 'agent-service', device: 'agent-service' } })
  const ready = new Promise<void>((resolve, reject) => {
    const end = (error?: Error): void => {
      isOver = true
      cancelBeat()
      cancelWait()
      queue.close(error)
      reject(error ?? lost('it asks to connect again'))
    }
    const beat = (everyMs: number): void => {
      if (!isHeard && !socket.isPaused) {
        end(lost('it no longer answers'))
        socket.terminate()
        return
      }
      isHeard = false
      say(1, sequence)
      cancelBeat = clock.after(everyMs, () => beat(everyMs))
    }
    const dispatch = (type: string, data: Values): void => {
      if (type === 'READY' || type === 'RESUMED') {
        isReady = true
        if (type === 'READY')
          next = { sessionId: String(data['session_id']), url: String(data['resume_gateway_url']), sequence: sequence ?? 0 }
        resolve()
      }
      if (next !== undefined) next = { ...next, sequence: sequence ?? 0 }
      if (!queue.offer({ type, data, next })) {
        end(lost('more came than could be stored'))
        socket.terminate()
      } else if (queue.size >= pauseAt) socket.pause()
    }
    const invalid = (canResume: unknown): void => {
      if (!isReady && isResuming) {
        isResuming = false
        next = undefined
        sequence = null
        // Discord asks to wait one to five seconds before a new session.
        cancelWait = clock.after(1_000, identify)
        return
      }
      if (canResume !== true) queue.offer({ type: 'INVALID', data: {}, next: undefined })
      end()
    }
    socket.on('error', (cause) => end(lost('the connection broke', cause)))
    socket.on('close', (code) => end(closeErrorOf(code)))
    socket.on('message', (bytes, isBinary) => {
      const frame = valuesOf(isBinary || isOver ? undefined : parsedJson(String(bytes)))
      const data = valuesOf(frame['d'])
      switch (frame['op']) {
        case 0:
          if (typeof frame['s'] === 'number') sequence = frame['s']
          return dispatch(textOf(frame['t']) ?? '', data)
        case 1:
          return say(1, sequence)
        case 7:
          return end()
        case 9:
          return invalid(frame['d'])
        case 10: {
          const everyMs = Number(data['heartbeat_interval'])
          if (!(everyMs >= 1_000 && everyMs <= 600_000)) return end(lost('its greeting cannot be read'))
          identify()
          cancelBeat()
          cancelBeat = clock.after(everyMs * Math.random(), () => beat(everyMs))
          return
        }
        case 11:
          isHeard = true
      }
    })
  })
  const forget = onAbort(signal, () => socket.terminate())
  const close = (): void => {
    forget()
    cancelBeat()
    // A close with the usual code would end the session, which then could not be resumed.
    socket.terminate()
  }
  try {
    await callVendor(() => ready, { channel: discord, signal, limitMs })
  } catch (error) {
    close()
    throw error
  }
  return { events: read(queue, socket), close }
}

async function* read(queue: AsyncIterable<GatewayEvent> & { readonly size: number }, socket: WebSocket): AsyncGenerator<GatewayEvent> {
  for await (const event of queue) {
    if (socket.isPaused && queue.size < pauseAt) socket.resume()
    yield event
  }
}

/** 4004: the token; 4013 and 4014: an intent that the bot does not have. */
function closeErrorOf(code: number): Error {
  if (code === 4004) return channelUnauthorizedError.create({ channel: discord, reason: 'revoked' })
  if (code === 4013 || code === 4014) return channelUnauthorizedError.create({ channel: discord, reason: 'missing_permission' })
  return lost('the connection has ended')
}

const lost = (reason: string, cause?: unknown): Error => channelUnavailableError.create({ channel: discord, reason }, { cause })
