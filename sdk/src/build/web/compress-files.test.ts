import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { compressFiles } from './compress-files.js'

describe('compressing built files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'compress-files-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('writes the text in both forms, also below the folder, with the time of the text', async () => {
    const text = 'const dice = 6\n'.repeat(200)
    await mkdir(path.join(folder, 'parts'))
    for (const file of ['dice.js', 'parts/dice.css']) {
      await writeFile(path.join(folder, file), text)
      await utimes(path.join(folder, file), 1_700_000_000, 1_700_000_000)
    }
    await compressFiles(folder)
    expect(await readdir(folder, { recursive: true })).to.have.members([
      ...['dice.js', 'dice.js.br', 'dice.js.gz', 'parts', 'parts/dice.css', 'parts/dice.css.br', 'parts/dice.css.gz'],
    ])
    expect(brotliDecompressSync(await readFile(path.join(folder, 'dice.js.br'))).toString()).to.equal(text)
    expect(gunzipSync(await readFile(path.join(folder, 'parts/dice.css.gz'))).toString()).to.equal(text)
    expect((await stat(path.join(folder, 'parts/dice.css.br'))).mtimeMs).to.equal(1_700_000_000_000)
  })

  it('leaves alone what is small, is no text, or does not get smaller', async () => {
    const noise = Buffer.from(Uint8Array.from({ length: 3_000 }, (_, at) => (at * at * 31 + (at >> 3) * 17) & 255))
    await writeFile(path.join(folder, 'small.js'), 'x'.repeat(1_023))
    await writeFile(path.join(folder, 'picture.png'), 'x'.repeat(5_000))
    await compressFiles(folder)
    expect(await readdir(folder)).to.have.members(['small.js', 'picture.png'])
    await writeFile(path.join(folder, 'noise.json'), noise)
    await compressFiles(folder)
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('noise.json.')))
      expect((await stat(path.join(folder, name))).size).to.be.lessThan(noise.length)
  })
})
