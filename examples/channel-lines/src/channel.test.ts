import assert from 'node:assert/strict'
import { channels } from '@agent-service/sdk/contracts/channel'
import { createTestContext, describeChannel } from '@agent-service/sdk/testing'
import plugin from './index.js'
import { createLinesBench } from './lines-server.test.js'

describeChannel({
  name: 'lines',
  create: createLinesBench,
  supports: { groups: true, idempotentSend: true },
  faults: ['down', 'failing', 'silent', 'garbled', 'throttled', 'revoked', 'rejecting', 'losing'],
  bots: true,
  echoes: true,
})

it('contributes the channel', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  assert.deepEqual(
    test.contributed(channels).map(({ id }) => id),
    ['lines'],
  )
  await test.dispose()
})
