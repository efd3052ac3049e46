import { appendFile, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeBackup } from '../make/make-backup.js'
import { createSmallService, type SmallService } from '../testing/small-service.js'
import { readArchive } from './archive-reader.js'

const { signal } = new AbortController()

describe('a damaged backup', function () {
  this.timeout(60_000)
  let service: SmallService
  let file: string

  beforeEach(async () => {
    service = await createSmallService()
    await service.write('users/ada/files/letter.txt', 'Dear Bob')
    await service.write(`users/ada/files/${'long name '.repeat(14)}\nä.txt`, 'x')
    await service.write('system/plugins.json', '{}')
    file = join(service.folder, 'backup.tar')
    await makeBackup(service.sources, file, { signal })
  })
  afterEach(() => service.remove())

  const codeOf = (path: string): Promise<unknown> =>
    readArchive(path, { signal, encryptionSecret: 'the secret' }).then(
      () => 'sound',
      (error: { readonly code?: string }) => error.code,
    )

  it('is refused as a whole when cut at any byte, or longer than it was', async () => {
    expect(await codeOf(file)).to.equal('sound')
    const { length } = await readFile(file)
    await appendFile(file, Buffer.alloc(512))
    expect(await codeOf(file)).to.equal('backup_invalid')
    const accepted: number[] = []
    for (let size = length - 1; size >= 0; size--) {
      await truncate(file, size)
      if ((await codeOf(file)) !== 'backup_invalid') accepted.push(size)
    }
    expect(accepted).to.deep.equal([])
  })

  it('is refused as a whole when any byte is another', async () => {
    const content = await readFile(file)
    const handle = await open(file, 'r+')
    const accepted: number[] = []
    try {
      for (let at = 0; at < content.length; at += 3) {
        const byte = content[at] ?? 0
        await handle.write(Buffer.of(byte ^ (1 << (at % 8))), 0, 1, at)
        if ((await codeOf(file)) !== 'backup_invalid') accepted.push(at)
        await handle.write(Buffer.of(byte), 0, 1, at)
      }
    } finally {
      await handle.close()
    }
    expect(accepted).to.deep.equal([])
    expect(await codeOf(file)).to.equal('sound')
  })

  it('is refused when two entries or their contents are swapped', async () => {
    const content = await readFile(file)
    const one = content.indexOf('Dear Bob')
    await writeFile(
      file,
      Buffer.concat([content.subarray(0, one - 512), content.subarray(one + 512), content.subarray(one - 512, one + 512)]),
    )
    expect(await codeOf(file)).to.equal('backup_invalid')
  })
})
