/**
 * The program of the process that holds the engine: one job after the other, until whoever started it lets go of it or ends. Whatever the engine throws
 * ends the process.
 */
import type { EngineJob, FromPolicyProgram } from './engine-jobs.js'

// A terminal and a service manager signal all processes at once; the service still needs decisions while it stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())

const { answerJob } = await import('./answer-job.js')
const tell = (message: FromPolicyProgram): void => void process.send?.(message)

process.on('message', (job: EngineJob) => tell(answerJob(job)))
tell('ready')
