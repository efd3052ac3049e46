import type { PluginSources } from './plugin-sources.js'

/** A job that writes a line. */
export const jobSources = (id: string): PluginSources => ({
  index: `import { definePlugin, type Logger, Type } from '@agent-service/sdk'
import { defineJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'

export const createLook = (everySeconds: number, log: Pick<Logger, 'info'>) =>
  defineJob({
    id: '${id}.look',
    everySeconds,
    async run({ signal }) {
      signal.throwIfAborted()
      log.info('Looked.')
    },
  })

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['scheduler.job'],
    config: Type.Object({ every_seconds: Type.Integer({ default: 3600, minimum: 1 }) }),
  },
  setup: (context) => context.contribute(schedulerJobs, createLook(context.config.every_seconds, context.log)),
})
`,
  test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { createTestContext, describeSchedulerJob } from '@agent-service/sdk/testing'
import plugin, { createLook } from './index.js'

// Every rule of the contract.
describeSchedulerJob({
  name: 'look',
  create() {
    const lines: string[] = []
    const job = createLook(60, { info: (line) => void lines.push(line) })
    return { job, state: () => lines, after: ['Looked.'], restarted: 'not applicable' }
  },
  runner,
})

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
