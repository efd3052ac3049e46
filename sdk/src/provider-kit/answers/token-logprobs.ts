import type { LikelyToken, ModelEvent, TokenLogprob } from '../../contracts/provider-adapter/index.js'
import type { JsonValue } from '../../core/json.js'
import { isObject, listAt, numberAt, textAt } from '../common/json.js'

/**
 * Log probabilities as chat completions write them: `{token, logprob, bytes, top_logprobs}`. Entries
 * without a token or a number are left out.
 */
export function readTokenLogprobs(list: readonly JsonValue[]): readonly TokenLogprob[] {
  return list.flatMap((entry) => {
    const token = readToken(entry)
    return token ? [{ ...token, top: listAt(entry, 'top_logprobs').flatMap((likely) => readToken(likely) ?? []) }] : []
  })
}

function readToken(entry: JsonValue): LikelyToken | undefined {
  const [token, logprob] = [textAt(entry, 'token'), numberAt(entry, 'logprob')]
  if (!isObject(entry) || token === undefined || logprob === undefined) return undefined
  const bytes = entry['bytes']
  const isBytes = Array.isArray(bytes) && bytes.every((byte) => typeof byte === 'number')
  return { token, logprob, ...(isBytes && { bytes: bytes as readonly number[] }) }
}

/** Collects the log probabilities of the text parts of one answer. */
export interface LogprobCollector {
  /** Adds those of a part, and to the delta of its text if these events have one. */
  add(part: number, tokens: readonly TokenLogprob[], events: ModelEvent[]): void
  /** Puts the final ones of a part in place of those that were added; nothing for an empty list. */
  replace(part: number, tokens: readonly TokenLogprob[]): void
  /** The member of the last event; empty if there were none. */
  finished(): Pick<Extract<ModelEvent, { type: 'response.finished' }>, 'logprobs'>
}

/**
 * Makes an empty collector. Tokens that arrive without text, or before it, come with the next delta
 * of their part.
 */
export function createLogprobCollector(): LogprobCollector {
  const parts = new Map<number, TokenLogprob[]>()
  const waiting = new Map<number, readonly TokenLogprob[]>()
  return {
    add(part, tokens, events) {
      const known = parts.get(part)
      if (tokens.length > 0 && known) for (const token of tokens) known.push(token)
      else if (tokens.length > 0) parts.set(part, [...tokens])
      const all = [...(waiting.get(part) ?? []), ...tokens]
      const at = all.length === 0 ? -1 : events.findLastIndex((event) => event.type === 'text.delta' && event.part === part)
      const delta = events[at]
      if (delta?.type === 'text.delta') events[at] = { ...delta, logprobs: [...(delta.logprobs ?? []), ...all] }
      if (at >= 0) waiting.delete(part)
      else if (tokens.length > 0) waiting.set(part, all)
    },
    replace(part, tokens) {
      if (tokens.length > 0) parts.set(part, [...tokens])
    },
    finished() {
      if (parts.size === 0) return {}
      const sorted = [...parts].sort(([one], [other]) => one - other)
      return { logprobs: sorted.map(([part, tokens]) => ({ part, tokens })) }
    },
  }
}
