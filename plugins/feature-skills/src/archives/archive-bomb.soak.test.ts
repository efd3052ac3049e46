import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { readArchive } from './read-archive.js'

describe('an archive that is a bomb', () => {
  it('takes no memory for what it would unfold', async () => {
    const { signal } = new AbortController()
    const member = gzipSync(Buffer.alloc(64 * 1_048_576))
    const before = process.memoryUsage().rss
    const refusal = await readArchive(Buffer.concat(Array.from({ length: 16 }, () => member)), { signal }).catch((error: Error) => error)
    expect(refusal).to.be.instanceOf(Error)
    expect(process.memoryUsage().rss - before).to.be.below(150 * 1_048_576)
  })
})
