import { defineContributionPoint } from '../../core/contribution-point.js'
import type { ToolSource } from './tool-source.js'

/** Tools per user or agent that come and go while the service runs. */
export const toolSources = defineContributionPoint<ToolSource>()({
  id: 'tool.source',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (source) => source.id,
})
