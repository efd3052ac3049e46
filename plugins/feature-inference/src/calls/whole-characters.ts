import { wellFormedValue } from '@agent-service/sdk'
import type { ModelEvent, TokenLogprob } from '@agent-service/sdk/contracts/provider-adapter'

/** Keeps the characters of one answer whole. */
export interface WholeCharacters {
  /**
   * The event, or events, with whole characters only. A vendor or gateway that cuts its stream by
   * UTF-16 code units sends the halves of an emoji in two pieces, each of which many clients refuse
   * as invalid JSON: the first half waits for the piece with the other one. A half whose other half
   * never comes is U+FFFD. What the deltas of a part add up to has the same length as its text.
   */
  take(event: ModelEvent): readonly ModelEvent[]
}

type Delta = Extract<ModelEvent, { readonly type: 'text.delta' | 'reasoning.delta' | 'tool_call.delta' }>

interface Held {
  readonly delta: Delta
  readonly half: string
  readonly logprobs: readonly TokenLogprob[]
}

const endsInHalf = /[\ud800-\udbff]$/

export function createWholeCharacters(): WholeCharacters {
  /** By the kind and number of a part. */
  const held = new Map<string, Held>()
  const grown = (delta: Delta): readonly ModelEvent[] => {
    const key = `${delta.type} ${delta.part}`
    const before = held.get(key)
    const text = (before?.half ?? '') + textOf(delta)
    if (!before && !endsInHalf.test(text)) return [wellFormedValue(delta)]
    held.delete(key)
    const logprobs = [...(before?.logprobs ?? []), ...logprobsOf(delta)]
    const isHeld = endsInHalf.test(text)
    if (isHeld) held.set(key, { delta, half: text.slice(-1), logprobs: text.length === 1 ? logprobs : [] })
    const whole = isHeld ? text.slice(0, -1) : text
    return whole === '' ? [] : [withText(delta, whole, logprobs)]
  }
  return {
    take(event) {
      if ('part' in event && event.type !== 'tool_call.started') return grown(event)
      if (event.type !== 'response.finished') return [wellFormedValue(event)]
      const rest = [...held.values()].map(({ delta, half, logprobs }) => withText(delta, half, logprobs))
      return [...rest, wellFormedValue(event)]
    },
  }
}

const textOf = (delta: Delta): string => (delta.type === 'tool_call.delta' ? delta.arguments_text : delta.text)
const logprobsOf = (delta: Delta): readonly TokenLogprob[] => (delta.type === 'text.delta' ? (delta.logprobs ?? []) : [])

function withText(delta: Delta, text: string, logprobs: readonly TokenLogprob[]): ModelEvent {
  if (delta.type === 'tool_call.delta') return wellFormedValue({ ...delta, arguments_text: text })
  if (delta.type === 'reasoning.delta') return wellFormedValue({ ...delta, text })
  const { logprobs: _, ...rest } = delta
  return wellFormedValue({ ...rest, text, ...(logprobs.length > 0 && { logprobs }) })
}
