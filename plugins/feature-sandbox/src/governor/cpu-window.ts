/** Over how long processor time is averaged. */
export const windowMs = 10_000

interface Sample {
  readonly at: number
  readonly cpuMs: number
}

/** How much of all processors trees took on average over the last ten seconds. */
export interface CpuWindow {
  /** Adds a reading of all trees; those that are not in it are forgotten. */
  add(at: number, readings: readonly { readonly id: string; readonly cpuMs: number }[]): void
  /** 0 to 1, at the last reading. Before a tree began it took nothing. */
  shareOf(id: string): number
}

export function createCpuWindow(processors: number): CpuWindow {
  let samples = new Map<string, readonly Sample[]>()
  return {
    add(at, readings) {
      const next = new Map<string, readonly Sample[]>()
      for (const { id, cpuMs } of readings) {
        const before = samples.get(id) ?? []
        // One from before the window is kept, for what was taken at its beginning.
        const from = Math.max(
          0,
          before.findLastIndex((sample) => sample.at <= at - windowMs),
        )
        next.set(id, [...before.slice(from), { at, cpuMs: Math.max(cpuMs, before.at(-1)?.cpuMs ?? 0) }])
      }
      samples = next
    },
    shareOf(id) {
      const own = samples.get(id) ?? []
      const last = own.at(-1)
      if (last === undefined) return 0
      const used = last.cpuMs - takenAt(own, last.at - windowMs)
      return Math.min(1, used / (windowMs * processors))
    },
  }
}

/** What a tree had taken at a moment, between two samples in proportion. */
function takenAt(samples: readonly Sample[], at: number): number {
  const [first, second] = samples
  if (first === undefined || first.at > at) return 0
  if (second === undefined) return first.cpuMs
  return first.cpuMs + ((second.cpuMs - first.cpuMs) * (at - first.at)) / (second.at - first.at)
}
