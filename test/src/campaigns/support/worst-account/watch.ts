import type { ReportedFigures } from '../../../programs/report-figures.js'
import type { ServiceLife } from '../service-life.js'

/** What the service's process reports of itself. */
export interface Watch {
  readonly onLine: (line: string) => void
  worst(): { readonly worstStallMs: number; readonly peakMb: number }
  reset(): void
  /** The next figures behind a collection of garbage. */
  collected(): Promise<ReportedFigures>
}

/** Reads what the service reports of itself. */
export function createWatch(): Watch {
  let worst = { worstStallMs: 0, peakMb: 0 }
  let tell: (figures: ReportedFigures) => void = () => undefined
  return {
    onLine(line) {
      const [, word, text] = /^(figures|collected) (\{.*\})$/.exec(line) ?? []
      if (text === undefined) return
      const figures = JSON.parse(text) as ReportedFigures
      if (word === 'collected') tell(figures)
      else worst = { worstStallMs: Math.max(worst.worstStallMs, figures.stallMs), peakMb: Math.max(worst.peakMb, figures.residentMb) }
    },
    worst: () => worst,
    reset() {
      worst = { worstStallMs: 0, peakMb: 0 }
    },
    collected: () => new Promise((resolve) => (tell = resolve)),
  }
}

const nothing: ReportedFigures = { stallMs: 0, residentMb: 0, heapMb: 0, externalMb: 0, sockets: 0 }

/** Collects the service's garbage; nothing where it has ended. */
export function collect({ child, ended }: ServiceLife, watch: Watch): Promise<ReportedFigures> {
  const figures = watch.collected()
  child.kill('SIGUSR2')
  return Promise.race([figures, ended.then(() => nothing)])
}
