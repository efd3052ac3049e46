import { createControlledClock } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createFakeTools, toolNamed } from '../../test-support/fake-tools.js'
import { createToolPresence } from './tool-presence.js'

const begin = () => {
  const clock = createControlledClock()
  const contributions = createFakeTools([toolNamed('look')])
  const presence = createToolPresence({ contributions, clock, withinMs: 1_000 })
  const over = { now: false }
  const wait = (names: readonly string[], signal = new AbortController().signal) => {
    over.now = false
    void presence.until(names, signal).then(() => {
      over.now = true
    })
  }
  return { clock, contributions, presence, wait, over }
}

describe('waiting for the tools of an agent', () => {
  it('ends when the last one is available', async () => {
    const { clock, contributions, wait, over } = begin()
    wait(['look', 'send'])
    await clock.advance(10)
    expect(over.now).to.equal(false)
    contributions.add(toolNamed('send'))
    await clock.advance(0)
    expect(over.now).to.equal(true)
    expect(clock.pending()).to.equal(0)
  })

  it('ends when all plugins have started without it', async () => {
    const { clock, contributions, wait, over } = begin()
    wait(['look', 'send'])
    await clock.advance(10)
    expect(over.now).to.equal(false)
    contributions.settle()
    await clock.advance(0)
    expect(over.now).to.equal(true)
    expect(clock.pending()).to.equal(0)
  })

  it('ends at once if all are available, after its timeout, and with its signal', async () => {
    const { clock, wait, over } = begin()
    wait(['look'])
    await clock.advance(0)
    expect(over.now).to.equal(true)
    const controller = new AbortController()
    wait(['send'], controller.signal)
    controller.abort()
    await clock.advance(0)
    expect(over.now).to.equal(true)
    wait(['send'])
    await clock.advance(999)
    expect(over.now).to.equal(false)
    await clock.advance(1)
    expect(over.now).to.equal(true)
    expect(clock.pending()).to.equal(0)
  })

  it('is not needed if all are available, all plugins have started, or its timeout is over', async () => {
    const { clock, contributions, presence } = begin()
    // Whether there are hooks to wait for is known in the next turn.
    expect(presence.isSettled(['look'])).to.equal(false)
    await clock.advance(0)
    expect([presence.isSettled(['look']), presence.isSettled(['look', 'send'])]).to.deep.equal([true, false])
    contributions.settle()
    await clock.advance(0)
    expect(presence.isSettled(['send'])).to.equal(true)
    const other = begin()
    await other.clock.advance(0)
    await other.clock.advance(1_000)
    expect(other.presence.isSettled(['send'])).to.equal(true)
  })
})
