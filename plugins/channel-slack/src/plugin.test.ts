import { channels } from '@agent-service/sdk/contracts/channel'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'

describe('the plugin channel-slack', () => {
  it('contributes the channel', async () => {
    const test = createTestContext(plugin)
    await test.setup()
    expect(test.contributed(channels).map(({ id }) => id)).to.deep.equal(['slack'])
    await test.dispose()
  })
})
