import assert from 'node:assert/strict'
import { createTestContext, describeTool } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { createRollDice } from './roll-dice.js'

describeTool({
  name: 'roll_dice',
  create: () => ({ tool: createRollDice(6), state: 'not applicable' }),
  examples: [
    { title: 'one die', input: { count: 1 } },
    { title: 'a handful', input: { count: 100 } },
  ],
  secrets: [],
  stranger: 'not applicable',
})

it('rolls dice with as many sides as the settings say', async () => {
  const test = createTestContext(plugin, { config: { sides: 2 } })
  await test.setup()
  const [content] = (await test.call('roll_dice', { count: 100 })).content
  const rolled = content?.type === 'json' ? content.json['rolled'] : undefined
  assert.ok(Array.isArray(rolled) && rolled.length === 100 && rolled.every((side) => side === 1 || side === 2))
  await test.dispose()
})

it('refuses settings that no die has', () => {
  assert.throws(() => createTestContext(plugin, { config: { sides: 1 } }), /\/sides must be at least 2/)
})
