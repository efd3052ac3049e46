import { defineError, type JsonObject } from '@agent-service/sdk'
import type { EventName, Events } from '@agent-service/sdk/services/events'
import type { CommittedRunEvents } from '../log/run-log.js'

/** How much may wait for a listener who does not keep up: UTF-16 code units of text, and events. */
const maximumLength = 4_000_000
const maximumEvents = 20_000

/** A listener in this process did not keep up with a run. The run goes on. */
export const listenerTooSlowError = defineError<Record<string, never>>({
  code: 'listener_too_slow',
  status: 503,
  title: 'Not read fast enough',
  message: () => 'The answer was not read as fast as it came. It goes on in its chat.',
})

/** What a run told: an event of its chat, as those who watch from outside get it. */
export interface WatchedEvent {
  readonly name: EventName
  readonly runId: string
  readonly data: JsonObject
}

/** One listener to the runs of one chat. */
export interface Watch {
  /** The next event; waits for it. @throws the signal's reason, `listener_too_slow`. One call at a time. */
  next(signal: AbortSignal): Promise<WatchedEvent | 'ended'>
  /** Puts the end behind everything that was told. */
  end(): void
  /** Stops listening. */
  close(): void
}

/**
 * Tells those who watch a chat's runs from inside this process: deltas at once, state events once the transaction that they report is committed, in the
 * order in which they came. Deltas that follow each other wait as one.
 */
export interface RunWatchers extends CommittedRunEvents {
  /** Listens from now on. `restarts: 'never'`: text that was told cannot be taken back. */
  watch(chatId: string, options?: { readonly restarts?: 'never' }): Watch
  /** Whether somebody watches this chat who cannot take text back. */
  showForGood(chatId: string): boolean
  /** The users' streams, with every delta told here too. */
  through(events: Events): Events
}

interface Listener {
  readonly restarts: 'never' | undefined
  push(event: WatchedEvent): void
}

export function createRunWatchers(): RunWatchers {
  const listeners = new Map<string, Set<Listener>>()

  const publish = (chatId: unknown, event: WatchedEvent): void => {
    if (typeof chatId !== 'string') return
    for (const listener of listeners.get(chatId) ?? []) listener.push(event)
  }

  return {
    watch(chatId, { restarts } = {}) {
      const queue = createQueue()
      const listener: Listener = { restarts, push: queue.push }
      const there = listeners.get(chatId) ?? new Set()
      listeners.set(chatId, there.add(listener))
      return {
        next: queue.next,
        end: queue.end,
        close() {
          there.delete(listener)
          if (there.size === 0 && listeners.get(chatId) === there) listeners.delete(chatId)
        },
      }
    },
    showForGood: (chatId) => [...(listeners.get(chatId) ?? [])].some(({ restarts }) => restarts === 'never'),
    tell(run, events) {
      if (!listeners.has(run.chat_id)) return
      for (const { name, data } of events) publish(run.chat_id, { name, runId: run.id, data })
    },
    through: (events) => ({
      record: (transaction, event) => events.record(transaction, event),
      position: (userId) => events.position(userId),
      publishDelta(input) {
        const number = events.publishDelta(input)
        // The arguments of calls are told whole, with the call.
        if (input.name !== 'tool_call.delta')
          publish(input.data['chat_id'], { name: input.name, runId: String(input.data['run_id']), data: input.data })
        return number
      },
    }),
  }
}

/** What waits for one listener. */
function createQueue(): Pick<Watch, 'next' | 'end'> & Pick<Listener, 'push'> {
  let waiting: (WatchedEvent | 'ended')[] = []
  let length = 0
  let tooSlow = false
  let wake: () => void = () => undefined

  const lengthOf = ({ data }: WatchedEvent): number => String(data['text'] ?? '').length

  return {
    push(event) {
      if (tooSlow) return
      const last = waiting.at(-1)
      const joined = last !== undefined && last !== 'ended' ? joinDeltas(last, event) : undefined
      if (joined) waiting[waiting.length - 1] = joined
      else waiting.push(event)
      length += lengthOf(event)
      if (length > maximumLength || waiting.length > maximumEvents) {
        tooSlow = true
        waiting = []
      }
      wake()
    },
    end() {
      waiting.push('ended')
      wake()
    },
    async next(signal) {
      for (;;) {
        signal.throwIfAborted()
        if (tooSlow) throw listenerTooSlowError.create({})
        const event = waiting.shift()
        if (event !== undefined) {
          if (event !== 'ended') length -= lengthOf(event)
          return event
        }
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', wake, { once: true })
        }).finally(() => signal.removeEventListener('abort', wake))
      }
    },
  }
}

/** Two deltas of one text, the second right behind the first, as one. */
function joinDeltas(first: WatchedEvent, second: WatchedEvent): WatchedEvent | undefined {
  if (first.name !== second.name || (first.name !== 'text.delta' && first.name !== 'reasoning.delta')) return undefined
  const [before, after] = [first.data, second.data]
  const text = String(before['text'])
  const follows =
    before['message_id'] === after['message_id'] &&
    before['part'] === after['part'] &&
    Number(before['offset']) + text.length === after['offset']
  return follows ? { ...first, data: { ...before, text: text + String(after['text']) } } : undefined
}
