import { expect } from 'chai'
import { run } from '../campaigns/schedules.js'
import { type SeenSchedule, scheduleProblems } from '../campaigns/support/schedule-evidence.js'
import { seedOfRun } from '../support/random.js'

const minuteMs = 60_000
const at = (minute: number): string => new Date(minute * minuteMs).toISOString()
const execution = (minute: number, represents = 1, changes: object = {}) => ({
  ...{ id: `of-${minute}`, state: 'completed', scheduled_for: at(minute), represents, attempts: [{ run_id: `run-${minute}` }] },
  ...changes,
})

/** Due in the minutes 1 to 5. */
const seen = (changes: Partial<SeenSchedule>): SeenSchedule => ({
  ...{ id: 'task', missed: 'once', everyMs: minuteMs, createdAt: new Date(1).toISOString(), nextAt: at(6) },
  ...{ backlog: 0, countedMissed: 0, executions: [execution(1), execution(4, 3), execution(5)] },
  ...changes,
})

describe('schedules of a service that is killed with SIGKILL', function () {
  this.timeout(120_000)

  it('happen once for each time: none twice, none forgotten', async () => {
    const outcome = await run({ seed: seedOfRun(), seconds: 6, full: false, print: (line) => console.log(`      ${line}`) })
    expect([...outcome.aimed.keys()]).to.include.members(['before queued', 'after queued'])
    expect(outcome.kills).to.be.greaterThan(3)
    expect(outcome.times).to.be.greaterThan(0)
    expect(outcome.notifications).to.be.greaterThan(0)
  })
})

describe('the comparison of schedules with what was due', () => {
  it('accepts what collapsed, what is to be made up for, and what was left out', () => {
    expect(scheduleProblems(seen({}))).to.deep.equal([])
    expect(scheduleProblems(seen({ missed: 'all', backlog: 2, executions: [execution(1), execution(2), execution(3)] }))).to.deep.equal([])
    expect(scheduleProblems(seen({ missed: 'skip', countedMissed: 3, executions: [execution(1), execution(5)] }))).to.deep.equal([])
  })

  const wrong: readonly [string, Partial<SeenSchedule>, RegExp][] = [
    ['a time that is forgotten', { executions: [execution(1), execution(3), execution(5, 2)] }, /stands for 1 times, and 2 had passed/],
    ['times that are forgotten at the end', { executions: [execution(1)] }, /4 times from .* are in no execution/],
    ['a time that happened twice', { executions: [execution(5, 5), execution(5, 5, { id: 'again' })] }, /happened twice/],
    ['an execution that stands for too many', { executions: [execution(1), execution(5, 5)] }, /stands for 5 times, and 4 had passed/],
    ['a time of no schedule', { executions: [execution(5, 5), execution(5.5, 1)] }, /no time of the schedule/],
    ['a failure', { executions: [execution(5, 5, { state: 'failed' })] }, /is failed/],
    [
      'a lost time that is made up for',
      { missed: 'all', backlog: 1, executions: [execution(1), execution(2), execution(3)] },
      /3 happened, 1/,
    ],
    ['a skipped time that is not counted', { missed: 'skip', countedMissed: 2, executions: [execution(1), execution(5)] }, /2 are counted/],
  ]
  for (const [what, changes, message] of wrong)
    it(`reports ${what}`, () => expect(scheduleProblems(seen(changes)).join('\n')).to.match(message))
})
