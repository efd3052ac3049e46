import { limits } from '../common/limits.js'

/** What happened in a session beside what was asked for, until the next result tells it. */
export interface Reports {
  add(text: string): void
  /** All so far, and none of them again. */
  take(): readonly string[]
}

/** Characters of one report that are kept. More than are shown: what is secret in it is masked before it is cut. */
export const maxReport = 20_000

export function createReports(): Reports {
  let waiting: string[] = []
  let dropped = 0
  return {
    add(text) {
      const line = text.slice(0, maxReport).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
      if (waiting.includes(line)) return
      if (waiting.length < limits.maxReports) waiting.push(line)
      else dropped += 1
    },
    take() {
      const taken = dropped === 0 ? waiting : [...waiting, `and ${dropped} more`]
      waiting = []
      dropped = 0
      return taken
    },
  }
}
