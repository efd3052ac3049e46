import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder, type TestHost } from './fixture.test.js'
import { failure, finder, use } from './recorded-plugins.test.js'

describe('the first use of a plugin', () => {
  let tree: PluginTree
  let recorder: Recorder
  let started: TestHost | undefined
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(async () => {
    await started?.host.stop()
    started = undefined
    await tree.remove()
  })

  const start = async (): Promise<TestHost> => {
    started = await createTestHost(tree)
    await started.host.loadAhead()
    await started.host.start()
    return started
  }

  describe('with a service of another one', () => {
    beforeEach(async () => {
      await tree.write(
        finder('giver', {
          links: { provides: ['gift'] },
          setup: `if (test.shared.get('broken')) throw new Error('no luck'); context.provide(ref('gift'), 'a bell')`,
        }),
      )
      await tree.write(finder('taker', { links: { requires: ['gift'] }, setup: `test.note('took ' + context.use(ref('gift')))` }))
    })

    it('starts that one first, and stops before it', async () => {
      const host = await start()
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['ready', 'ready'])
      await use(host, 'taker')
      expect(recorder.events).to.deep.equal(['giver setup', 'taker setup', 'took a bell', 'taker searched'])
      await host.host.stop()
      expect(recorder.events.slice(4)).to.deep.equal(['taker disposed', 'giver disposed'])
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['stopped', 'stopped'])
    })

    it('is started for one that starts with the service', async () => {
      await tree.write({ manifest: { id: 'eager', requires: ['gift'] }, setup: `test.note('has ' + context.use(ref('gift')))` })
      const host = await start()
      expect(recorder.events).to.deep.equal(['giver setup', 'eager setup', 'has a bell'])
      expect([host.state('giver'), host.state('taker'), host.state('eager')]).to.deep.equal(['active', 'ready', 'active'])
    })

    it('is blocked while that one is switched off, or failed when it was needed', async () => {
      const host = await start()
      const { stopped } = await host.host.disable('giver')
      expect(stopped).to.deep.equal(['taker', 'giver'])
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['disabled', 'blocked'])
      expect(host.contributions.list(searchProviders)).to.deep.equal([])
      await host.host.enable('giver')
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['ready', 'ready'])
      recorder.shared.set('broken', true)
      expect(await failure(use(host, 'taker'))).to.have.property('code', 'plugin_unavailable')
      await host.host.enable('taker')
      expect([host.state('giver'), host.state('taker')]).to.deep.equal(['failed', 'blocked'])
      expect(host.reason('taker')).to.contain('“gift”')
      recorder.shared.set('broken', false)
      await host.host.enable('giver')
      await use(host, 'taker')
      expect(host.state('taker')).to.equal('active')
    })
  })

  describe('that is starting', () => {
    const hanging = async (): Promise<TestHost> => {
      await tree.write(
        finder('hanging', {
          setup: `await new Promise((resolve) => { test.shared.set('go', resolve); context.signal.addEventListener('abort', resolve) })`,
        }),
      )
      return start()
    }

    it('keeps no change of the host waiting', async () => {
      await tree.write({ manifest: { id: 'stone' } })
      const host = await hanging()
      const used = failure(use(host, 'hanging'))
      await recorder.noted('hanging setup')
      await host.host.disable('stone')
      expect([host.state('hanging'), host.state('stone')]).to.deep.equal(['starting', 'disabled'])
      ;(recorder.shared.get('go') as () => void)()
      expect(await used).to.equal('no failure')
    })

    it('is cancelled when it is switched off; its callers get an error', async () => {
      const host = await hanging()
      const used = failure(use(host, 'hanging'))
      await recorder.noted('hanging setup')
      await host.host.disable('hanging')
      expect(await used).to.have.property('code', 'plugin_unavailable')
      expect(host.state('hanging')).to.equal('disabled')
      expect(host.contributions.list(searchProviders)).to.deep.equal([])
    })

    it('is cancelled when the service stops', async () => {
      const host = await hanging()
      const used = failure(use(host, 'hanging'))
      await recorder.noted('hanging setup')
      await host.host.stop()
      expect(await used).to.have.property('code', 'plugin_unavailable')
      expect(host.state('hanging')).to.equal('stopped')
      expect(recorder.events).to.deep.equal(['hanging setup', 'hanging disposed'])
    })
  })
})
