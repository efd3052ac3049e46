import type { Caller } from './caller.js'
import type { WorstAccountOutcome } from './outcome.js'

/** What has to hold for everybody else. A machine that is busy without any attack is allowed `aloneFactor` times the p99 that it has then. */
const aims = { getP99Ms: 250, aloneFactor: 2.5, peakMb: 400, grownHeapMb: 24, leftConnections: 30 }

/** Limits of which something is still taken, though nothing goes on. */
export async function heldLimits(caller: Caller): Promise<readonly string[]> {
  const { status, text } = await caller.call('GET', '/metrics')
  if (status !== 200) return [`the metrics answered ${status}`]
  return [...text.matchAll(/^(limit_used|limit_waiting|http_streams_open)(?:\{limit="([^"]*)"\})? ([1-9]\d*)$/gm)]
    .filter(([, , name]) => !/stor|byte/.test(name ?? ''))
    .map(([, metric, name = '', value]) => `${metric} ${name} is still ${value}`.replace('  ', ' '))
}

/** What is above the aims. */
export function shortOf({
  alone,
  gets,
  peakMb,
  heapMb,
  sockets,
}: Pick<WorstAccountOutcome, 'alone' | 'gets' | 'peakMb' | 'heapMb' | 'sockets'>): readonly string[] {
  const boundMs = Math.max(aims.getP99Ms, aims.aloneFactor * alone.p99)
  return [
    ...(sockets.after > sockets.before + aims.leftConnections ? [`${sockets.after - sockets.before} connections were left open`] : []),
    ...(gets.p99 > boundMs ? [`the others' p99 of a simple GET was ${gets.p99.toFixed(0)} ms, above ${boundMs.toFixed(0)} ms`] : []),
    ...(peakMb > aims.peakMb ? [`the peak of memory was ${peakMb} MiB, above ${aims.peakMb} MiB`] : []),
    ...(heapMb.after > heapMb.before + aims.grownHeapMb ? [`memory grew from ${heapMb.before} MiB to ${heapMb.after} MiB`] : []),
  ]
}

/** The same problem once, with how often it was there. */
export function grouped(problems: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const problem of problems.map((each) => each.replace(/"request_id":"[^"]*"/, '')))
    counts.set(problem, (counts.get(problem) ?? 0) + 1)
  return [...counts].map(([problem, count]) => (count === 1 ? problem : `${problem} (${count} times)`))
}
