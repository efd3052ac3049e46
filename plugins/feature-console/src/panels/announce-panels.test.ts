import type { Logger } from '@agent-service/sdk'
import { createFakeEvents, createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { announcePanels } from './announce-panels.js'

describe('the announcement of panels', () => {
  const open = (announce?: () => Promise<void>) => {
    const [events, clock] = [createFakeEvents(), createTestClock()]
    const warnings: string[] = []
    let change: () => void = () => undefined
    const contributions = {
      onChange: (_: unknown, listener: () => void) => {
        change = listener
        return () => {
          change = () => undefined
        }
      },
    }
    const log = { warn: (message: string) => warnings.push(message) } as unknown as Logger
    const stop = announcePanels({ contributions, events: announce ? { announce } : events, clock, log })
    return { events, clock, warnings, stop, change: () => change() }
  }

  it('comes once for plugins that come together, and again for later ones', async () => {
    const { events, clock, change, stop } = open()
    for (const _ of [1, 2, 3]) change()
    expect(events.recorded).to.deep.equal([])
    await clock.advance(250)
    expect(events.recorded).to.deep.equal([{ userId: '*', name: 'console.panels_changed', data: {} }])
    await clock.advance(10_000)
    change()
    await clock.advance(250)
    expect(events.recorded).to.have.length(2)
    await stop()
  })

  it('ends with the console, also one that is on its way', async () => {
    const { events, clock, change, stop } = open()
    change()
    await stop()
    change()
    await clock.advance(10_000)
    expect(events.recorded).to.deep.equal([])
  })

  it('that fails is a line in the log, and the next one comes', async () => {
    let calls = 0
    const { clock, change, warnings, stop } = open(async () => {
      calls += 1
      throw new Error('closed')
    })
    for (const _ of [1, 2]) {
      change()
      await clock.advance(250)
    }
    expect([calls, warnings.length]).to.deep.equal([2, 2])
    await stop()
  })
})
