import { expect } from 'chai'
import { onStreamEnd } from './on-stream-end.js'

describe('onStreamEnd', () => {
  const begin = (fails = false) => {
    const ended = { times: 0, closed: 0 }
    const stream = (async function* () {
      try {
        yield 1
        if (fails) throw new Error('no')
        yield 2
      } finally {
        ended.closed += 1
      }
    })()
    const pieces = onStreamEnd(stream, () => {
      ended.times += 1
    })
    return { ended, pieces }
  }

  it('tells the end of a stream that is read to its end, once', async () => {
    const { ended, pieces } = begin()
    const read: number[] = []
    for await (const piece of pieces) {
      expect(ended.times).to.equal(0)
      read.push(piece)
    }
    expect(read).to.deep.equal([1, 2])
    expect(ended).to.deep.equal({ times: 1, closed: 1 })
  })

  it('tells the end of a stream that fails, or is left, once', async () => {
    const failing = begin(true)
    const error = await (async () => {
      for await (const _ of failing.pieces);
    })().catch((thrown: Error) => thrown.message)
    expect([error, failing.ended]).to.deep.equal(['no', { times: 1, closed: 1 }])

    const left = begin()
    for await (const _ of left.pieces) break
    expect(left.ended).to.deep.equal({ times: 1, closed: 1 })
  })

  it('tells the end of a stream that was never begun', async () => {
    const { ended, pieces } = begin()
    const iterator = pieces[Symbol.asyncIterator]()
    await iterator.return?.()
    await iterator.return?.()
    expect(ended.times).to.equal(1)
  })
})
