import { executionCollection } from '../store/execution.js'
import { independentTimes } from './independent-times.js'
import { createTaskBench } from './task-bench.js'

const dayMs = 86_400_000
const zones = [
  ...['UTC', 'Europe/Vienna', 'Europe/London', 'America/New_York', 'America/Sao_Paulo', 'America/St_Johns', 'Asia/Kolkata'],
  ...['Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Apia', 'Africa/Casablanca'],
]

/**
 * Lets tasks of these schedules happen for a year in twelve zones, under a clock that the test
 * moves, and compares each time with an independent computation. Returns how many. @throws for the
 * first schedule that differs.
 */
export async function compareYear(crons: readonly string[]): Promise<number> {
  const from = Date.UTC(2026, 0, 1)
  const until = from + 365 * dayMs
  let compared = 0
  for (const timezone of zones) {
    const bench = createTaskBench({ now: from, limits: { pollMs: 400 * dayMs } })
    await bench.engine().begin()
    const seen = new Map<string, { readonly cron: string; readonly times: number[] }>()
    for (const cron of crons) {
      const { task } = await bench
        .tasks()
        .create({ kind: 'reminder', instruction: 'Look.', schedule: { cron, timezone } }, { userId: 'ada' })
      seen.set(task.id, { cron, times: [] })
    }
    for (;;) {
      const wakes = await Promise.all([...seen.keys()].map(async (id) => Date.parse((await bench.task(id)).wake_at ?? '')))
      const next = Math.min(...wakes)
      if (next >= until) break
      await bench.clock.advance(next - bench.clock.now())
      await bench.engine().settled()
      for (const [id, { times }] of seen)
        for (const execution of await bench.executions(id)) {
          times.push(Date.parse(execution.scheduled_for ?? ''))
          await bench.database.collection(executionCollection).delete(execution.id)
        }
    }
    await bench.close()
    for (const { cron, times } of seen.values()) {
      const expected = independentTimes(cron, timezone, from, until)
      const wrong = expected.findIndex((time, index) => time !== times[index])
      if (wrong >= 0 || times.length !== expected.length) throw new Error(differenceOf(`${cron} in ${timezone}`, expected, times, wrong))
      compared += expected.length
    }
  }
  return compared
}

const differenceOf = (what: string, expected: readonly number[], times: readonly number[], at: number): string =>
  `${what}: ${times.length} times in place of ${expected.length}; the first that differs is ${textAt(times, at)} in place of ${textAt(expected, at)}`

const textAt = (times: readonly number[], at: number): string => {
  const time = times[at]
  return time === undefined ? 'none' : new Date(time).toISOString()
}
