import type { ReportedFigures } from '../../../programs/report-figures.js'
import { createDelayFigures, type DelayFigures } from '../delay-figures.js'
import type { Noticed } from './bystander.js'

/** What others noticed, and what the service took. Milliseconds and MiB. */
export interface WorstAccountOutcome {
  /** Of a simple GET without any attack. */
  readonly alone: Quantiles
  readonly gets: Quantiles
  readonly turns: Quantiles
  readonly signIns: Quantiles
  readonly worstStallMs: number
  readonly peakMb: number
  /** Behind a collection of garbage: before the attacks, and after a rest behind them. */
  readonly heapMb: { readonly before: number; readonly after: number }
  readonly sockets: { readonly before: number; readonly after: number }
  /** What did not hold. */
  readonly problems: readonly string[]
}

export interface Quantiles {
  readonly p50: number
  readonly p99: number
  readonly count: number
}

export const createNoticed = (): Noticed => ({ gets: createDelayFigures(), turns: createDelayFigures(), signIns: createDelayFigures() })
export const quantiles = (figures: DelayFigures): Quantiles => ({
  p50: figures.quantile(0.5),
  p99: figures.quantile(0.99),
  count: figures.count(),
})
const shownQuantiles = (figures: DelayFigures): string =>
  `${figures.quantile(0.5).toFixed(0)}/${figures.quantile(0.99).toFixed(0)} ms (${figures.count()})`
export const shownNoticed = ({ gets, turns, signIns }: Noticed): string =>
  `p50/p99 of a GET ${shownQuantiles(gets)}, of a turn ${shownQuantiles(turns)}, of a sign-in ${shownQuantiles(signIns)}`
export const shown = ({ residentMb, heapMb, externalMb, sockets }: ReportedFigures): string =>
  `${residentMb} MiB resident, ${heapMb} MiB of heap, ${externalMb} MiB beside it, ${sockets} connections`
export const shownCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${status} ×${count}`)
    .join(', ')
