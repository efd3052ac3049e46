import type { Logger } from '@agent-service/sdk'
import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'

const everySeconds = 2
const maxSeconds = 3_600
const pauseMs = 60_000

/** Carries a migration on, in one process of a deployment, also after a restart. After a failure it pauses for a minute. */
export function createMigrationJob(dependencies: {
  readonly run: (signal: AbortSignal) => Promise<boolean>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Logger
}): { readonly job: SchedulerJob; wake(): void } {
  const { run, clock, log } = dependencies
  let pausedUntil = 0
  return {
    job: defineJob({
      id: 'memory.migrate',
      title: 'Copying of memories to another back end',
      everySeconds,
      timeoutSeconds: maxSeconds,
      async run({ signal }) {
        if (clock.monotonic() < pausedUntil) return
        const isComplete = await run(signal)
        if (!isComplete) {
          pausedUntil = clock.monotonic() + pauseMs
          log.info('The migration of memories pauses for a minute.')
        }
      },
    }),
    wake() {
      pausedUntil = 0
    },
  }
}
