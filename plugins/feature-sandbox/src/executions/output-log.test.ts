import { expect } from 'chai'
import { createOutputLog } from './output-log.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

describe('the output of a process', () => {
  const all = async (log: ReturnType<typeof createOutputLog>, from = 0) => {
    const seen: { stream: string; offset: number; text: string }[] = []
    for await (const { stream, offset, bytes } of log.read({ from, follow: false })) seen.push({ stream, offset, text: textOf(bytes) })
    return seen
  }

  it('is read from any offset, by streams in the order of writing', async () => {
    const log = createOutputLog()
    log.append('stdout', bytesOf('one '))
    log.append('stdout', bytesOf('two'))
    log.append('stderr', bytesOf('three'))
    expect(await all(log)).to.deep.equal([
      { stream: 'stdout', offset: 0, text: 'one two' },
      { stream: 'stderr', offset: 7, text: 'three' },
    ])
    expect(await all(log, 5)).to.deep.equal([
      { stream: 'stdout', offset: 5, text: 'wo' },
      { stream: 'stderr', offset: 7, text: 'three' },
    ])
    expect(await all(log, 100)).to.deep.equal([])
  })

  it('keeps the last bytes alone, and an older offset begins with them', async () => {
    const log = createOutputLog(100_000)
    for (let number = 0; number < 40; number += 1) log.append('stdout', bytesOf(String(number % 10).repeat(10_000)))
    const seen = await all(log)
    expect([log.total, log.kept, seen[0]?.offset]).to.deep.equal([400_000, 100_000, 300_000])
    expect(seen.map(({ text }) => text).join('')).to.equal([...Array(10).keys()].map((digit) => String(digit).repeat(10_000)).join(''))
    for (const { text } of seen) expect(text.length).to.be.within(1, 65_536)
  })

  it('keeps a bounded number of pieces when the streams change with each byte', async () => {
    const log = createOutputLog()
    for (let number = 0; number < 20_000; number += 1) log.append(number % 2 === 0 ? 'stdout' : 'stderr', bytesOf('x'))
    expect(log.kept).to.equal(4_096)
    expect((await all(log))[0]?.offset).to.equal(20_000 - 4_096)
  })

  it('is followed until its end, by any number of readers, and what was read stays as it was', async () => {
    const log = createOutputLog()
    const follow = async (): Promise<readonly Uint8Array[]> => {
      const seen: Uint8Array[] = []
      for await (const { bytes } of log.read()) seen.push(bytes)
      return seen
    }
    const readers = [follow(), follow()]
    for (const text of ['a', 'b', 'c']) {
      log.append('stdout', bytesOf(text))
      await new Promise((resolve) => setImmediate(resolve))
    }
    log.end()
    for (const reader of readers) expect((await reader).map(textOf)).to.deep.equal(['a', 'b', 'c'])
  })

  it('stops following with the reason of the signal', async () => {
    const controller = new AbortController()
    const next = createOutputLog().read({ signal: controller.signal })[Symbol.asyncIterator]().next()
    controller.abort(new Error('enough'))
    expect(await next.catch((error: Error) => error.message)).to.equal('enough')
  })
})
