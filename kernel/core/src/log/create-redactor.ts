import { createLiveValues } from './live-values.js'
import { copyFields } from './redacted-copy.js'
import type { Redactor } from './redactor.js'
import { maskPatterns } from './secret-patterns.js'

const longestText = 16_384
/** Read beyond the cut, so that a secret that straddles it is still seen whole. */
const overlap = 2048

/** Options of {@link createRedactor}. */
export interface RedactorOptions {
  /** How many live values are kept at most; the one protected longest ago goes first. Default 10,000. */
  readonly capacity?: number
  /** Values that are never forgotten, such as those of the configuration. */
  readonly pinned?: readonly string[]
}

/** Makes the redactor of one service. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const pinned = createLiveValues(Number.POSITIVE_INFINITY)
  const live = createLiveValues(options.capacity ?? 10_000)
  for (const value of options.pinned ?? []) pinned.add(value)

  const text = (whole: string): string => {
    try {
      const reach = longestText + Math.max(overlap, pinned.longest(), live.longest())
      const read = whole.length > reach ? whole.slice(0, reach) : whole
      const masked = maskPatterns(live.mask(pinned.mask(read)))
      if (whole.length <= longestText && masked.length <= longestText) return masked
      const kept = masked.slice(0, longestText)
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
