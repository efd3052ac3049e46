import { definePlugin } from '@agent-service/sdk'
import { type Runs, runsService } from '@agent-service/sdk/services/runs'

let runs: Runs | undefined

/** The service as a plugin of the kernel that was started last has it. */
export function runsOfPlugin(): Runs {
  if (!runs) throw new Error('No kernel has started this plugin.')
  return runs
}

/** A feature that starts runs; a test does it through it. */
export default definePlugin({
  manifest: {
    id: 'feature-runs-for-tests',
    apiVersion: 1,
    description: 'Starts runs for a test.',
    contributes: [],
    requires: ['runs'],
  },
  setup(context) {
    runs = context.use(runsService)
  },
})
