import { truncate } from 'node:fs/promises'
import { expect } from 'chai'
import { type FilesServer, startFilesServer } from '../auth/testing/start-files-server.js'
import { endTestStores } from '../events/testing/test-store.js'

const mebibyte = 1024 * 1024
const size = 200 * mebibyte

describe('a large file', () => {
  let server: FilesServer

  before(async () => {
    server = await startFilesServer()
  })
  after(async () => {
    await server.close()
    await endTestStores()
  })

  it('is sent as it is read, in flat memory', async () => {
    const { access_token: token } = await server.auth.register('bob')
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
