import { expect } from 'chai'
import { createCpuWindow } from './cpu-window.js'

describe('the average of processor time', () => {
  /** The share after readings of a tree: pairs of a moment and what it has taken, in seconds. */
  const shareAfter = (processors: number, ...readings: readonly (readonly [at: number, taken: number])[]): number => {
    const window = createCpuWindow(processors)
    for (const [at, taken] of readings) window.add(at * 1_000, [{ id: 'a', cpuMs: taken * 1_000 }])
    return window.shareOf('a')
  }

  it('is that of ten seconds: a short load counts little, and is forgotten', () => {
    expect(shareAfter(1, [0, 0], [2, 2])).to.equal(0.2)
    expect(shareAfter(1, [0, 0], [2, 2], [10, 2])).to.equal(0.2)
    expect(shareAfter(1, [0, 0], [2, 2], [11, 2])).to.be.closeTo(0.1, 1e-9)
    expect(shareAfter(1, [0, 0], [2, 2], [12, 2])).to.equal(0)
    expect(shareAfter(1, [0, 0], [5, 5], [10, 10], [20, 20])).to.equal(1)
  })

  it('is of all processors', () => {
    expect(shareAfter(2, [0, 0], [10, 10])).to.equal(0.5)
    expect(shareAfter(0.5, [0, 0], [10, 5])).to.equal(1)
  })

  it('does not depend on how often it was read', () => {
    const often = Array.from({ length: 81 }, (_, index): readonly [number, number] => [index / 4, index / 8])
    const seldom = often.filter((_, index) => index % 8 === 0)
    expect(shareAfter(1, ...often)).to.be.closeTo(shareAfter(1, ...seldom), 1e-9)
  })

  it('never exceeds everything nor falls below nothing, and forgets what has ended', () => {
    const window = createCpuWindow(1)
    window.add(0, [{ id: 'a', cpuMs: 90_000 }])
    expect(window.shareOf('a')).to.equal(1)
    window.add(1_000, [{ id: 'a', cpuMs: 10 }])
    expect(window.shareOf('a')).to.be.within(0, 1)
    window.add(2_000, [])
    expect(window.shareOf('a')).to.equal(0)
  })
})
