import type { Disposer } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type PublishedEvent, resetEvent } from './published-event.js'

/** The queue limits of one reader. Beyond them it gets a reset and has to reconnect. */
export interface EventQueueLimits {
  readonly events: number
  readonly bytes: number
}

/** The comment that a connection sends while there are no events. */
const commentEveryMs = 15_000
const heartbeat: ServerSentEvent = Object.freeze({ comment: 'still here' })

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
  readonly clock: Clock
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
  const { clock, signal, limits, chatId, opening, openingPosition, position, onReset, onEnd } = options
  let queue: PublishedEvent[] = []
  let bytes = 0
  let ended = false
  let tooSlow = false
  let commentDue = false
  let wake: () => void = () => undefined
  let stopComments: Disposer = () => undefined

  const scheduleComment = (): void => {
    stopComments = clock.after(commentEveryMs, () => {
      commentDue = true
      wake()
      scheduleComment()
    })
  }
  const forget = (): void => {
    queue = []
    bytes = 0
  }
  const end = (): void => {
    if (ended) return
    ended = true
    signal.removeEventListener('abort', end)
    void stopComments()
    forget()
    onEnd()
    wake()
  }
  const concerns = (event: PublishedEvent): boolean => chatId === undefined || event.chatId === chatId

  async function* read(): AsyncGenerator<ServerSentEvent, void, undefined> {
    try {
      for await (const event of opening) {
        if (ended || tooSlow) break
        if (event === 'reset') {
          onReset?.('not_kept')
          yield resetEvent(openingPosition, 'not_kept')
        } else if (concerns(event)) yield event.sent()
      }
      while (!ended) {
        if (tooSlow) {
          onReset?.('too_slow')
          yield resetEvent(position(), 'too_slow')
          return
        }
        if (commentDue) {
          commentDue = false
          yield heartbeat
          continue
        }
        const next = queue.shift()
        if (next) {
          bytes -= next.bytes
          yield next.sent()
          continue
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    } finally {
      end()
    }
  }

  const reader = read()
  signal.addEventListener('abort', end, { once: true })
  scheduleComment()

  return {
    push(event) {
      if (ended || tooSlow || !concerns(event)) return
      // A single event above the limit still passes if the queue is empty.
      if (queue.length > 0 && (queue.length >= limits.events || bytes + event.bytes > limits.bytes)) {
        this.reset()
        return
      }
      queue.push(event)
      bytes += event.bytes
      wake()
    },
    reset() {
      if (ended) return
      tooSlow = true
      forget()
      wake()
    },
    events: {
      [Symbol.asyncIterator]: () => ({
        next: () => reader.next(),
        return() {
          end()
          return reader.return()
        },
      }),
    },
  }
}
