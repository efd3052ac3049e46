import { expect } from 'chai'
import { eventFrame } from '../test-support/encode-frame.js'
import { createFrameStreamReader } from './frame-stream-reader.js'

describe('a stream of large frames', () => {
  it('reads a large frame that comes in small pieces in time that grows with its size alone', () => {
    const frame = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'x'.repeat(4_000_000) } })
    const reader = createFrameStreamReader()
    const started = performance.now()
    let documents = 0
    for (let start = 0; start < frame.length; start += 1_000) documents += reader.feed(frame.subarray(start, start + 1_000)).length
    expect(documents).to.equal(1)
    expect(performance.now() - started).to.be.lessThan(2_000)
  })
})
