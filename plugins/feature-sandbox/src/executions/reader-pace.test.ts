import { expect } from 'chai'
import { createReaderPace } from './reader-pace.js'

describe('the pace of a reader', () => {
  const far = 262_144
  /** Whether it goes on without another event. */
  const goesOn = async (going: Promise<void>): Promise<boolean> => {
    let isGoing = false
    void going.then(() => {
      isGoing = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    return isGoing
  }

  it('holds a process that is more than 256 KiB ahead, until the reader has come that far', async () => {
    const pace = createReaderPace()
    const { signal } = new AbortController()
    expect(await goesOn(pace.goOn(10 * far, signal)), 'without a reader').to.equal(true)
    pace.readTo(1_000)
    expect(await goesOn(pace.goOn(1_000 + far, signal))).to.equal(true)
    const held = pace.goOn(1_001 + far, signal)
    expect(await goesOn(held)).to.equal(false)
    pace.readTo(1_000)
    expect(await goesOn(held)).to.equal(false)
    pace.readTo(1_001)
    expect(await goesOn(held)).to.equal(true)
  })

  it('holds nothing when the reader is gone, the process is ended, or the signal is aborted', async () => {
    for (const free of ['gone', 'release', 'abort'] as const) {
      const pace = createReaderPace()
      const controller = new AbortController()
      pace.readTo(0)
      const held = pace.goOn(2 * far, controller.signal)
      expect(await goesOn(held)).to.equal(false)
      if (free === 'gone') pace.readTo(undefined)
      else if (free === 'release') pace.release()
      else controller.abort()
      expect(await goesOn(held), free).to.equal(true)
      if (free === 'release') pace.readTo(0)
      if (free !== 'gone') expect(await goesOn(pace.goOn(9 * far, controller.signal)), free).to.equal(true)
    }
  })
})
