import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import type { PluginReport } from '@agent-service/kernel-core/plugins'
import { contractPoints } from '@agent-service/sdk/host'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'

describe('the plugins of the service that wait for their first use', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel()
  })
  after(() => kernel?.stop())

  const stateOf = (id: string): PluginReport['state'] | undefined => kernel.plugins.report().find((plugin) => plugin.id === id)?.state

  it('are channels, providers, vaults and commands', () => {
    for (const id of ['channel-slack', 'cli-chat', 'feature-prompts', 'provider-openai', 'search-brave', 'vault-keepass'])
      expect(stateOf(id), id).to.equal('ready')
  })

  it('contribute what their plugin.json says once they run', async () => {
    const contributions = kernel.container.resolve(contributionsToken)
    const waiting = kernel.plugins
      .report()
      .filter(({ state }) => state === 'ready')
      .map(({ id }) => id)
    for (const { point } of contractPoints.values())
      for (const { key, pluginId } of contributions.list(point)) if (waiting.includes(pluginId)) contributions.prepare(point, key)
    const missing = (): readonly string[] => waiting.filter((id) => stateOf(id) !== 'active')
    await eventually(() => missing().length === 0, { what: missing })
    expect(kernel.log.filter(({ msg }) => String(msg).includes('plugin.json'))).to.deep.equal([])
  })
})
