import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createControlledClock, createSystemClock, type KernelDatabase, openDatabase } from '@agent-service/kernel/testing'
import { ServiceError } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import { createMemoryDatabaseDriver } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { collections } from '../../compose/user-data.js'
import { answerTimeoutMs, approvalCollection } from '../../store/runs/approval.js'
import { isFinished, runCollection } from '../../store/runs/run.js'
import { runStepCollection } from '../../store/runs/run-step.js'
import { startAskingProcess, storeAskingRun } from '../../test-support/asking-process.js'
import { createRecordingLogger } from '../../test-support/fake-tools.js'

const calls = 3
const by = { userId: 'u', username: 'ada' }

type Happening = typeof happenings extends fc.Arbitrary<(infer One)[]> ? One : never

/** What happens, in this order; nothing waits for what was begun before it, `pause` apart. */
const happenings = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({
        kind: fc.constant('answer' as const),
        call: fc.nat({ max: calls - 1 }),
        decision: fc.constantFrom('approve' as const, 'approve' as const, 'deny' as const),
      }),
      weight: 6,
    },
    { arbitrary: fc.record({ kind: fc.constant('pause' as const), turns: fc.integer({ min: 1, max: 40 }) }), weight: 8 },
    { arbitrary: fc.record({ kind: fc.constant('kill' as const) }), weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant('stop' as const) }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('cancel' as const) }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('day' as const) }), weight: 1 },
  ),
  { maxLength: 25 },
)

const asked = { kind: 'pause' as const, turns: 40 }

/** One of each ending in any case, beside the random ones. */
const endings: [Happening[]][] = [
  [[asked, { kind: 'answer', call: 0, decision: 'approve' }, asked]],
  [[asked, { kind: 'answer', call: 0, decision: 'deny' }, asked]],
  [[asked, { kind: 'day' }]],
  [[asked, { kind: 'cancel' }]],
]

describe('calls about which a person is asked, whatever happens when', function () {
  this.timeout(120_000)
  let folder: string
  let store: KernelDatabase
  let database: Database
  const seen = { executed: 0, denied: 0, withdrawn: 0, expired: 0, unknown: 0 }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-asked-'))
    store = await openDatabase({
      driver: createMemoryDatabaseDriver(),
      path: folder,
      settings: {},
      cache: { ttlSeconds: 0, maxEntries: 0 },
      clock: createSystemClock(),
      log: createRecordingLogger(),
      signal: AbortSignal.timeout(30_000),
    })
    database = await store.openFor('feature-agents', collections)
  })
  after(async () => {
    await store?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('run at most once, only after a yes, and a yes stays only for those that began', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (steps) => {
        const runId = uuidv7()
        const callIds = Array.from({ length: calls }, (_, index) => `${runId}/call/${index}`)
        await storeAskingRun(database, runId, callIds)
        const approvals = database.collection(approvalCollection)
        const clock = createControlledClock({ now: Date.UTC(2026, 0, 1) })
        const executions: string[] = []
        const unpermitted: string[] = []
        const execute = async (callId: string): Promise<void> => {
          executions.push(callId)
          if ((await approvals.get(callId))?.status !== 'approved') unpermitted.push(callId)
          for (let turn = 0; turn < 5; turn += 1) await setImmediate()
        }
        let process = startAskingProcess({ database, clock, execute })
        let pending: Promise<unknown>[] = []
        const resume = () => process.runs.resumeAll(async () => undefined)
        const start = async (): Promise<void> => {
          pending = []
          process = startAskingProcess({ database, clock, execute })
          await resume()
        }
        const answer = (callId: string, decision: 'approve' | 'deny') =>
          process.answering.answer({ by, runId, callId, decision, note: undefined }).catch((error: unknown) => {
            if (!ServiceError.isInstance(error) || (error.status !== 409 && error.status !== 404)) throw error
          })
        await resume()
        for (const step of steps) {
          if (step.kind === 'answer') pending.push(answer(callIds[step.call] ?? '', step.decision))
          if (step.kind === 'pause') for (let turn = 0; turn < step.turns; turn += 1) await setImmediate()
          if (step.kind === 'cancel') pending.push(process.runs.cancel(runId, { signal: new AbortController().signal }))
          if (step.kind === 'day') await clock.advance(answerTimeoutMs)
          if (step.kind === 'kill') {
            await process.kill()
            await start()
          }
          if (step.kind === 'stop') {
            await process.runs.park()
            await process.kill()
            await start()
          }
        }
        await Promise.all(pending)
        const runOf = async () => (await database.collection(runCollection).get(runId)) ?? expect.fail('no run')
        for (let look = 0; !isFinished(await runOf()); look += 1) {
          if (look === 5_000) expect.fail(`The run is ${(await runOf()).status} and does not end.`)
          for (const callId of callIds) await answer(callId, 'deny')
          await setImmediate()
        }
        await process.runs.ended(runId)

        expect(unpermitted, 'without a yes').to.deep.equal([])
        expect(new Set(executions).size, 'twice').to.equal(executions.length)
        const log = (await database.collection(runStepCollection).query({ index: 'by_run', equals: [runId], limit: 200 })).items
        for (const callId of callIds) {
          const status = (await approvals.get(callId))?.status
          const began = log.some(({ body }) => body.type === 'tool.started' && body.call_id === callId)
          const results = log.filter(({ body }) => body.type === 'tool.completed' && body.call_id === callId)
          expect(results, 'results of a call').to.have.length(1)
          expect(began, `${callId} is ${String(status)}`).to.equal(status === 'approved')
          if (executions.includes(callId)) expect(began).to.equal(true)
          seen.executed += executions.includes(callId) ? 1 : 0
          seen.unknown += began && !executions.includes(callId) ? 1 : 0
          if (status === 'denied' || status === 'withdrawn' || status === 'expired') seen[status] += 1
        }
        await process.kill()
      }),
      { numRuns: 60, examples: endings },
    )
    // The runs went everywhere.
    expect(Object.entries(seen).filter(([name, times]) => times === 0 && name !== 'unknown')).to.deep.equal([])
  })
})
