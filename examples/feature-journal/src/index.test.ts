import assert from 'node:assert/strict'
import type { JsonObject } from '@agent-service/sdk'
import { runsService } from '@agent-service/sdk/services/runs'
import { createTestContext } from '@agent-service/sdk/testing'
import { createFakeRuns } from './fake-runs.test.js'
import plugin from './index.js'

const base = '/api/plugins/feature-journal'

async function start() {
  const runs = createFakeRuns()
  const test = createTestContext(plugin, { services: [[runsService, runs]] })
  await test.setup()
  return {
    test,
    runs,
    reflect: (day: string) => test.request(`POST ${base}/reflections`, { body: { day } }),
    /** The event that the service delivers when a run has ended. */
    ended: (runId: string, reportsTo: JsonObject, id = `event-of-${runId}`) =>
      test.services.events.deliver({
        kind: 'event',
        id,
        recordedAt: '2026-11-20T12:00:00.000Z',
        attempt: 1,
        userId: 'user-1',
        name: 'run.completed',
        data: { chat_id: `chat-of-${runId}`, run_id: runId, reports_to: reportsTo },
      }),
    async texts(): Promise<readonly unknown[]> {
      const answer = await test.request(`GET ${base}/entries`)
      assert.equal(answer.kind, 'json')
      const page = answer.kind === 'json' ? (answer.json as { readonly items: readonly JsonObject[] }) : { items: [] }
      return page.items.map(({ text }) => text ?? null)
    },
  }
}

const ours = { kind: 'feature-journal.reflection', id: '2026-11-20' }
const runId = 'feature-journal-reflection-2026-11-20'

describe('the journal', () => {
  it('writes entries of a person and lists them, the newest first', async () => {
    const { test, texts } = await start()
    for (const text of ['Planted beans', 'It rained']) {
      await test.request(`POST ${base}/entries`, { body: { notebook: 'garden', text } })
      await test.services.clock.advance(1_000)
    }
    assert.deepEqual(await texts(), ['It rained', 'Planted beans'])
    assert.deepEqual(
      test.services.events.recorded.map(({ name }) => name),
      ['feature-journal.written', 'feature-journal.written'],
    )
    await test.dispose()
  })

  it('starts one run for each day', async () => {
    const { test, runs, reflect } = await start()
    const [first, second] = [await reflect('2026-11-20'), await reflect('2026-11-20')]
    assert.deepEqual(first, second)
    assert.equal(first.status, 202)
    const [request] = runs.requests
    assert.equal(request?.key, 'feature-journal.reflection/2026-11-20')
    assert.deepEqual(request?.reportsTo, ours)
    await assert.rejects(reflect('yesterday'), /body/)
    await test.dispose()
  })

  it('stores the outcome of a run once, for repeated events too', async () => {
    const { test, runs, reflect, ended, texts } = await start()
    await reflect('2026-11-20')
    runs.complete(runId, 'A good day.')
    await ended(runId, ours)
    await ended(runId, ours)
    await ended(runId, ours, 'another-event')
    assert.deepEqual(await texts(), ['A good day.'])
    assert.equal(test.services.events.recorded.length, 1)
    await test.dispose()
  })

  it('ignores runs of others, and those whose chat was deleted', async () => {
    const { test, runs, reflect, ended, texts } = await start()
    await reflect('2026-11-20')
    runs.complete(runId, 'A good day.')
    await ended(runId, { kind: 'feature-tasks.task', id: '1' })
    await ended('deleted', ours)
    assert.deepEqual(await texts(), [])
    await test.dispose()
  })

  it('reads the runs themselves when events are missing', async () => {
    const { test, runs, reflect, texts } = await start()
    await reflect('2026-11-20')
    await reflect('2026-11-21')
    runs.complete(runId, 'A good day.')
    const gap = { kind: 'gap', id: 'gap-1', lost: 3, until: '2026-11-21T00:00:00.000Z', attempt: 1 } as const
    await test.services.events.deliver({ ...gap, userId: 'user-1' })
    assert.deepEqual(await texts(), ['A good day.'])
    await test.services.events.deliver({ ...gap, userId: null })
    assert.equal(test.lines.filter(({ level }) => level === 'warn').length, 1)
    await test.dispose()
  })
})
