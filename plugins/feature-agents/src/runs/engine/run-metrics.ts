import type { Clock } from '@agent-service/sdk/services/clock'
import type { Metrics } from '@agent-service/sdk/services/metrics'
import { isFinished } from '../../store/runs/run.js'
import type { RunSession } from '../session/run-session.js'
import type { RunDriver } from './run-driver.js'
import type { RunEntry } from './run-entry.js'

/** A run that is driven, that waits for its turn, or that waits for a person or a retry. */
export type RunCounts = Readonly<Record<RunEntry['state'], number>>

const stateNames: Readonly<Record<RunEntry['state'], string>> = { driven: 'running', waiting: 'queued', resting: 'waiting' }
const secondsOfRuns = [1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400]
const secondsInQueue = [0.01, 0.1, 1, 10, 60, 300, 3_600]
/** The epoch of a run that its first process has not handed over. */
const firstEpoch = 1

/** A driver that counts its runs. A run that goes on after a restart is counted once. */
export function measureRuns(driver: RunDriver, { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }): RunDriver {
  const started = metrics.counter({ name: 'runs_started_total', help: 'Runs that have begun.', labels: [] })
  const ended = metrics.counter({
    name: 'runs_ended_total',
    help: 'Runs that have ended, by status: completed, failed or cancelled.',
    labels: ['status'],
  })
  const failures = metrics.counter({
    name: 'run_failures_total',
    help: 'Runs that failed, by the code of their failure.',
    labels: ['code'],
  })
  const durations = metrics.histogram({
    name: 'run_duration_seconds',
    help: 'Time from the creation of a run to its end, waits for people included.',
    labels: ['status'],
    buckets: secondsOfRuns,
  })
  const queued = metrics.histogram({
    name: 'run_queue_seconds',
    help: 'Time from the creation of a run to its beginning.',
    labels: [],
    buckets: secondsInQueue,
  })
  const secondsSince = (time: string): number => Math.max(0, clock.now() - Date.parse(time)) / 1_000

  const begin = ({ run }: RunSession): void => {
    if (run.epoch !== firstEpoch && run.last_step !== null) return
    started.add({})
    queued.observe({}, secondsSince(run.created_at))
  }
  const end = ({ run }: RunSession): void => {
    if (!isFinished(run)) return
    ended.add({ status: run.status })
    durations.observe({ status: run.status }, secondsSince(run.created_at))
    if (run.failure) failures.add({ code: run.failure.code })
  }
  return {
    async refuse(session, failure) {
      await driver.refuse(session, failure)
      end(session)
    },
    async drive(session) {
      begin(session)
      await driver.drive(session)
      end(session)
    },
  }
}

/** The runs of this process by state. */
export function measureOpenRuns(metrics: Metrics, counts: () => RunCounts): void {
  metrics.gauge({
    name: 'runs_open',
    help: 'Open runs of this process: running, queued for a place, or waiting for a person or a retry.',
    labels: ['state'],
    read: () => Object.entries(counts()).map(([state, value]) => ({ labels: { state: stateNames[state as RunEntry['state']] }, value })),
  })
}
