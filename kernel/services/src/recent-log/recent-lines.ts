export const logLevels = ['debug', 'info', 'warn', 'error'] as const

const levelOfLine = /^\{"level":"([a-z]+)"/

/** One line of the log with its number; numbers grow by one. */
export interface NumberedLine {
  readonly number: number
  /** One JSON object, redacted. */
  readonly line: string
}

/**
 * The last lines of this process's log, in memory: at most so many lines, and so many characters
 * together. Readers read from it and never slow down what writes: one that is too slow misses
 * lines.
 */
export interface RecentLines {
  /** Tells the numbers of this process from those of another. */
  readonly epoch: string
  add(line: string): void
  /** How many lines were added, by level. */
  counts(): ReadonlyMap<string, number>
  /** The number of the newest line; 0 if there is none yet. */
  newest(): number
  /** The number of the oldest line that is kept; one more than the newest if none is. */
  oldest(): number
  /** The kept lines from one number to another, both included, in order. */
  between(from: number, to: number): readonly NumberedLine[]
  /** Resolves once there is a line after this number, or the signal is aborted. */
  after(number: number, signal: AbortSignal): Promise<void>
}

/** 5,000 lines and 2 Mi characters by default. */
export function createRecentLines(
  options: { readonly maxLines?: number; readonly maxCharacters?: number; readonly epoch?: string } = {},
): RecentLines {
  const { maxLines = 5_000, maxCharacters = 2 * 1_024 * 1_024, epoch = Date.now().toString(36) } = options
  let lines: string[] = []
  /** How many at the start of `lines` are no longer kept; they are cut off now and then. */
  let dropped = 0
  let characters = 0
  let newest = 0
  let waiting: (() => void)[] = []
  const counts = new Map<string, number>(logLevels.map((level) => [level, 0]))

  const trim = (): void => {
    while (lines.length - dropped > maxLines || (characters > maxCharacters && lines.length - dropped > 1)) {
      characters -= lines[dropped]?.length ?? 0
      lines[dropped] = ''
      dropped += 1
    }
    if (dropped > maxLines / 4) {
      lines = lines.slice(dropped)
      dropped = 0
    }
  }
  const oldest = (): number => newest - (lines.length - dropped) + 1

  return {
    epoch,
    counts: () => counts,
    newest: () => newest,
    oldest,
    add(line) {
      lines.push(line)
      characters += line.length
      newest += 1
      // A line begins with its level.
      const [, level = ''] = levelOfLine.exec(line) ?? []
      const count = counts.get(level)
      if (count !== undefined) counts.set(level, count + 1)
      trim()
      const woken = waiting
      if (woken.length > 0) waiting = []
      for (const wake of woken) wake()
    },
    between(from, to) {
      const first = Math.max(from, oldest())
      const start = dropped + (first - oldest())
      const count = Math.min(to, newest) - first + 1
      return count <= 0 ? [] : lines.slice(start, start + count).map((line, index) => ({ number: first + index, line }))
    },
    after(number, signal) {
      if (newest > number || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', stop)
          resolve()
        }
        const stop = (): void => {
          waiting = waiting.filter((other) => other !== wake)
          wake()
        }
        signal.addEventListener('abort', stop)
        waiting.push(wake)
      })
    },
  }
}
