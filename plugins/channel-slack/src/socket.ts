import { createBoundedQueue, onAbort, type TimeSource } from '@agent-service/sdk/async'
import { callVendor, parsedJson, textOf, type Values, valuesOf } from '@agent-service/sdk/channels'
import { channelUnauthorizedError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import type WebSocket from 'ws'
import { slack } from './refusals.js'

/** What Slack sends to be acknowledged. */
export interface Envelope {
  readonly id: string
  readonly type: string
  readonly payload: Values
}

/** A connection of Socket Mode that has been greeted. */
export interface SlackSocket {
  /**
   * What comes, once. Ends when Slack asks to connect again. @throws `channel_unavailable` when the
   * connection is lost, `channel_unauthorized` when Socket Mode was switched off.
   */
  readonly envelopes: AsyncIterable<Envelope>
  /** Tells Slack that an envelope is stored. Resolves when it was written. */
  acknowledge(id: string): Promise<void>
  /** Closes the connection at once. */
  close(): void
}

/** How a connection is opened. */
export interface SocketOptions {
  readonly url: URL
  readonly clock: TimeSource
  readonly limitMs: number
  /** A connection on which nothing comes for one or two of these is lost. */
  readonly beatMs: number
  readonly signal: AbortSignal
}

/** Larger envelopes end the connection. Slack's own messages have at most 40,000 characters. */
const maxEnvelopeBytes = 16 * 1_048_576

/** From so many envelopes that wait on nothing more is read from the network. */
const pauseAt = 16
const maxWaiting = 1_000

/** Opens a connection and waits for its greeting. It closes when the signal is aborted. */
export async function openSocket({ url, clock, limitMs, beatMs, signal }: SocketOptions): Promise<SlackSocket> {
  const { default: Socket } = await import('ws')
  signal.throwIfAborted()
  const socket: WebSocket = new Socket(url, { maxPayload: maxEnvelopeBytes, perMessageDeflate: false, handshakeTimeout: limitMs })
  const queue = createBoundedQueue<Envelope>({ maxItems: maxWaiting })
  let isGreeted = false
  let isOver = false
  let isHeard = true
  let cancelBeat: () => unknown = () => undefined
  const greeted = new Promise<void>((resolve, reject) => {
    const end = (error?: Error): void => {
      isOver = true
      cancelBeat()
      queue.close(error)
      reject(error ?? lost('it asks to connect again'))
    }
    const beat = (): void => {
      if (!isHeard && !socket.isPaused) {
        end(lost('it no longer answers'))
        socket.terminate()
        return
      }
      isHeard = false
      socket.ping()
      cancelBeat = clock.after(beatMs, beat)
    }
    socket.on('open', beat)
    socket.on('ping', () => {
      isHeard = true
    })
    socket.on('pong', () => {
      isHeard = true
    })
    socket.on('error', (cause) => end(lost('the connection broke', cause)))
    socket.on('close', () => end(lost('the connection has ended')))
    socket.on('message', (data, isBinary) => {
      isHeard = true
      const frame = valuesOf(isBinary ? undefined : parsedJson(String(data)))
      if (frame['type'] === 'hello') {
        isGreeted = true
        resolve()
      } else if (frame['type'] === 'disconnect') end(farewell(frame['reason']))
      else take(frame, end)
    })
  })
  const take = (frame: Values, end: (error: Error) => void): void => {
    const id = textOf(frame['envelope_id'])
    // What comes after the farewell is not acknowledged: Slack delivers it again on the next connection.
    if (id === undefined || !isGreeted || isOver) return
    if (queue.offer({ id, type: String(frame['type']), payload: valuesOf(frame['payload']) })) {
      if (queue.size >= pauseAt) socket.pause()
    } else {
      end(lost('more came than could be stored'))
      socket.terminate()
    }
  }
  const forget = onAbort(signal, () => socket.terminate())
  const close = (): void => {
    forget()
    socket.terminate()
  }
  try {
    await callVendor(() => greeted, { channel: slack, signal, limitMs })
  } catch (error) {
    close()
    throw error
  }
  return {
    envelopes: read(queue, socket),
    acknowledge: (id) =>
      new Promise((resolve, reject) => {
        socket.send(JSON.stringify({ envelope_id: id }), (error) => (error ? reject(lost('the connection broke', error)) : resolve()))
      }),
    close,
  }
}

async function* read(queue: AsyncIterable<Envelope> & { readonly size: number }, socket: WebSocket): AsyncGenerator<Envelope> {
  for await (const envelope of queue) {
    if (socket.isPaused && queue.size < pauseAt) socket.resume()
    yield envelope
  }
}

/** Slack connects anew every few hours; an administrator can switch the connections off. */
const farewell = (reason: unknown): Error | undefined =>
  reason === 'link_disabled' ? channelUnauthorizedError.create({ channel: slack, reason: 'revoked' }) : undefined

const lost = (reason: string, cause?: unknown): Error => channelUnavailableError.create({ channel: slack, reason }, { cause })
