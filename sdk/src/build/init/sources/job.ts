import type { PluginSources } from './plugin-sources.js'

/** A job that writes a line. */
export const jobSources = (id: string): PluginSources => ({
  index: `import { definePlugin, Type } from '@agent-service/sdk'
import { defineJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['scheduler.job'],
    config: Type.Object({ every_seconds: Type.Integer({ default: 3600, minimum: 1 }) }),
  },
  setup(context) {
    context.contribute(
      schedulerJobs,
      defineJob({
        id: '${id}.look',
        everySeconds: context.config.every_seconds,
        async run({ signal }) {
          signal.throwIfAborted()
          context.log.info('Looked.')
        },
      }),
    )
  },
})
`,
  test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { createTestContext } from '@agent-service/sdk/testing'
import plugin from './index.js'

runner.it('runs at its time', async () => {
  const test = createTestContext(plugin, { config: { every_seconds: 60 } })
  await test.setup()
  const [job] = test.contributed(schedulerJobs)
  assert.equal(job?.everySeconds, 60)
  await job?.run({ signal: new AbortController().signal, epoch: 1 })
  assert.equal(test.lines[0]?.message, 'Looked.')
  await test.dispose()
})
`,
})
