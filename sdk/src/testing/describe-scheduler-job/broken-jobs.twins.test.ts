import { expect } from 'chai'
import { defineJob, type SchedulerJob } from '../../contracts/scheduler-job/index.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeSchedulerJob } from './index.js'

const create = (): SchedulerJob => {
  const done: string[] = []
  return defineJob({ id: 'garden.water', everySeconds: 60, timeoutSeconds: 5, run: async () => void done.push('watered') })
}

async function failing(change: (job: SchedulerJob) => object): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  const changed = (): SchedulerJob => {
    const job = create()
    return { ...job, ...change(job) }
  }
  describeSchedulerJob({ name: 'water', runner, abortLimitMs: 30, create: changed })
  const results = await runner.run({ testLimitMs: 200 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('job water › ', ''))
}

const runs = 'runs, and may run again'
const ends = 'ends when it is aborted'
const leaves = 'leaves nothing behind: no listener on its signal, no timer, no open handle'
const next = 'runs again after a run that was aborted'

const faults: readonly (readonly [string, (job: SchedulerJob) => object, readonly string[]])[] = [
  ['an id without its plugin', () => ({ id: 'water' }), [soundTitle]],
  ['an empty title', () => ({ title: ' ' }), [soundTitle]],
  ['half a second', () => ({ everySeconds: 0.5 }), [soundTitle]],
  ['no time at all', () => ({ timeoutSeconds: 0 }), [soundTitle]],
  ['an unknown member', () => ({ interval: 5 }), [soundTitle]],
  ['a run with a result', () => ({ run: async () => 5 }), [runs, next]],
  [
    'a run that cannot be repeated',
    () => {
      let times = 0
      return {
        run: async () => {
          times += 1
          if (times > 1) throw new Error('once is enough')
        },
      }
    },
    [runs, leaves, next],
  ],
  [
    'a run that continues after its abort',
    () => ({
      run: ({ signal }: { readonly signal: AbortSignal }) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 5)
          signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    }),
    [leaves, ends, next],
  ],
]

describe('describeSchedulerJob', () => {
  it('passes a job that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
