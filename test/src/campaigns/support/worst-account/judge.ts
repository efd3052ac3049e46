import type { ReportedFigures } from '../../../programs/report-figures.js'
import type { Caller } from './caller.js'
import type { WorstAccountOutcome } from './outcome.js'

/** The target for the peak of memory during the attacks, in MiB; printed beside the peak. */
export const targetPeakMb = 400

/**
 * The bounds for the other accounts. A busy machine is allowed `aloneFactor` times its p99 without
 * any attack.
 */
const aims = { getP99Ms: 250, aloneFactor: 2.5, grownHeapMb: 24, leftConnections: 30 }

/**
 * Limits that are still in use although the only request is the one for the metrics, which is one
 * of the `calls`.
 */
export async function heldLimits(caller: Caller): Promise<readonly string[]> {
  const { status, text } = await caller.call('GET', '/metrics')
  if (status !== 200) return [`the metrics answered ${status}`]
  return [...text.matchAll(/^(limit_used|limit_waiting|http_streams_open)(?:\{limit="([^"]*)"\})? ([1-9]\d*)$/gm)]
    .filter(([, , name = '', value]) => !/stor|byte/.test(name) && !(name === 'calls' && value === '1'))
    .map(([, metric, name = '', value]) => `${metric} ${name} is still ${value}`.replace('  ', ' '))
}

/** What grew in the process, each measured after a garbage collection. */
export function grownResources(before: ReportedFigures, after: ReportedFigures): readonly string[] {
  const connections = after.sockets - before.sockets
  const [was, is] = [before.heapMb + before.externalMb, after.heapMb + after.externalMb]
  return [
    ...(connections > aims.leftConnections ? [`${connections} connections were left open`] : []),
    ...(is > was + aims.grownHeapMb ? [`memory grew from ${was} MiB to ${is} MiB`] : []),
  ]
}

/** The bounds that were exceeded. */
export function exceededBounds({ alone, gets }: Pick<WorstAccountOutcome, 'alone' | 'gets'>): readonly string[] {
  const boundMs = Math.max(aims.getP99Ms, aims.aloneFactor * alone.p99)
  return [...(gets.p99 > boundMs ? [`the others' p99 of a simple GET was ${gets.p99.toFixed(0)} ms, above ${boundMs.toFixed(0)} ms`] : [])]
}

/** Each problem once, with its count. */
export function grouped(problems: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const problem of problems.map((each) => each.replace(/"request_id":"[^"]*"/, '')))
    counts.set(problem, (counts.get(problem) ?? 0) + 1)
  return [...counts].map(([problem, count]) => (count === 1 ? problem : `${problem} (${count} times)`))
}
