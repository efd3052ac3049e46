import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { expect } from 'chai'
import { type ControlledClock, createControlledClock } from '../clock/testing/index.js'
import { type JobLeases, jobTimeoutError } from './scheduled-job.js'
import { duplicateJobError, jobInvalidError, Scheduler } from './scheduler.js'
import { createRecordingLog, type RecordingLog } from './testing/recording-log.js'

const owner = { pluginId: 'tester' }

const settings = { scheduler: { poll_secs: 60 }, timeZone: 'UTC' }

/** Leases that are always free. */
const freeLeases: JobLeases = {
  take: async (name) => ({ name, epoch: 1, signal: new AbortController().signal }),
  release: () => Promise.resolve(),
}

describe('Scheduler', () => {
  let clock: ControlledClock
  let log: RecordingLog
  let scheduler: Scheduler
  let starts: number[]

  const jobOf = (overrides: Partial<SchedulerJob> = {}): SchedulerJob => ({
    specVersion: 1,
    id: 'tester.count',
    title: 'Counts',
    everySeconds: 10,
    run: async () => void starts.push(clock.monotonic()),
    ...overrides,
  })
  const only = (): ReturnType<Scheduler['report']>[number] | undefined => scheduler.report()[0]

  beforeEach(() => {
    clock = createControlledClock()
    log = createRecordingLog()
    scheduler = new Scheduler(clock, log, settings, freeLeases)
    starts = []
  })

  it('runs a job at its interval, woken before the poll', async () => {
    scheduler.add(jobOf(), owner)
    await clock.advance(35_000)
    expect(starts).to.deep.equal([10_000, 20_000, 30_000])
    expect(only()).to.include({ id: 'tester.count', plugin_id: 'tester', runs: 3, failures: 0, skipped: 0, running: false })
  })

  it('runs a job of a long interval for the first time at the next poll', async () => {
    scheduler.add(jobOf({ everySeconds: 3_600 }), owner)
    await clock.advance(60_000)
    expect(starts).to.deep.equal([60_000])
    await clock.advance(3_600_000)
    expect(starts).to.deep.equal([60_000, 3_660_000])
  })

  it('runs jobs of different intervals independently', async () => {
    const other: number[] = []
    scheduler.add(jobOf(), owner)
    scheduler.add(jobOf({ id: 'tester.other', everySeconds: 7, run: async () => void other.push(clock.monotonic()) }), owner)
    await clock.advance(21_000)
    expect(starts).to.deep.equal([10_000, 20_000])
    expect(other).to.deep.equal([7_000, 14_000, 21_000])
  })

  it('never runs a job twice at once: a long run skips the next times', async () => {
    let finish: () => void = () => undefined
    const run = (): Promise<void> => {
      starts.push(clock.monotonic())
      return new Promise((resolve) => {
        finish = resolve
      })
    }
    scheduler.add(jobOf({ run, timeoutSeconds: 1_000 }), owner)
    await clock.advance(35_000)
    expect(starts).to.deep.equal([10_000])
    expect(only()).to.include({ running: true, skipped: 2 })
    finish()
    await clock.advance(5_000)
    expect(starts).to.deep.equal([10_000, 40_000])
  })

  it('aborts a run at its limit with a reason, counts it as failed, and runs again', async () => {
    const reasons: unknown[] = []
    const run = ({ signal }: { readonly signal: AbortSignal }): Promise<void> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          reject(signal.reason)
        })
      })
    scheduler.add(jobOf({ run, timeoutSeconds: 5 }), owner)
    await clock.advance(16_000)
    expect(jobTimeoutError.isInstance(reasons[0])).to.equal(true)
    expect(only()).to.include({ runs: 1, failures: 1, running: false })
    await clock.advance(10_000)
    expect(only()).to.include({ runs: 2, failures: 2 })
  })

  it('counts a run that ends without an error after its limit as failed too', async () => {
    const run = ({ signal }: { readonly signal: AbortSignal }): Promise<void> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    scheduler.add(jobOf({ run, timeoutSeconds: 5 }), owner)
    await clock.advance(16_000)
    expect(only()).to.include({ runs: 1, failures: 1 })
  })

  it('logs and counts an error, and goes on', async () => {
    scheduler.add(
      jobOf({
        run: () => {
          throw new Error('no luck')
        },
      }),
      owner,
    )
    await clock.advance(20_000)
    expect(only()).to.include({ runs: 2, failures: 2 })
    const { error, ...fields } = log.lines.find(({ level }) => level === 'error')?.fields ?? {}
    expect(fields).to.deep.equal({ module: 'scheduler', plugin: 'tester', job: 'tester.count' })
    expect(error).to.be.an('error').with.property('message', 'no luck')
  })

  it('skips times that passed while the machine slept', async () => {
    const late = createControlledClock()
    let jump = 0
    const jumping = { ...late, monotonic: () => late.monotonic() + jump }
    const sleeper = new Scheduler(jumping, log, settings, freeLeases)
    let runs = 0
    sleeper.add(jobOf({ run: async () => void runs++ }), owner)
    jump = 3_600_000
    await late.advance(10_000)
    expect(runs).to.equal(1)
    await late.advance(9_999)
    expect(runs).to.equal(1)
    await late.advance(1)
    expect(runs).to.equal(2)
  })

  it('removes a job: aborts its run, waits for its end, frees its id and leaves no timer', async () => {
    let aborted = false
    const run = ({ signal }: { readonly signal: AbortSignal }): Promise<void> =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          aborted = true
          resolve()
        }),
      )
    const dispose = scheduler.add(jobOf({ run }), owner)
    await clock.advance(10_000)
    await dispose()
    await dispose()
    expect(aborted).to.equal(true)
    expect(scheduler.report()).to.deep.equal([])
    await clock.advance(120_000)
    expect(clock.pending()).to.equal(0)
    scheduler.add(jobOf(), owner)
    expect(scheduler.report()).to.have.length(1)
  })

  it('refuses a second job with the same id, naming both owners', () => {
    scheduler.add(jobOf(), owner)
    expect(() => scheduler.add(jobOf(), { pluginId: 'intruder' }))
      .to.throw(/intruder.*tester/)
      .that.satisfies(duplicateJobError.isInstance)
  })

  for (const [what, overrides] of [
    ['an interval below a second', { everySeconds: 0.5 }],
    ['an interval that is no number', { everySeconds: Number.NaN }],
    ['a limit of nothing', { timeoutSeconds: 0 }],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(() => scheduler.add(jobOf(overrides), owner))
        .to.throw()
        .that.satisfies(jobInvalidError.isInstance)
    })
  }

  it('refuses an invalid calendar, naming the field and the correction', () => {
    const { everySeconds: _, ...rest } = jobOf()
    expect(() => scheduler.add({ ...rest, schedule: { cron: '0 25 * * *', timezone: 'Mars/Base' } }, owner)).to.throw(
      /hour \(character 3\): “25” has “25”, which must be 0 to 23.*Mars\/Base/,
    )
    expect(() => scheduler.add(rest, owner)).to.throw(/needs everySeconds, or a schedule/)
    expect(() => scheduler.add(jobOf({ schedule: { cron: '@daily' } }), owner)).to.throw(/remove one of them/)
  })

  describe('by the calendar', () => {
    const times: (number | undefined)[] = []
    const nightly = (overrides: Partial<SchedulerJob> = {}): SchedulerJob => {
      const { everySeconds: _, ...rest } = jobOf()
      const run: SchedulerJob['run'] = async ({ scheduledFor }) => void times.push(scheduledFor)
      return { ...rest, schedule: { cron: '0 3 * * *', timezone: 'Europe/Vienna' }, run, ...overrides }
    }
    const at = (text: string): number => Date.parse(text)
    const startAt = (text: string): void => {
      clock = createControlledClock({ now: at(text) })
      scheduler = new Scheduler(clock, log, { ...settings, timeZone: 'America/New_York' }, freeLeases)
      times.length = 0
    }

    it('runs at its times, also over a change of the clocks, and not at the start', async () => {
      startAt('2026-03-27T12:00:00Z')
      scheduler.add(nightly(), owner)
      await clock.advance(60 * 3_600_000)
      expect(times).to.deep.equal([at('2026-03-28T02:00:00Z'), at('2026-03-29T01:00:00Z')])
    })

    it('uses the zone of the deployment if it names none', async () => {
      startAt('2026-01-01T00:00:00Z')
      scheduler.add(nightly({ schedule: { cron: '0 3 * * *' } }), owner)
      await clock.advance(24 * 3_600_000)
      expect(times).to.deep.equal([at('2026-01-01T08:00:00Z')])
    })

    it('follows the wall clock when that is set: a used time does not recur', async () => {
      startAt('2026-01-01T01:59:00Z')
      scheduler.add(nightly(), owner)
      await clock.advance(120_000)
      expect(times).to.deep.equal([at('2026-01-01T02:00:00Z')])
      clock.setNow(at('2026-01-01T01:58:00Z'))
      await clock.advance(10 * 60_000)
      expect(times).to.have.length(1)
      clock.setNow(at('2026-01-02T01:59:30Z'))
      await clock.advance(90_000)
      expect(times.slice(1)).to.deep.equal([at('2026-01-02T02:00:00Z')])
    })

    it('restarts when a clock that was years ahead is corrected', async () => {
      startAt('2036-01-01T00:00:00Z')
      scheduler.add(nightly(), owner)
      clock.setNow(at('2026-01-01T01:57:30Z'))
      await clock.advance(240_000)
      expect(times).to.deep.equal([at('2026-01-01T02:00:00Z')])
    })
  })

  it('drains: starts nothing more and waits for runs under way', async () => {
    let finish: () => void = () => undefined
    scheduler.add(
      jobOf({
        timeoutSeconds: 1_000,
        run: () =>
          new Promise((resolve) => {
            finish = resolve
          }),
      }),
      owner,
    )
    scheduler.add(jobOf({ id: 'tester.other', everySeconds: 30 }), owner)
    await clock.advance(10_000)
    let drained = false
    const draining = scheduler.drain(60_000).then(() => {
      drained = true
    })
    await clock.advance(40_000)
    expect(drained).to.equal(false)
    expect(starts).to.deep.equal([])
    finish()
    await draining
    expect(drained).to.equal(true)
  })

  it('drains in limited time: aborts at the limit, and does not wait for runs that ignore the signal', async () => {
    const signals: AbortSignal[] = []
    scheduler.add(
      jobOf({
        timeoutSeconds: 1_000,
        run: ({ signal }) => {
          signals.push(signal)
          return new Promise(() => undefined)
        },
      }),
      owner,
    )
    await clock.advance(10_000)
    const draining = scheduler.drain(5_000)
    await clock.advance(4_999)
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false])
    await clock.advance(1)
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true])
    await clock.advance(1_000)
    await draining
    expect(log.lines.some(({ level, fields }) => level === 'warn' && String(fields['jobs']) === 'tester.count')).to.equal(true)
  })
})
