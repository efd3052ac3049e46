import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { defineJob, type SchedulerJob, type SchedulerJobRun } from '../../contracts/scheduler-job/index.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeSchedulerJob } from './index.js'

/** Beds that are to be watered, and how often each was. */
interface Garden {
  readonly dry: Set<string>
  readonly watered: string[]
}

type Run = SchedulerJob['run']
type Change = (garden: Garden, run: Run) => Run

type Given = 'all' | 'state' | 'nothing'

function createJob(change: Change, given: Given) {
  const garden: Garden = { dry: new Set(['beans', 'peas', 'mint']), watered: [] }
  const plain: Run = async ({ signal }) => {
    for (const bed of [...garden.dry]) {
      signal.throwIfAborted()
      if (!garden.dry.delete(bed)) continue
      garden.watered.push(bed)
      await nextTurn()
    }
  }
  const create = (): SchedulerJob => defineJob({ id: 'garden.water', everySeconds: 60, run: change(garden, plain) })
  if (given === 'nothing') return create()
  const state = (): readonly string[] => [...garden.watered].sort()
  return { job: create(), state, ...(given === 'all' && { after: ['beans', 'mint', 'peas'], restarted: create }) }
}

async function outcome(change: Change, given: Given = 'all') {
  const runner = createCollectingRunner()
  describeSchedulerJob({
    name: 'water',
    runner,
    abortLimitMs: 100,
    create: () => createJob(change, given),
  })
  const results = await runner.run({ testLimitMs: 500 })
  return {
    failed: results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('job water › ', '')),
    notes: runner.notes,
  }
}

const leaves = 'leaves nothing behind: no listener on its signal, no timer, no open handle'
const ends = 'ends when it is aborted'
const next = 'runs again after a run that was aborted'
const once = 'does its work once when two runs are at it'
const rest = 'does nothing after the end of an aborted run, and the rest in the next one'
const works = 'has done its work when a run ends'
const elsewhere = 'does the rest of an aborted run in another process'

