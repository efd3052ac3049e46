import type { MetricSource } from '@agent-service/kernel-core/metrics'
import type { RecentLines } from './recent-lines.js'

/** How many lines the process has logged, by level. */
export const logMetric = (lines: Pick<RecentLines, 'counts'>): MetricSource => ({
  name: 'log_lines_total',
  help: 'Lines of the log by level.',
  kind: 'counter',
  samples: () => [...lines.counts()].map(([level, value]) => ({ labels: { level }, value })),
})
