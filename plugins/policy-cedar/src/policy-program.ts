/**
 * The program of the process that runs Cedar: does one job after the other until its parent
 * disconnects or ends. Anything that Cedar throws ends the process.
 */
import type { Job } from './engine-jobs.js'

// A terminal and a service manager signal all processes at once. The service still needs decisions
// while it stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())

const { answerJob } = await import('./answer-job.js')
process.on('message', (job: Job) => void process.send?.(answerJob(job)))
process.send?.('ready')
