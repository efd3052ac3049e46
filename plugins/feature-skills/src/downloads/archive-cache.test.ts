import { expect } from 'chai'
import { createCacheFilesInMemory } from '../test-support/cache-files.js'
import { createArchiveCache } from './archive-cache.js'

const day = 24 * 3_600_000
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const archive = (text: string) => ({ bytes: bytesOf(text), etag: `"${text}"`, lastModified: undefined })

describe('the cache of fetched archives', () => {
  function open() {
    const files = createCacheFilesInMemory()
    const warnings: string[] = []
    const time = { now: Date.parse('2026-03-01T12:00:00Z') }
    const cache = createArchiveCache({ files, clock: { now: () => time.now }, log: { warn: (message) => void warnings.push(message) } })
    const textOf = async (url: string): Promise<string | undefined> => {
      const found = await cache.read(url)
      return found && new TextDecoder().decode(found.bytes)
    }
    return { files, warnings, time, cache, textOf }
  }

  it('gives what was kept for an address, with its validators, and names no address on the disk', async () => {
    const { cache, files } = open()
    await cache.keep('https://a.example/x.zip?key=secret', archive('one'))
    expect(await cache.read('https://a.example/x.zip?key=secret')).to.deep.include({ etag: '"one"', lastModified: undefined })
    expect(await cache.read('https://a.example/x.zip')).to.equal(undefined)
    expect([...files.texts.values()].join()).to.not.contain('secret')
  })

  it('keeps sixteen, and gives up the one that was not used for longest, also when the index is lost', async () => {
    const { cache, files, time, textOf } = open()
    for (let index = 0; index < 16; index += 1) {
      time.now += 1
      await cache.keep(`https://a.example/${index}`, archive(String(index)))
    }
    time.now += 1
    await cache.used('https://a.example/0')
    await cache.keep('https://a.example/16', archive('16'))
    expect(await textOf('https://a.example/0')).to.equal('0')
    expect(await textOf('https://a.example/1')).to.equal(undefined)
    expect(await textOf('https://a.example/16')).to.equal('16')
    files.texts.set('downloads.json', '{ broken')
    for (let index = 0; index < 40; index += 1) await cache.keep(`https://b.example/${index}`, archive(String(index)))
    expect(files.texts.size).to.equal(17)
  })

  it('takes what is damaged or gone for absent', async () => {
    const { cache, files, textOf } = open()
    await cache.keep('https://a.example/x', archive('one'))
    files.texts.set('archive-0.base64', Buffer.from('other').toString('base64'))
    expect(await textOf('https://a.example/x')).to.equal(undefined)
    files.texts.delete('archive-0.base64')
    expect(await textOf('https://a.example/x')).to.equal(undefined)
    for (const text of ['', '[]', '{"a":1}', '[{"slot":99}]', 'null']) {
      files.texts.set('downloads.json', text)
      expect(await textOf('https://a.example/x'), text).to.equal(undefined)
    }
    await cache.keep('https://a.example/x', archive('two'))
    expect(await textOf('https://a.example/x')).to.equal('two')
  })

  it('removes what was not used for thirty days, and files that no index knows', async () => {
    const { cache, files, time, textOf } = open()
    await cache.keep('https://a.example/old', archive('old'))
    time.now += 29 * day
    await cache.keep('https://a.example/new', archive('new'))
    files.texts.set('archive-9.base64', 'left')
    await cache.clean()
    expect([...files.texts.keys()].sort()).to.deep.equal(['archive-0.base64', 'archive-1.base64', 'downloads.json'])
    time.now += 2 * day
    await cache.clean()
    expect(await textOf('https://a.example/old')).to.equal(undefined)
    expect(await textOf('https://a.example/new')).to.equal('new')
    expect([...files.texts.keys()].sort()).to.deep.equal(['archive-1.base64', 'downloads.json'])
  })

  it('fails no download when the disk fails', async () => {
    const { cache, files, warnings } = open()
    files.write = () => Promise.reject(new Error('no space left'))
    await cache.keep('https://a.example/x', archive('one'))
    files.read = () => Promise.reject(new Error('input or output'))
    expect(await cache.read('https://a.example/x')).to.equal(undefined)
    expect(warnings).to.have.length(2)
  })
})
