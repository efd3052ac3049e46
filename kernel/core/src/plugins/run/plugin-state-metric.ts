import type { MetricSource } from '../../metrics/metric-source.js'
import type { PluginReport } from './plugin-report.js'

/** The state of each plugin. */
export const pluginStateMetric = (report: () => readonly PluginReport[]): MetricSource => ({
  name: 'plugin_state',
  help: 'Plugins by their state: 1 for the state that each is in.',
  kind: 'gauge',
  samples: () => report().map(({ id, state }) => ({ labels: { plugin: id, state }, value: 1 })),
})