describe('describeSchedulerJob, of its work', () => {
  const timers: NodeJS.Timeout[] = []
  after(() => timers.forEach(clearInterval))

  const batched =
    (lose: boolean): Change =>
    (garden) =>
    async ({ signal }) => {
      for (const bed of [...garden.dry].slice(0, 2)) {
        if (!lose) signal.throwIfAborted()
        if (!garden.dry.delete(bed)) continue
        signal.throwIfAborted()
        garden.watered.push(bed)
        await nextTurn()
      }
    }
  it('passes a job that does a part of its work in each run, also if one at once passes over its turn', async () => {
    const skipping: Change = (garden) => {
      let isRunning = false
      const work = batched(false)(garden, async () => undefined)
      return async (options) => {
        if (isRunning) return
        isRunning = true
        await work(options).finally(() => {
          isRunning = false
        })
      }
    }
    for (const change of [batched(false), skipping]) expect((await outcome(change, 'state')).failed).to.deep.equal([])
  })
  it('catches one of these that loses work by an abort', async () => {
    expect((await outcome(batched(true), 'state')).failed).to.include(rest)
  })

  const faults: readonly (readonly [string, Change, readonly string[]])[] = [
    [
      'a listener that stays on the signal',
      (_garden, run) => (options) => {
        options.signal.addEventListener('abort', () => undefined)
        return run(options)
      },
      [leaves],
    ],
    [
      'a timer that stays',
      (_garden, run) => (options) => {
        timers.push(setInterval(() => undefined, 60_000))
        return run(options)
      },
      [leaves],
    ],
    [
      'a run that waits for an abort that has been',
      (_garden, run) => (options) => {
        if (!options.signal.aborted) return run(options)
        return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(new Error('stopped'))))
      },
      [ends, next, rest, elsewhere],
    ],
    [
      'a run that ignores its signal while it waits',
      () =>
        ({ signal }: SchedulerJobRun) =>
          new Promise<void>((resolve) => {
            if (signal.aborted) resolve()
            timers.push(setTimeout(resolve, 60_000))
          }),
      ['runs, and may run again', leaves, ends, next, works, once, rest, elsewhere],
    ],
    [
      'a run that takes itself for running after an abort',
      (_garden, run) => {
        let isRunning = false
        return async (options) => {
          if (isRunning) throw new Error('It runs already.')
          isRunning = true
          await run(options)
          isRunning = false
        }
      },
      [next, rest],
    ],
    [
      'work that is done twice by two runs at once',
      (garden) =>
        async ({ signal }) => {
          for (const bed of [...garden.dry]) {
            signal.throwIfAborted()
            garden.watered.push(bed)
            await nextTurn()
            garden.dry.delete(bed)
          }
        },
      [once],
    ],
    [
      'work that goes on behind an abort',
      (garden, run) => async (options) => {
        if (!options.signal.aborted) void nextTurn().then(() => run({ ...options, signal: new AbortController().signal }))
        options.signal.throwIfAborted()
        while (garden.dry.size > 0 && !options.signal.aborted) await nextTurn()
      },
      [rest],
    ],
    [
      'work that an abort loses',
      (garden, run) => async (options) => {
        const beds = [...garden.dry]
        garden.dry.clear()
        options.signal.throwIfAborted()
        for (const bed of beds) garden.dry.add(bed)
        await run(options)
      },
      [rest, elsewhere],
    ],
    ['work that is never done', () => async () => undefined, [works]],
    [
      'work that leaves its last item',
      (garden) =>
        async ({ signal }) => {
          for (const bed of [...garden.dry].slice(0, -1)) {
            signal.throwIfAborted()
            if (garden.dry.delete(bed)) garden.watered.push(bed)
          }
        },
      [works],
    ],
    [
      'work on what is not its own',
      (garden, run) => async (options) => {
        await run(options)
        if (!garden.watered.includes('cactus')) garden.watered.push('cactus')
      },
      [works],
    ],
    [
      'work that is done after the end of its run',
      (_garden, run) => async (options) => {
        options.signal.throwIfAborted()
        void run(options).catch(() => undefined)
      },
      [works],
    ],
    [
      'work that only the process that began it ends',
      (garden) => {
        let taken: string[] | undefined
        return async ({ signal }) => {
          taken ??= [...garden.dry]
          garden.dry.clear()
          for (let bed = taken.pop(); bed !== undefined; bed = taken.pop()) {
            garden.watered.push(bed)
            await nextTurn()
            if (signal.aborted && taken.length > 0) throw new Error('stopped')
          }
        }
      },
      [elsewhere],
    ],
  ]

  it('passes a job that keeps the contract, and has nothing to say', async () => {
    expect(await outcome((_garden, run) => run)).to.deep.equal({ failed: [], notes: [] })
  })
  it('says what it did not check of a job without its state', async () => {
    const { failed, notes } = await outcome((_garden, run) => run, 'nothing')
    expect([failed, notes]).to.deep.equal([
      [],
      [
        'job water: not checked, because “state” was not given: a run does its work before it ends; runs at once do the work once; an aborted run does nothing after its end, and the next one does the rest',
      ],
    ])
  })
  it('says what it did not check of a job with its state alone', async () => {
    const { failed, notes } = await outcome((_garden, run) => run, 'state')
    expect([failed, notes]).to.deep.equal([
      [],
      [
        'job water: not checked, because “after” was not given: a run does all of its work, and nothing else',
        'job water: not checked, because “restarted” was not given: another process does the rest of an aborted run',
      ],
    ])
  })
  it('says nothing of a job that is said to change nothing', async () => {
    const runner = createCollectingRunner()
    const job = defineJob({ id: 'garden.look', everySeconds: 60, run: async () => undefined })
    describeSchedulerJob({ name: 'look', runner, create: () => ({ job, state: 'not applicable' }) })
    expect((await runner.run()).filter(({ error }) => error !== undefined)).to.deep.equal([])
    expect(runner.notes).to.deep.equal([])
  })
  it('passes a job that does the same work in every run', async () => {
    const measure: Change = (garden) => async (options) => {
      options.signal.throwIfAborted()
      garden.watered.push('measured')
    }
    expect((await outcome(measure, 'state')).failed).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect((await outcome(change)).failed).to.deep.equal(titles)
    })
  }
})
