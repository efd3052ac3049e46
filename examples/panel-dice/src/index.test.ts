import assert from 'node:assert/strict'
import type { ConsolePanel } from '@agent-service/sdk/contracts/console-panel'
import { createTestClock, createTestContext, describeConsolePanel } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { createPanels } from './panels.js'
import { createRoutes } from './routes.js'
import { createTable } from './table.js'

const routes = createRoutes(createTable(createTestClock()), 6)

for (const panel of createPanels(6)) describeConsolePanel({ name: panel.id, routes, create: (): ConsolePanel => panel })

const base = '/api/plugins/panel-dice'

it('throws as many dice as the rules of the person say, and forgets them', async () => {
  const test = createTestContext(plugin, { config: { max_dice: 3 } })
  await test.setup()
  await test.request(`PUT ${base}/rules`, { body: { dice: 3, sides: 20 } })
  const thrown = await test.request(`POST ${base}/throws`)
  assert.equal(thrown.status, 201)
  const json =
    thrown.kind === 'json' ? (thrown.json as { readonly id: string; readonly eyes: readonly number[]; readonly sum: number }) : undefined
  assert.equal(json?.eyes.length, 3)
  assert.equal(
    json.sum,
    json.eyes.reduce((sum, each) => sum + each, 0),
  )
  await test.request(`DELETE ${base}/throws/{throw_id}`, { params: { throw_id: json.id } })
  const totals = await test.request(`GET ${base}/totals`)
  assert.deepEqual(totals.kind === 'json' && totals.json, { throws: 0, sum: 0, mean: null, last_at: null })
  await assert.rejects(test.request(`PUT ${base}/rules`, { body: { dice: 4, sides: 6 } }), /did not pass validation/)
  await test.dispose()
})
