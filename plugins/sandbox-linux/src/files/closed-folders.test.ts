import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { compiledHelper } from '../helper/compile-helper.js'
import { closeTestDrivers, createTestDriver, testUserOf, withoutBubblewrap, withoutCompiler } from '../test-support/create-test-driver.js'
import { requestOf, runInDriver } from '../test-support/run-in-driver.js'
import { findClosedFolders } from './closed-folders.js'

const user = { uid: 2_100_000_001, gid: 2_100_000_001 }

describe('folders that only the service may enter', () => {
  let top: string
  let workspace: string

  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), 'closed-folders-')))
    workspace = path.join(top, 'data', 'users', 'ann', 'workspaces', 'one')
    await mkdir(workspace, { recursive: true })
    await mkdir(path.join(top, 'data', 'users', 'bob'), { recursive: true })
    await writeFile(path.join(top, 'data', 'users', 'bob', 'secret'), 'the canary sings')
    await chmod(path.join(top, 'data', 'users'), 0o700)
    await chmod(top, 0o755)
  })
  afterEach(async () => {
    await closeTestDrivers()
    await rm(top, { recursive: true, force: true })
  })

  it('are found as the outermost ones, with the outermost of what is needed below', async () => {
    await chmod(path.join(top, 'data', 'users', 'ann'), 0o700)
    await mkdir(path.join(workspace, 'inner'))
    const needed = [path.join(workspace, 'inner'), workspace, '/usr/bin', path.join(top, 'data', 'users', 'missing')]
    const covers = process.getuid?.() === 2_100_000_001 ? [] : [path.join(top, 'data', 'users')]
    expect(await findClosedFolders(user, needed)).to.deep.equal({ covers, shown: [workspace] })
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    expect(await findClosedFolders(owner, needed)).to.deep.equal({ covers: [], shown: [] })
  })

  for (const [mode, options] of [
    ['bubblewrap', {}],
    ['Landlock', { examined: withoutBubblewrap }],
    ['Landlock without a compiler', { examined: withoutBubblewrap, helper: withoutCompiler }],
  ] as const)
    it(`show a process its own workspace at its path, and nothing else, by ${mode}`, async () => {
      const { driver } = createTestDriver(options)
      await writeFile(path.join(workspace, 'of-service'), 'from the service\n')
      const script = `pwd; cat of-service; cat ${workspace}/of-service; umask; ls ../../..; cat ../../../bob/secret; echo mine > own`
      const { stdout, stderr, exit } = await runInDriver(driver, requestOf(workspace, script))
      expect(exit.code, stderr).to.equal(0)
      const lines = stdout.split('\n')
      expect(lines.slice(0, 3)).to.deep.equal([workspace, 'from the service', 'from the service'])
      expect(lines[3]).to.equal(process.umask().toString(8).padStart(4, '0'))
      expect(stdout).not.to.contain('canary')
      expect(await readFile(path.join(workspace, 'own'), 'utf8')).to.equal('mine\n')
    })

  it('may hold the helper itself', async () => {
    const made = await compiledHelper()
    if (!('path' in made)) throw new Error(made.missing)
    const helper = path.join(top, 'data', 'users', 'confine')
    await copyFile(made.path, helper)
    for (const examined of [withoutBubblewrap, undefined]) {
      const { driver } = createTestDriver({ helper, ...(examined && { examined }) })
      const { stdout, stderr } = await runInDriver(driver, requestOf(workspace, 'echo ran'))
      expect(stdout, stderr).to.equal('ran\n')
    }
  })

  it('are refused where nothing can be mounted', async () => {
    const { driver } = createTestDriver({ examined: (machine) => ({ ...machine, mounts: false }) })
    const ran = runInDriver(driver, requestOf(workspace, 'echo ran'))
    // A service that is no root shares its user with its processes, which enter what it enters.
    const isRoot = (await testUserOf('test-one')) !== undefined
    const outcome = await ran.then(
      ({ stdout }) => stdout,
      (error: { readonly code?: string }) => error.code,
    )
    expect(outcome).to.equal(isRoot ? 'sandbox_refused' : 'ran\n')
  })
})
