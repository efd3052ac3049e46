import { execFile } from 'node:child_process'
import { appendFile, chmod, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { compiledHelper, helperSource } from './compile-helper.js'
import { findHelper, pythonHelper } from './find-helper.js'

const execute = promisify(execFile)

describe('the helper', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'helper-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is compiled once for a source, and again for another', async () => {
    const source = path.join(folder, 'helper', 'confine.c')
    await cp(path.dirname(helperSource), path.dirname(source), { recursive: true })
    const build = path.join(folder, 'build')
    const made = await compiledHelper({ source, folders: [build] })
    expect(made).to.deep.equal({ path: path.join(build, 'confine') })
    const { ino } = await stat(path.join(build, 'confine'))
    expect(await compiledHelper({ source, folders: [build], compilers: [] })).to.deep.equal(made)
    expect((await stat(path.join(build, 'confine'))).ino).to.equal(ino)
    for (const changed of [source, path.join(path.dirname(source), 'run.h')]) {
      const { ino: before } = await stat(path.join(build, 'confine'))
      await appendFile(changed, '\n/* changed */\n')
      expect(await compiledHelper({ source, folders: [build], compilers: [] }), changed).to.have.property('missing')
      expect(await compiledHelper({ source, folders: [build] })).to.deep.equal(made)
      expect((await stat(path.join(build, 'confine'))).ino, changed).not.to.equal(before)
    }
  })

  it('is compiled elsewhere if its package cannot be written, and is not taken from a folder that others may change', async () => {
    const [closed, open] = [path.join(folder, 'file'), path.join(folder, 'open')]
    await writeFile(closed, 'no folder')
    await mkdir(open)
    expect(await compiledHelper({ folders: [path.join(closed, 'build'), open] })).to.deep.equal({ path: path.join(open, 'confine') })
    await chmod(open, 0o777)
    const other = path.join(folder, 'other')
    expect(await compiledHelper({ folders: [open, other] })).to.deep.equal({ path: path.join(other, 'confine') })
  })

  it('says what kept it from being compiled', async () => {
    expect(await compiledHelper({ folders: [folder], compilers: [] })).to.deep.equal({
      missing: 'there is no C compiler (cc, gcc or clang)',
    })
    const source = path.join(folder, 'wrong.c')
    await writeFile(source, 'this is not C')
    const failed = await compiledHelper({ source, folders: [folder] })
    expect('missing' in failed && failed.missing).to.match(/could not compile the helper/)
  })

  it('is the one in Python where none is compiled, with the same answers', async () => {
    const found = await findHelper(() => Promise.resolve({ missing: 'no compiler' }))
    expect(found).to.deep.equal({ path: pythonHelper })
    const compiled = await findHelper()
    if (!('path' in compiled)) throw new Error(compiled.missing)
    const answers = async (program: string, given: readonly string[]) => {
      const { stdout, stderr } = await execute(program, [...given]).catch((error: { stdout: string; stderr: string }) => error)
      return [stdout, stderr]
    }
    const [[one = ''], [other = '']] = [await answers(compiled.path, ['probe']), await answers(pythonHelper, ['probe'])]
    expect(JSON.parse(other)).to.deep.equal(JSON.parse(one))
    for (const given of [
      ['run', '--'],
      ['run', '--unknown', '--', 'true'],
      ['run', '--max', 'nofile', 'x', '--', 'true'],
      ['run', '--', '/missing'],
    ])
      expect(await answers(pythonHelper, given), given.join(' ')).to.deep.equal(await answers(compiled.path, given))
  })
})
