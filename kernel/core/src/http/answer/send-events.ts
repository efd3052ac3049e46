import type { Disposer } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { HttpLimits } from '../http-options.js'
import { ClientDisconnectedError, type EndReason, type Exchange } from '../request/exchange.js'
import { endIteration, whileConnected } from './send-stream.js'

/**
 * How much is passed to the socket at once: the unit in which a slow client's progress is measured.
 */
const sliceBytes = 64 * 1024
/**
 * Frames that are together no larger than this are sent as one piece, which is cheaper than one by
 * one.
 */
const joinedBytes = 4 * 1024

/** The limits of a stream of events. */
export type StreamLimits = Pick<HttpLimits, 'maxUnsentBytes' | 'maxStalledMs' | 'eventCommentMs'>
export type StreamClock = Pick<Clock, 'monotonic' | 'after'>

/** Sent while there are no events. */
const stillHere: ServerSentEvent = Object.freeze({ comment: 'still here' })

/**
 * Sends server-sent events until they end, the client disconnects, or {@link Exchange.closeEarly}
 * is called, which sends a closing event with a time to reconnect. Up to `maxUnsentBytes` wait for
 * a slow client; then no further event is fetched, and a client that reads nothing for
 * `maxStalledMs` is disconnected. After `eventCommentMs` without an event a comment is sent, since proxies and content
 * delivery networks end connections that are silent for a minute or two. The iteration is always ended with `return()`.
 */
export async function sendEvents(
  exchange: Exchange,
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly events: AsyncIterable<ServerSentEvent> },
  { clock, ...limits }: StreamLimits & { readonly clock: StreamClock },
): Promise<void> {
  const { response, controller } = exchange
  response.statusCode = answer.status
  response.setHeader('x-accel-buffering', 'no')
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  // A proxy that compresses holds events back until it has enough of them.
  response.setHeader('cache-control', `${answer.headers['cache-control'] ?? 'no-store'}, no-transform`)
  response.setHeader('content-type', 'text/event-stream')
  response.flushHeaders()
  const iterator = answer.events[Symbol.asyncIterator]()
  const outbox = createOutbox(exchange, limits, clock)
  const stopComments = exchange.method === 'HEAD' ? () => undefined : sendComments(outbox, clock, limits.eventCommentMs)
  let closingReason: EndReason | undefined
  let interrupt: () => void = () => undefined
  exchange.closeEarly = (reason) => {
    closingReason ??= reason
    interrupt()
  }
  const aborted = () => interrupt()
  controller.signal.addEventListener('abort', aborted)
  /** The next event; `undefined` if the stream has to end during the wait. */
  const next = () =>
    new Promise<IteratorResult<ServerSentEvent> | undefined>((resolve, reject) => {
      interrupt = () => resolve(undefined)
      if (controller.signal.aborted || closingReason !== undefined) interrupt()
      else iterator.next().then(resolve, reject)
    })
  try {
    while (exchange.method !== 'HEAD') {
      const result = await next()
      if (!result || result.done) break
      const room = outbox.add(frameOf(result.value))
      if (room) await room
    }
    if (controller.signal.aborted) throw controller.signal.reason
    if (closingReason !== undefined) await outbox.add(closingEvent(closingReason))
    await outbox.flushed()
    response.end()
  } catch (error) {
    controller.abort(error)
    response.destroy()
    throw error
  } finally {
    stopComments()
    controller.signal.removeEventListener('abort', aborted)
    controller.abort(new ClientDisconnectedError('The stream has ended.'))
    endIteration(iterator)
  }
}

/**
 * States the reason, and asks the client to reconnect in one to five seconds, so that clients do
 * not all come at once. At a restart in place they come sooner: their connections wait at the door.
 */
function closingEvent(reason: EndReason): Buffer {
  const retry = reason === 'restarting' ? 50 + Math.random() * 450 : 1_000 + Math.random() * 4_000
  return frameOf({ event: 'closing', retry, data: JSON.stringify({ reason }) })
}

/** Adds a comment after each silence, but none behind data that the client has not read. Returns how to stop. */
function sendComments(outbox: ReturnType<typeof createOutbox>, clock: StreamClock, everyMs: number): () => void {
  let stop: Disposer = () => undefined
  const wait = (milliseconds: number): void => {
    stop = clock.after(milliseconds, () => {
      const silentMs = clock.monotonic() - outbox.lastAt()
      const isDue = silentMs >= everyMs
      if (isDue && outbox.unsent() === 0) void outbox.add(frameOf(stillHere))
      wait(isDue ? everyMs : everyMs - silentMs)
    })
  }
  wait(everyMs)
  return () => void stop()
}

