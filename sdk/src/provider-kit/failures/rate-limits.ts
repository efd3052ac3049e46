import type { RateLimit } from '../../contracts/provider-adapter/index.js'
import type { ResponseHeaders } from '../transport/upstream-response.js'

interface Spelling {
  readonly unit: RateLimit['unit']
  /** Names of the headers; `*` stands for `limit`, `remaining` or `reset`. */
  readonly name: string
}

/** How vendors name their limits: OpenAI and those like it, Anthropic, Mistral, Together. */
const spellings: readonly Spelling[] = [
  { unit: 'requests', name: 'x-ratelimit-*-requests' },
  { unit: 'tokens', name: 'x-ratelimit-*-tokens' },
  { unit: 'requests', name: 'anthropic-ratelimit-requests-*' },
  { unit: 'tokens', name: 'anthropic-ratelimit-tokens-*' },
  { unit: 'input_tokens', name: 'anthropic-ratelimit-input-tokens-*' },
  { unit: 'output_tokens', name: 'anthropic-ratelimit-output-tokens-*' },
  { unit: 'requests', name: 'x-ratelimit-*-req-minute' },
  { unit: 'tokens', name: 'x-ratelimit-*-tokens-minute' },
  { unit: 'requests', name: 'x-ratelimit-*' },
]

/**
 * The vendor's limits, from the headers of an answer; unreadable values are left out. `now` in ms
 * since 1970.
 */
export function rateLimitsOf(headers: ResponseHeaders, now: number): readonly RateLimit[] {
  return spellings.flatMap(({ unit, name }): readonly RateLimit[] => {
    const value = (word: string): string | null => headers.get(name.replace('*', word))
    const limit = countOf(value('limit'))
    const remaining = countOf(value('remaining'))
    const reset = waitOf(value('reset'), now)
    if (limit === undefined && remaining === undefined) return []
    return [
      {
        unit,
        ...(limit !== undefined && { limit }),
        ...(remaining !== undefined && { remaining }),
        ...(reset !== undefined && { reset_ms: reset }),
      },
    ]
  })
}

const countOf = (text: string | null): number | undefined =>
  text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Math.floor(Number(text)) : undefined

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `17.4s`, `6m0s`, `12ms`, plain seconds, or a time by RFC 3339. */
function waitOf(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const trimmed = text.trim()
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    const seconds = Number(trimmed)
    // Some send a moment in seconds since 1970 instead of a duration.
    return Math.max(0, Math.ceil(seconds > 1_000_000_000 ? seconds * 1_000 - now : seconds * 1_000))
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(trimmed)) {
    const parts = [...trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
    return Math.ceil(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (milliseconds[unit ?? ''] ?? 0), 0))
  }
  const moment = Date.parse(trimmed)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}
