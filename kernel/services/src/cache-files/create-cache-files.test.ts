import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@agent-service/sdk'
import { expect } from 'chai'
import { createCacheFiles } from './create-cache-files.js'

const codeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (ServiceError.isInstance(error) ? error.code : String(error)),
  )

describe('cache files', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cache-files-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const open = (pluginId: string, limitBytes?: number) =>
    createCacheFiles({ folder: join(folder, 'deep', 'cache'), pluginId, ...(limitBytes !== undefined && { limitBytes }) })

  it('are absent until they are written, and then have the written content', async () => {
    const files = open('feature-one')
    expect(await files.read('models.json')).to.equal(undefined)
    await files.write('models.json', 'Grüße')
    expect(await files.read('models.json')).to.equal('Grüße')
    await files.write('models.json', '')
    expect(await open('feature-one').read('models.json')).to.equal('')
    const path = join(folder, 'deep', 'cache', 'feature-one')
    expect(await readdir(path)).to.deep.equal(['models.json'])
    expect((await stat(join(path, 'models.json'))).mode & 0o777).to.equal(0o600)
  })

  it('are separate for each plugin', async () => {
    await open('feature-two').write('mine', 'two')
    expect(await open('feature-three').read('mine')).to.equal(undefined)
    expect(await readFile(join(folder, 'deep', 'cache', 'feature-two', 'mine'), 'utf8')).to.equal('two')
  })

  it('can be removed, by others too', async () => {
    const files = open('feature-four')
    await files.remove('gone')
    await files.write('a', 'x')
    await files.remove('a')
    await files.remove('a')
    expect(await files.read('a')).to.equal(undefined)
    await rm(join(folder, 'deep'), { recursive: true })
    await files.write('a', 'y')
    expect(await files.read('a')).to.equal('y')
  })

  it('are complete if several are written at once', async () => {
    const files = open('feature-five')
    const texts = Array.from({ length: 12 }, (_, index) => String(index).repeat(20_000))
    await Promise.all(texts.map((text) => files.write('same', text)))
    expect(texts).to.include(await files.read('same'))
    expect(await readdir(join(folder, 'deep', 'cache', 'feature-five'))).to.deep.equal(['same'])
  })

  it('have a limit, in bytes', async () => {
    const files = open('feature-six', 4)
    await files.write('a', 'éé')
    expect(await codeOf(files.write('a', 'ééé'))).to.equal('cache_file_too_large')
    expect(await files.read('a')).to.equal('éé')
    await writeFile(join(folder, 'deep', 'cache', 'feature-six', 'a'), 'grown')
    expect(await codeOf(files.read('a'))).to.equal('cache_file_too_large')
  })

  it('have plain names', async () => {
    const files = open('feature-seven')
    for (const name of ['', '.', '..', 'a/b', '../a', 'A', '.hidden', 'a\u0000', 'x'.repeat(65), 'a\\b'])
      for (const attempt of [files.read(name), files.write(name, 'x'), files.remove(name)])
        expect(await codeOf(attempt), name).to.equal('cache_file_name_invalid')
  })

  it('leave no trace if they cannot be written', async () => {
    const files = open('feature-eight')
    const path = join(folder, 'deep', 'cache', 'feature-eight')
    await mkdir(join(path, 'taken', 'inside'), { recursive: true })
    expect(await codeOf(files.write('taken', 'x'))).to.match(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(await readdir(path)).to.deep.equal(['taken'])
  })
})
