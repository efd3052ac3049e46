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
  it('is over when the last one comes', async () => {
    const { clock, contributions, wait, over } = begin()
    wait(['look', 'send'])
    await clock.advance(10)
    expect(over.now).to.equal(false)
    contributions.add(toolNamed('send'))
    await clock.advance(0)
    expect(over.now).to.equal(true)
    expect(clock.pending()).to.equal(0)
  })

  it('is over when all plugins have started without it: it will not come', async () => {
    const { clock, contributions, wait, over } = begin()
    wait(['look', 'send'])
    await clock.advance(10)
    expect(over.now).to.equal(false)
    contributions.settle()
    await clock.advance(0)
    expect(over.now).to.equal(true)
    expect(clock.pending()).to.equal(0)
  })

  it('is over at once when all are there, after its time, and with its signal', async () => {
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

  it('is not needed where all are there, all plugins have started, or its time is over', async () => {
    const { clock, contributions, presence } = begin()
    expect([presence.isSettled(['look']), presence.isSettled(['look', 'send'])]).to.deep.equal([true, false])
    contributions.settle()
    await clock.advance(0)
    expect(presence.isSettled(['send'])).to.equal(true)
    const other = begin()
    await other.clock.advance(1_000)
    expect(other.presence.isSettled(['send'])).to.equal(true)
  })
})