/**
 * The unsent frames of one client, passed to the socket in slices so that progress can be measured.
 * Large frames are shared with other clients, not copied.
 */
function createOutbox(exchange: Exchange, limits: Pick<StreamLimits, 'maxUnsentBytes' | 'maxStalledMs'>, clock: StreamClock) {
  const { response, controller } = exchange
  const frames: Buffer[] = []
  let unsent = 0
  let lastAt = clock.monotonic()
  let writing = false
  let scheduled = false
  let progressed: () => void = () => undefined

  const pump = () => {
    if (writing || response.destroyed || frames.length === 0) return
    writing = true
    const { slice, size } = takeSlice(frames, sliceBytes)
    const pieces = slice.length > 1 && size <= joinedBytes ? [Buffer.concat(slice, size)] : slice
    const taken = () => {
      writing = false
      unsent -= size
      exchange.onProgress?.(unsent > 0)
      progressed()
      pump()
    }
    response.cork()
    for (const [index, bytes] of pieces.entries()) {
      if (index === pieces.length - 1) response.write(bytes, taken)
      else response.write(bytes)
    }
    response.uncork()
  }

  /**
   * Runs after everything that is ready now, so that the events of one commit are sent together.
   */
  const pumpSoon = () => {
    if (scheduled || writing) return
    scheduled = true
    process.nextTick(() => {
      scheduled = false
      pump()
    })
  }

  /**
   * Waits until at most `target` bytes are unsent; every slice that is sent restarts the timeout.
   */
  const waitUntilBelow = async (target: number) => {
    while (unsent > target) {
      let timer: NodeJS.Timeout | undefined
      const progress = new Promise<void>((resolve, reject) => {
        progressed = resolve
        timer = setTimeout(() => reject(new ClientDisconnectedError('The client stopped reading.')), limits.maxStalledMs)
        timer.unref()
      })
      try {
        await whileConnected(progress, controller.signal)
      } finally {
        clearTimeout(timer)
      }
    }
  }

  return {
    /** Returns a promise only if there is no room for a further frame yet. */
    add(frame: Buffer): Promise<void> | undefined {
      if (unsent === 0) exchange.onProgress?.(true)
      frames.push(frame)
      unsent += frame.byteLength
      lastAt = clock.monotonic()
      pumpSoon()
      return unsent > limits.maxUnsentBytes ? waitUntilBelow(limits.maxUnsentBytes) : undefined
    },
    flushed: () => waitUntilBelow(0),
    unsent: (): number => unsent,
    /** When a frame was last added. */
    lastAt: (): number => lastAt,
  }
}

/** Takes whole frames from the front, up to `maxBytes`, or a part of the first if it is larger. */
function takeSlice(frames: Buffer[], maxBytes: number): { readonly slice: readonly Buffer[]; readonly size: number } {
  let [count, size] = [0, 0]
  for (const { byteLength } of frames) {
    if (size + byteLength > maxBytes) break
    size += byteLength
    count += 1
  }
  if (count > 0) return { slice: frames.splice(0, count), size }
  const part = frames[0]?.subarray(0, maxBytes) ?? Buffer.alloc(0)
  frames[0] = frames[0]?.subarray(maxBytes) ?? part
  return { slice: [part], size: part.byteLength }
}

const frames = new WeakMap<ServerSentEvent, Buffer>()

/**
 * The bytes of one event. For a frozen event they are made once, however many streams it is sent
 * to, and kept as long as the event. They must not be changed.
 */
export function frameOf(event: ServerSentEvent): Buffer {
  const known = frames.get(event)
  if (known) return known
  const frame = Buffer.from(formatServerSentEvent(event))
  if (Object.isFrozen(event)) frames.set(event, frame)
  return frame
}

/**
 * One event in the wire format of server-sent events. Data with line breaks becomes several lines.
 * @throws a `TypeError` if `id` or `event` has a line break, which they cannot carry.
 */
export function formatServerSentEvent(event: ServerSentEvent): string {
  if ('comment' in event)
    return `${linesOf(event.comment)
      .map((line) => `: ${line}`)
      .join('\n')}\n\n`
  const fields: string[] = []
  if (event.id !== undefined) fields.push(`id: ${singleLine('id', event.id)}`)
  if (event.event !== undefined) fields.push(`event: ${singleLine('event', event.event)}`)
  if (event.retry !== undefined) fields.push(`retry: ${Math.max(0, Math.round(event.retry))}`)
  for (const line of linesOf(event.data)) fields.push(`data: ${line}`)
  return `${fields.join('\n')}\n\n`
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/)

function singleLine(field: string, text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TypeError(`The ${field} of a server-sent event must not contain a line break or NUL.`)
  return text
}
