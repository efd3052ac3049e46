import { expect } from 'chai'
import { createProcessInput, maxWaitingBytes } from './process-input.js'

const kibibyte = new Uint8Array(1_024)

/** Whether a promise has resolved by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => {
    settled = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

describe('the input of a process', () => {
  it('makes a writer wait while more than 256 KiB do', async () => {
    const input = createProcessInput()
    for (let written = 0; written < maxWaitingBytes; written += kibibyte.length) expect(await input.write(kibibyte)).to.equal(true)
    const waiting = input.write(kibibyte)
    expect(await isSettled(waiting)).to.equal(false)
    await input.chunks[Symbol.asyncIterator]().next()
    expect(await waiting).to.equal(true)
  })

  it('gives everything before it ends, and takes nothing afterwards', async () => {
    const input = createProcessInput()
    await input.write(new Uint8Array([1]))
    await input.write(new Uint8Array([2]))
    input.close()
    input.close()
    expect(await input.write(new Uint8Array([3]))).to.equal(false)
    const seen: number[] = []
    for await (const bytes of input.chunks) seen.push(...bytes)
    expect(seen).to.deep.equal([1, 2])
  })

  it('lets writers go when the process has ended, whether it ever read or not', async () => {
    const input = createProcessInput()
    const waiting = input.write(new Uint8Array(maxWaitingBytes + 1))
    input.drop()
    expect(await waiting).to.equal(false)
  })

  it('keeps a copy of what was written', async () => {
    const input = createProcessInput()
    const bytes = new Uint8Array([1])
    await input.write(bytes)
    bytes[0] = 9
    expect((await input.chunks[Symbol.asyncIterator]().next()).value).to.deep.equal(new Uint8Array([1]))
  })
})
