import { execFile } from 'node:child_process'
import { chmod, chown, link, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { compiledHelper } from '../helper/compile-helper.js'
import { closeTestDrivers, createTestDriver, withoutBubblewrap, withoutCompiler } from '../test-support/create-test-driver.js'
import { requestOf, runInDriver } from '../test-support/run-in-driver.js'
import { ownFiles } from './own-files.js'

const execute = promisify(execFile)

for (const [mode, options] of [
  ['bubblewrap', {}],
  ['Landlock', { examined: withoutBubblewrap }],
] as const)
  describe(`files of a workspace by ${mode}`, () => {
    let workspace: string

    beforeEach(async () => {
      workspace = await realpath(await mkdtemp(path.join(tmpdir(), 'own-files-')))
    })
    afterEach(async () => {
      await closeTestDrivers()
      await rm(workspace, { recursive: true, force: true })
    })

    it('are read, changed and deleted by the service, whatever modes a process gave them', async () => {
      const { driver } = createTestDriver(options)
      const script = 'umask 077; mkdir -p deep/er; echo one > deep/er/file; chmod 700 deep deep/er; echo two > other; ln -s other link'
      expect((await runInDriver(driver, requestOf(workspace, script))).exit.code).to.equal(0)
      expect(await readFile(path.join(workspace, 'deep/er/file'), 'utf8')).to.equal('one\n')
      await writeFile(path.join(workspace, 'deep/er/file'), 'changed')
      await rm(path.join(workspace, 'deep'), { recursive: true })
      expect((await readdir(workspace)).sort()).to.deep.equal(['link', 'other'])
    })

    it('are changed by a process of a later start, although the service made them before the first', async () => {
      const { driver } = createTestDriver(options)
      await mkdir(path.join(workspace, 'a/b'), { recursive: true, mode: 0o700 })
      await writeFile(path.join(workspace, 'a/b/file'), 'service\n', { mode: 0o600 })
      const script = 'echo process >> a/b/file; mkdir a/b/c; cat a/b/file'
      expect((await runInDriver(driver, requestOf(workspace, script))).stdout).to.equal('service\nprocess\n')
      // The service changes its content in place, which changes no owner.
      await writeFile(path.join(workspace, 'a/b/file'), 'again\n')
      expect((await runInDriver(driver, requestOf(workspace, 'echo more >> a/b/file; cat a/b/file'))).stdout).to.equal('again\nmore\n')
    })
  })

describe('files that a process may only read', () => {
  let top: string

  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), 'read-files-')))
    await chmod(top, 0o755)
    await mkdir(path.join(top, 'workspace/out'), { recursive: true, mode: 0o700 })
    await writeFile(path.join(top, 'workspace/file'), 'in the workspace\n', { mode: 0o600 })
    await writeFile(path.join(top, 'shared'), 'shared\n', { mode: 0o600 })
  })
  afterEach(async () => {
    await closeTestDrivers()
    await rm(top, { recursive: true, force: true })
  })

  for (const [mode, options] of [
    ['bubblewrap', {}],
    ['Landlock', { examined: withoutBubblewrap }],
  ] as const)
    it(`are read in its workspace, and not changed, by ${mode}`, async () => {
      const { driver } = createTestDriver(options)
      const workspace = path.join(top, 'workspace')
      const files = { read: [workspace], write: [path.join(workspace, 'out')], deny: [] }
      const script = 'cat file; echo x >> file; rm -f file; echo y > new; echo z > out/new'
      const { stdout } = await runInDriver(driver, requestOf(workspace, script, { files }))
      expect(stdout).to.equal('in the workspace\n')
      expect(await readFile(path.join(workspace, 'file'), 'utf8')).to.equal('in the workspace\n')
      expect([await readdir(workspace), await readdir(path.join(workspace, 'out'))]).to.deep.equal([['file', 'out'], ['new']])
    })

  it('are refused elsewhere if their mode keeps its user from them', async () => {
    const { driver } = createTestDriver()
    const workspace = path.join(top, 'workspace')
    const files = { read: [path.join(top, 'shared')], write: [workspace], deny: [] }
    const asked = requestOf(workspace, 'cat ../shared', { files })
    const outcome = await runInDriver(driver, asked).then(
      ({ stdout }) => stdout,
      (error: { readonly code?: string }) => error.code,
    )
    expect(outcome).to.equal(process.getuid?.() === 0 ? 'sandbox_refused' : 'shared\n')
    await chmod(path.join(top, 'shared'), 0o644)
    expect((await runInDriver(driver, asked)).stdout).to.equal('shared\n')
    expect((await lstat(path.join(top, 'shared'))).uid).to.equal(process.getuid?.())
  })
})

