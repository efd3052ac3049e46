/** A bound on how often something may happen: `size` at once, then `perSecond`. */
export function createTokenBucket(options: { readonly size: number; readonly perSecond: number; readonly now?: () => number }): {
  /** False if it is empty. */
  readonly take: () => boolean
} {
  const { size, perSecond, now = () => performance.now() } = options
  let tokens = size
  let at = now()
  return {
    take() {
      const moment = now()
      tokens = Math.min(size, tokens + ((moment - at) / 1000) * perSecond)
      at = moment
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
