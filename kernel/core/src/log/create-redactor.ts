import { createLiveValues } from './live-values.js'
import { copyFields } from './redacted-copy.js'
import type { Redactor } from './redactor.js'
import { maskPatterns } from './secret-patterns.js'

const maxTextLength = 16_384
/** How much is read beyond the cut, so that a secret across it is found. */
const overlap = 2048

/**
 * Makes the redactor of one service.
 * @param options.capacity - Maximum number of live values; the one protected longest ago is removed
 * first. Default 10,000.
 * @param options.pinned - Values that are never removed, such as those of the configuration.
 */
export function createRedactor(options: { readonly capacity?: number; readonly pinned?: readonly string[] } = {}): Redactor {
  const pinned = createLiveValues(Number.POSITIVE_INFINITY)
  const live = createLiveValues(options.capacity ?? 10_000)
  for (const value of options.pinned ?? []) pinned.add(value)

  const text = (whole: string): string => {
    try {
      const reach = maxTextLength + Math.max(overlap, pinned.longest(), live.longest())
      const read = whole.length > reach ? whole.slice(0, reach) : whole
      const masked = maskPatterns(live.mask(pinned.mask(read)))
      if (whole.length <= maxTextLength && masked.length <= maxTextLength) return masked
      const kept = masked.slice(0, maxTextLength)
      return whole.length > read.length || masked.length > kept.length ? `${kept}… [${whole.length} characters]` : kept
    } catch {
      return '[unprintable]'
    }
  }

  return Object.freeze<Redactor>({
    protect(value) {
      if (typeof value === 'string') live.add(value)
    },
    text,
    fields: (value) => copyFields(value, text),
  })
}