describe('giving files to a user', function () {
  this.timeout(30_000)
  const user = { uid: 2_100_000_100, gid: 2_100_000_100 }
  const other = { uid: 2_100_000_200, gid: 2_100_000_200 }
  const isRoot = process.getuid?.() === 0
  // Without its rights a service has nothing to give, and shares its user with its processes.
  const mine = isRoot ? user : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  let top: string
  let workspace: string
  const ownerOf = async (name: string): Promise<number> => (await lstat(path.join(top, name))).uid

  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), 'give-files-')))
    workspace = path.join(top, 'workspace')
    await mkdir(workspace)
    await writeFile(path.join(top, 'outside'), 'outside')
  })
  afterEach(() => rm(top, { recursive: true, force: true }))

  for (const [kind, find] of [
    ['the compiled helper', compiledHelper],
    ['the helper in Python', withoutCompiler],
  ] as const) {
    const give = async (paths: readonly string[], ownerOfUser?: (uid: number) => Promise<string | undefined>): Promise<void> => {
      const helper = await find()
      if (!('path' in helper)) throw new Error(helper.missing)
      await ownFiles(helper.path, mine, paths, ownerOfUser === undefined ? {} : { ownerOf: ownerOfUser })
    }

    it(`follows no link and leaves files of several names, by ${kind}`, async () => {
      await symlink(path.join(top, 'outside'), path.join(workspace, 'link'))
      await symlink(top, path.join(workspace, 'above'))
      await link(path.join(top, 'outside'), path.join(workspace, 'hard'))
      await mkdir(path.join(workspace, 'a'))
      await writeFile(path.join(workspace, 'a/file'), 'x')
      await give([workspace])
      for (const name of ['workspace', 'workspace/a', 'workspace/a/file', 'workspace/link', 'workspace/above'])
        expect(await ownerOf(name), name).to.equal(mine.uid)
      for (const name of ['outside', 'workspace/hard']) expect(await ownerOf(name), name).to.equal(process.getuid?.())
    })

    it(`gives nothing to which a link leads that has replaced a folder above it, by ${kind}`, async () => {
      await mkdir(path.join(top, 'elsewhere/inner'), { recursive: true })
      await symlink('../elsewhere', path.join(workspace, 'folder'))
      const error = await give([path.join(workspace, 'folder/inner')]).catch((caught: unknown) => caught)
      expect((error as Error).message).to.contain('could not be given to its principal')
      expect(await ownerOf('elsewhere/inner')).to.equal(process.getuid?.())
    })

    it(`gives a file as well as a folder, by ${kind}`, async () => {
      await writeFile(path.join(workspace, 'file'), 'x')
      await give([path.join(workspace, 'file')])
      expect([await ownerOf('workspace/file'), await ownerOf('workspace')]).to.deep.equal([mine.uid, process.getuid?.()])
    })

    it(`gives a tree of a thousand folders in one another, by ${kind}`, async () => {
      const deep = Array.from({ length: 1_000 }, () => 'd').join('/')
      await execute('mkdir', ['-p', deep], { cwd: workspace })
      await writeFile(path.join(workspace, deep, 'file'), 'x')
      await give([workspace])
      expect(await ownerOf(`workspace/${deep}/file`)).to.equal(mine.uid)
    })

    it(`takes over what a user had who is known no more, and refuses what belongs to another principal, by ${kind}`, async () => {
      await writeFile(path.join(workspace, 'file'), 'x')
      if (isRoot) for (const name of ['workspace', 'workspace/file']) await chown(path.join(top, name), other.uid, other.gid)
      const refused = give([workspace], async (uid) => (uid === other.uid ? 'agent-other' : undefined))
      const error = await refused.catch((caught: unknown) => caught)
      if (isRoot) expect((error as Error).message).to.contain('belongs to another principal, “agent-other”')
      await give([workspace], async () => undefined)
      expect([await ownerOf('workspace'), await ownerOf('workspace/file')]).to.deep.equal([mine.uid, mine.uid])
    })

    it(`looks at nothing below a folder that is the user's already, by ${kind}`, async () => {
      await give([workspace])
      await writeFile(path.join(workspace, 'late'), 'x')
      await chmod(path.join(workspace, 'late'), 0o600)
      await give([workspace])
      expect(await ownerOf('workspace/late')).to.equal(process.getuid?.())
    })
  }
})
