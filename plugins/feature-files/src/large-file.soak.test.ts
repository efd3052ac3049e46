import { truncate } from 'node:fs/promises'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type FilesService, filesServiceOf } from './test-support/files-service.js'

const mebibyte = 1024 * 1024
const size = 200 * mebibyte

describe('a large file', () => {
  let kernel: TestKernel
  let server: FilesService

  before(async () => {
    kernel = await createTestKernel()
    server = filesServiceOf(kernel)
  })
  after(() => kernel?.stop())

  it('is sent as it is read, in flat memory', async () => {
    const token = await server.signUp('bob')
    await truncate(await server.put('bob', 'files/large.bin', ''), size)
    const download = async (): Promise<{ readonly bytes: number; readonly mostMebibytes: number }> => {
      const answer = await server.fetch('/api/files/content?path=files/large.bin', { token })
      let [bytes, most, nextLook] = [0, 0, 0]
      for await (const part of answer.body ?? []) {
        bytes += (part as Uint8Array).byteLength
        if (bytes < nextLook) continue
        most = Math.max(most, process.memoryUsage.rss())
        nextLook += mebibyte
      }
      return { bytes, mostMebibytes: most / mebibyte }
    }
    // The first time also fills what is meant to stay.
    const first = await download()
    const before = process.memoryUsage.rss() / mebibyte
    const second = await download()
    expect([first.bytes, second.bytes]).to.deep.equal([size, size])
    expect(second.mostMebibytes, `the most resident memory, after ${Math.round(before)} MiB before`).to.be.lessThan(before + 50)
  })
})
