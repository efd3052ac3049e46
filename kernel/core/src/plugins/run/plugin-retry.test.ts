import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'
import { retryDelay } from './retries.js'

describe('a plugin that is not ready', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    recorder.shared.set('asleep', true)
    tree = await createPluginTree()
    await tree.write({
      manifest: { id: 'sleeper', provides: ['dream'] },
      setup: `if (test.shared.get('asleep')) throw sdk.pluginNotReadyError.create({ reason: 'the server sleeps', ...test.shared.get('asked') }); context.provide(ref('dream'), 'sheep')`,
    })
    await tree.write({ manifest: { id: 'dreamer', requires: ['dream'] }, setup: `test.note(context.use(ref('dream')))` })
  })
  afterEach(() => tree.remove())

  const setups = () => recorder.events.filter((event) => event === 'sleeper setup').length

  it('is started again with growing delays until it is; those that wait for it follow', async () => {
    const { host, state, reason, clock, lines } = await createTestHost(tree)
    await host.start()
    expect(state('sleeper')).to.equal('retrying')
    expect(reason('sleeper')).to.equal('The plugin is not ready: the server sleeps')
    expect(state('dreamer')).to.equal('blocked')
    expect(reason('dreamer')).to.contain('plugin “sleeper”, which is retrying')
    for (const [attempt, waited] of [1_200, 2_400, 4_800].entries()) {
      await clock.advance(waited)
      await host.enable('dreamer')
      expect(setups()).to.equal(attempt + 2)
    }
    expect(lines.filter(({ level, fields }) => level === 'warn' && fields['plugin'] === 'sleeper')).to.have.length(1)
    recorder.shared.set('asleep', false)
    await clock.advance(9_600)
    await recorder.noted('sheep')
    await host.enable('sleeper')
    expect(state('sleeper')).to.equal('active')
    expect(state('dreamer')).to.equal('active')
    expect(clock.pending()).to.equal(0)
    await host.stop()
  })

  it('waits as long as it requested', async () => {
    recorder.shared.set('asked', { retryAfterMs: 60_000 })
    const { host, clock } = await createTestHost(tree)
    await host.start()
    await clock.advance(47_999)
    await host.enable('dreamer')
    expect(setups()).to.equal(1)
    await clock.advance(24_001)
    await host.enable('dreamer')
    expect(setups()).to.equal(2)
    await host.stop()
  })

  it('is not retried once it is disabled or the service stops', async () => {
    const { host, state, clock } = await createTestHost(tree)
    await host.start()
    expect((await host.disable('sleeper')).report).to.include({ state: 'disabled' })
    expect(clock.pending()).to.equal(0)
    await host.enable('sleeper')
    expect(state('sleeper')).to.equal('retrying')
    await host.stop()
    expect(state('sleeper')).to.equal('stopped')
    expect(clock.pending()).to.equal(0)
  })
})

describe('retryDelay', () => {
  it('doubles from a second to five minutes, within a fifth', () => {
    expect([0, 1, 5, 9, 100].map((attempt) => retryDelay(attempt, undefined, () => 0.5))).to.deep.equal([
      1_000, 2_000, 32_000, 300_000, 300_000,
    ])
    expect([0, 1].map((random) => retryDelay(0, undefined, () => random))).to.deep.equal([800, 1_200])
  })

  it('uses the requested delay, within limits', () => {
    expect([5, 1e12, -1, Number.NaN].map((asked) => retryDelay(0, asked, () => 0.5))).to.deep.equal([5, 3_600_000, 0, 1_000])
  })
})
