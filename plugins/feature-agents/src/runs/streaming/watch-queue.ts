import { defineError } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import type { Run } from '../../store/runs/run.js'
import type { RunStep } from '../../store/runs/run-step.js'
import type { TransitionEvent } from '../log/transition.js'

/** An item of a run for its watchers in this process. */
export type WatchedItem =
  /** A transition was committed. `notes`: its events with information that no step has. */
  | { readonly kind: 'commit'; readonly run: Run; readonly steps: readonly RunStep[]; readonly notes: readonly TransitionEvent[] }
  | { readonly kind: 'delta'; readonly event: TransitionEvent }

/** How much may be queued for a slow listener: UTF-16 code units of text, and items. */
const maxLength = 4_000_000
const maxItems = 5_000

/** A listener in this process did not keep up with a run. The run continues. */
export const listenerTooSlowError = defineError<Record<string, never>>({
  code: 'listener_too_slow',
  status: 503,
  title: 'Reader too slow',
  message: () => 'The answer was not read as fast as it was written. It continues in its chat.',
})

/** The queue of one listener. */
export interface WatchQueue {
  push(item: WatchedItem): void
  next(signal: AbortSignal): Promise<WatchedItem | 'ended'>
  end(): void
}

export function createWatchQueue(): WatchQueue {
  let waiting: (WatchedItem | 'ended')[] = []
  let length = 0
  let tooSlow = false
  let wake: () => void = () => undefined

  return {
    push(item) {
      if (tooSlow) return
      const last = waiting.at(-1)
      const joined = last !== undefined && last !== 'ended' ? joinDeltas(last, item) : undefined
      if (joined) waiting[waiting.length - 1] = joined
      else waiting.push(item)
      length += lengthOf(item)
      if (length > maxLength || waiting.length > maxItems) {
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
        const item = waiting.shift()
        if (item !== undefined) {
          if (item !== 'ended') length -= lengthOf(item)
          return item
        }
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        await abortable(woken, signal)
      }
    },
  }
}

const lengthOf = (item: WatchedItem): number => (item.kind === 'delta' ? textOf(item.event).length : 0)

const textOf = ({ data }: TransitionEvent): string => String(data['text'] ?? '')

/** Joins two consecutive deltas of one text. */
function joinDeltas(first: WatchedItem, second: WatchedItem): WatchedItem | undefined {
  if (first.kind !== 'delta' || second.kind !== 'delta') return undefined
  const [before, after] = [first.event, second.event]
  if (before.name !== after.name || (before.name !== 'text.delta' && before.name !== 'reasoning.delta')) return undefined
  const text = textOf(before)
  const follows =
    before.data['message_id'] === after.data['message_id'] &&
    before.data['part'] === after.data['part'] &&
    Number(before.data['offset']) + text.length === after.data['offset']
  return follows ? { kind: 'delta', event: { ...before, data: { ...before.data, text: text + textOf(after) } } } : undefined
}
