import type { Database } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import { type Execution, executionCollection, isEnded } from '../store/execution.js'
import { createTaskBench, type TaskBench } from '../test-support/task-bench.js'

const hourMs = 3_600_000
const killed = new Error('The process was killed.')

/** A random number generator with a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** At which commit a process dies. */
interface Fate {
  left: number
  readonly isBefore: boolean
  isDead: boolean
}

/** A process that dies at a commit, before or after it, and does nothing any more. */
function mortal(database: Database, fate: Fate): Database {
  return {
    ...database,
    collection: (definition) => {
      const real = database.collection(definition)
      return { ...real, get: (id) => alive(() => real.get(id)), query: (query) => alive(() => real.query(query)) }
    },
    async transaction(work, options) {
      if (fate.isDead) throw killed
      fate.left -= 1
      const isLast = fate.left === 0
      if (isLast && fate.isBefore) {
        fate.isDead = true
        throw killed
      }
      const result = await database.transaction(work, options)
      if (isLast) fate.isDead = true
      if (fate.isDead) throw killed
      return result
    },
  }
  function alive<Result>(work: () => Promise<Result>): Promise<Result> {
    return fate.isDead ? Promise.reject(killed) : work()
  }
}

describe('tasks of a process that dies', function () {
  this.timeout(60_000)

  it('at 500 random commits: no time twice, none forgotten, no place lost', async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`      SEED=${seed}`)
    const random = createRandom(seed)
    const immortal: Fate = { left: Number.POSITIVE_INFINITY, isBefore: false, isDead: false }
    /** Of the process that begins next, and of the present one. */
    let next = immortal
    let life = immortal
    const bench = createTaskBench({
      limits: { maxConcurrent: 3, pollMs: 10_000 },
      wrap(database) {
        life = { ...next }
        return mortal(database, life)
      },
    })
    bench.runs.onStart = (run) => run.end()
    const atWork = watchPlaces(bench)
    await bench.engine().begin()
    const ids: string[] = []
    for (const missed of ['all', 'all', 'once'] as const)
      ids.push(
        (await bench.tasks().create({ instruction: 'Work.', schedule: { cron: '0 * * * *' }, spread_secs: 0, missed }, { userId: 'ada' }))
          .task.id,
      )
    ids.push(
      (
        await bench
          .tasks()
          .create({ kind: 'reminder', instruction: 'Look.', schedule: { cron: '30 * * * *' }, missed: 'all' }, { userId: 'ada' })
      ).task.id,
    )

    let kills = 0
    const ended = new Map<string, Execution[]>(ids.map((id) => [id, []]))
    while (kills < 500) {
      await bench.engine().end()
      next = { left: 1 + Math.floor(random() * 9), isBefore: random() < 0.5, isDead: false }
      await bench.restart().catch(ignoreKill)
      for (let step = 0; step < 4 && !life.isDead; step += 1) {
        await bench.clock.advance(hourMs / 2)
        await bench.settle().catch(ignoreKill)
      }
      if (life.isDead) kills += 1
      for (const id of ids) ended.set(id, [...(ended.get(id) ?? []), ...(await takeEnded(bench, id))])
    }
    next = immortal
    await bench.restart()
    while ((await bench.executions(ids[0] ?? '')).concat(await bench.executions(ids[1] ?? '')).some((each) => !isEnded(each)))
      await bench.settle()

    const now = bench.clock.now()
    for (const id of ids) {
      const task = await bench.task(id)
      const all = [...(ended.get(id) ?? []), ...(await bench.executions(id))]
      const times = all.map(({ scheduled_for }) => scheduled_for)
      expect(new Set(times).size, 'no time twice').to.equal(times.length)
      // Due at each full hour, or half an hour past it, since the task was created.
      const phase = task.kind === 'reminder' ? hourMs / 2 : 0
      const due = Math.floor((now - phase) / hourMs) - Math.floor((Date.parse(task.created_at) - phase) / hourMs)
      const counted = all.reduce((sum, { represents }) => sum + represents, 0) + task.backlog.length
      expect(counted, `every time of ${task.missed} ${task.kind}`).to.be.within(due - 1, due)
      const open = all.filter(({ state }) => state !== 'completed')
      expect(open.map(({ state }) => state)).to.deep.equal([])
    }
    expect(await bench.leases()).to.equal(0)
    expect(atWork.most()).to.be.at.most(3)
    const keys = bench.runs.all.map(({ request }) => request.key)
    expect(new Set(keys).size, 'no run twice').to.equal(keys.length)
    console.log(`      ${kills} kills, ${keys.length} runs, at most ${atWork.most()} at work`)
    await bench.close()
  })
})

/** Takes what has ended out of the store, which is slow when it is full. */
async function takeEnded(bench: TaskBench, id: string): Promise<readonly Execution[]> {
  const all = (await bench.executions(id)).filter(isEnded)
  for (const execution of all) await bench.database.collection(executionCollection).delete(execution.id)
  return all
}

const ignoreKill = (error: unknown): void => {
  if (error !== killed) throw error
}

function watchPlaces(bench: TaskBench): { readonly most: () => number } {
  let most = 0
  const { onStart } = bench.runs
  bench.runs.onStart = (run) => {
    most = Math.max(most, bench.runs.open().length)
    onStart(run)
  }
  return { most: () => most }
}
