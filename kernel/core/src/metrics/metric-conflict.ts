import { defineError } from '@agent-service/sdk'

/** Two metrics have the same name. `owner`: the plugin that has it; absent if it is the kernel's. */
export const metricConflictError = defineError<{ readonly metric: string; readonly owner?: string }>({
  code: 'metric_conflict',
  status: 500,
  title: 'Metric conflict',
  message: ({ metric, owner }) =>
    `A metric named “${metric}” already exists${owner === undefined ? '' : `: it belongs to “${owner}”`}. Choose another name.`,
})
