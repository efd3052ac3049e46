import { expect } from 'chai'
import { createBodyQueue } from './body-queue.js'

/** A connection that records its calls. */
const createConnection = () => {
  const told: string[] = []
  return { told, pause: () => void told.push('pause'), resume: () => void told.push('resume') }
}
const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString()
const kibibytes = (count: number): Uint8Array => new Uint8Array(count * 1024)

describe('the body of an answer on its way', () => {
  it('is read in order, before and after a read, and in one piece what arrived together', async () => {
    const queue = createBodyQueue(createConnection())
    queue.add(bytesOf('a'))
    queue.add(bytesOf('b'))
    expect(textOf(await queue.read())).to.equal('ab')
    const next = queue.read()
    for (const text of ['c', 'd', 'e']) queue.add(bytesOf(text))
    expect(textOf(await next)).to.equal('cde')
    const last = queue.read()
    queue.add(bytesOf('f'))
    queue.end()
    expect(textOf(await last)).to.equal('f')
    expect(await queue.read()).to.equal(undefined)
    expect(await queue.read()).to.equal(undefined)
  })

  it('pauses the connection while the reader is slow', async () => {
    const connection = createConnection()
    const queue = createBodyQueue(connection)
    for (let count = 0; count < 5; count += 1) queue.add(kibibytes(64))
    expect(connection.told).to.deep.equal(['pause'])
    expect((await queue.read())?.byteLength).to.equal(5 * 64 * 1024)
    expect(connection.told).to.deep.equal(['pause', 'resume'])
  })

  it('that breaks off is read to that point, then fails for every read', async () => {
    const queue = createBodyQueue(createConnection())
    const reason = new Error('broken')
    queue.add(kibibytes(1))
    queue.fail(reason)
    queue.end()
    queue.add(kibibytes(1))
    expect((await queue.read())?.byteLength).to.equal(1024)
    for (let time = 0; time < 2; time += 1) {
      const error: unknown = await queue.read().catch((thrown: unknown) => thrown)
      expect(error).to.equal(reason)
    }
  })

  it('rejects a waiting reader', async () => {
    const queue = createBodyQueue(createConnection())
    const waiting = queue.read().catch((thrown: unknown) => thrown)
    const reason = new Error('broken')
    queue.fail(reason)
    expect(await waiting).to.equal(reason)
  })
})
