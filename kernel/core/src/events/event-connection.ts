import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { type PublishedEvent, resetEvent } from './published-event.js'

/** The queue limits of one reader. Beyond them it gets a reset and has to reconnect. */
export interface EventQueueLimits {
  readonly events: number
  readonly bytes: number
}

/** One reader of a user's stream. */
export interface EventConnection {
  /** Called for each event of the user, in order of number. Never waits. */
  push(event: PublishedEvent): void
  /** Drops the queue: the reader gets `reset` and the end. */
  reset(): void
  /** The reader's stream; may be iterated once. */
  readonly events: AsyncIterable<ServerSentEvent>
}

/**
 * Makes a connection. It ends when the signal, not yet aborted, is aborted or its iteration ends;
 * then `onEnd` is called once.
 */
export function createEventConnection(options: {
  readonly signal: AbortSignal
  readonly limits: EventQueueLimits
  readonly chatId: string | undefined
  /** The events before the live ones. */
  readonly opening: AsyncIterable<PublishedEvent | 'reset'>
  /** The position of a reset: everything after it follows. */
  readonly openingPosition: number
  /** The newest number, for the reset of a reader that is too slow. */
  readonly position: () => number
  /** Called when the reader gets a reset. Default: nothing. */
  readonly onReset?: (reason: string) => void
  readonly onEnd: () => void
}): EventConnection {
  const { signal, limits, chatId, opening, openingPosition, position, onReset, onEnd } = options
  const before = opening[Symbol.asyncIterator]()
  let isOpening = true
  const queue = createQueue(limits)
  let ended = false
  let tooSlow = false
  let wake: (() => void) | undefined

  const wakeReader = (): void => {
    wake?.()
    wake = undefined
  }
  const end = (): void => {
    if (ended) return
    ended = true
    signal.removeEventListener('abort', end)
    queue.clear()
    if (isOpening) void before.return?.()
    onEnd()
    wakeReader()
  }
  const concerns = (event: PublishedEvent): boolean => chatId === undefined || event.chatId === chatId

  /** The next event that is there; `undefined` if the reader has to wait. */
  const takeReady = (): IteratorResult<ServerSentEvent> | undefined => {
    if (ended) return over
    if (tooSlow) {
      onReset?.('too_slow')
      const value = resetEvent(position(), 'too_slow')
      end()
      return { done: false, value }
    }
    const event = queue.take()
    return event && { done: false, value: event.sent() }
  }
  const takeLive = async (): Promise<IteratorResult<ServerSentEvent>> => {
    for (;;) {
      const ready = takeReady()
      if (ready) return ready
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const takeOpening = async (): Promise<IteratorResult<ServerSentEvent>> => {
    try {
      while (!ended && !tooSlow) {
        const { done, value } = await before.next()
        if (done) break
        if (value === 'reset') {
          onReset?.('not_kept')
          return { done: false, value: resetEvent(openingPosition, 'not_kept') }
        }
        if (concerns(value)) return { done: false, value: value.sent() }
      }
    } catch (error) {
      end()
      throw error
    }
    if (!ended) void before.return?.()
    isOpening = false
    return takeLive()
  }

  signal.addEventListener('abort', end, { once: true })

  return {
    push(event) {
      if (ended || tooSlow || !concerns(event)) return
      if (queue.add(event)) wakeReader()
      else this.reset()
    },
    reset() {
      if (ended) return
      tooSlow = true
      queue.clear()
      wakeReader()
    },
    events: {
      [Symbol.asyncIterator]: () => ({
        next: () => (isOpening ? takeOpening() : takeLive()),
        async return() {
          end()
          return over
        },
      }),
    },
  }
}

const over: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined })

interface EventQueue {
  /** False if the queue is full. A single event above the limit still fits into an empty one. */
  add(event: PublishedEvent): boolean
  take(): PublishedEvent | undefined
  clear(): void
}

function createQueue(limits: EventQueueLimits): EventQueue {
  let events: PublishedEvent[] = []
  let bytes = 0
  return {
    add(event) {
      if (events.length > 0 && (events.length >= limits.events || bytes + event.bytes > limits.bytes)) return false
      events.push(event)
      bytes += event.bytes
      return true
    },
    take() {
      const event = events.shift()
      if (event) bytes -= event.bytes
      return event
    },
    clear() {
      events = []
      bytes = 0
    },
  }
}
