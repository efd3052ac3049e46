import { expect } from 'chai'
import type { ArchiveEntry } from './archive-entry.js'
import { zipStream } from './zip-stream.js'

const pieceBytes = 64 * 1024

describe('the stream of an archive', () => {
  /** An archive of many pieces, which counts those that were asked for. */
  const source = () => {
    const counts = { pieces: 0, closed: 0, aborted: false }
    async function* piecesOf(): AsyncGenerator<Uint8Array> {
      for (let left = 1_000; left > 0; left -= 1) {
        counts.pieces += 1
        yield Buffer.alloc(pieceBytes, 1)
      }
    }
    async function* entries(signal: AbortSignal): AsyncGenerator<ArchiveEntry, void, undefined> {
      signal.addEventListener('abort', () => {
        counts.aborted = true
      })
      try {
        for (let number = 0; number < 100; number += 1) yield { name: `${number}.bin`, modifiedAt: 0, input: piecesOf() }
      } finally {
        counts.closed += 1
      }
    }
    return { counts, entries }
  }
  const still = new AbortController().signal

  it('reads hardly more than was asked for', async () => {
    const { counts, entries } = source()
    const stream = zipStream(entries, still)
    let bytes = 0
    while (bytes < 50 * pieceBytes) bytes += (await stream.next()).value?.byteLength ?? 0
    expect(counts.pieces).to.be.within(50, 54)
    await stream.return()
  })

  it('ends what it has opened when it is returned, also before it began', async () => {
    const { counts, entries } = source()
    const stream = zipStream(entries, still)
    for (let times = 0; times < 5; times += 1) await stream.next()
    await stream.return()
    expect(counts).to.include({ closed: 1, aborted: true })
    const unread = source()
    await zipStream(unread.entries, still).return()
    expect(unread.counts).to.deep.equal({ pieces: 0, closed: 0, aborted: false })
  })

  it('fails with its entries, without an end', async () => {
    async function* failing(): AsyncGenerator<ArchiveEntry, void, undefined> {
      yield { name: 'a.txt', modifiedAt: Date.UTC(1970, 0, 1), input: 'a' }
      throw new Error('broken')
    }
    const pieces: Uint8Array[] = []
    let message = ''
    try {
      for await (const piece of zipStream(failing, still)) pieces.push(piece)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).to.equal('broken')
    expect(Buffer.concat(pieces).includes(Buffer.from('PK\u0005\u0006'))).to.equal(false)
  })
})
