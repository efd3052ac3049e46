import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { closeTestDrivers, createTestDriver, testUserOf, withoutBubblewrap, withoutCompiler } from '../test-support/create-test-driver.js'
import { requestOf, runInDriver } from '../test-support/run-in-driver.js'

for (const [mode, options] of [
  ['bubblewrap', {}],
  ['bubblewrap without a compiler', { helper: withoutCompiler }],
  ['Landlock', { examined: withoutBubblewrap }],
  ['Landlock without a compiler', { examined: withoutBubblewrap, helper: withoutCompiler }],
] as const)
  describe(`paths that a running process swaps while another one starts, by ${mode}`, () => {
    let top: string
    let workspace: string

    beforeEach(async () => {
      top = await realpath(await mkdtemp(path.join(tmpdir(), 'swapped-')))
      await chmod(top, 0o755)
      workspace = path.join(top, 'workspace')
      await mkdir(path.join(workspace, 'out/deep'), { recursive: true })
      await mkdir(path.join(top, 'outside/deep'), { recursive: true })
      await chmod(path.join(top, 'outside'), 0o777)
      await writeFile(path.join(top, 'outside/secret'), 'the secret\n')
    })
    afterEach(async () => {
      await closeTestDrivers()
      await rm(top, { recursive: true, force: true })
    })

    /** After the request was checked, as by a race that is won. */
    const swapping = (target: string): ReturnType<typeof createTestDriver> =>
      createTestDriver({
        ...options,
        async userOf(principal) {
          await rename(path.join(workspace, 'out'), path.join(workspace, 'moved'))
          await symlink(target, path.join(workspace, 'out'))
          return testUserOf(principal)
        },
      })

    for (const [kind, files] of [
      ['read', (root: string) => ({ read: [path.join(root, 'out')], write: [root], deny: [] })],
      ['written', (root: string) => ({ read: [root], write: [path.join(root, 'out')], deny: [] })],
    ] as const)
      for (const [where, target] of [
        ['a folder', () => '../outside'],
        ['the root', () => path.relative(workspace, '/')],
      ] as const)
        it(`do not lead to ${where} where they may be ${kind}`, async () => {
          const { driver } = swapping(target())
          const script = `cat ${top}/outside/secret out/secret; echo written > ${top}/outside/new`
          const request = requestOf(workspace, script, { files: files(workspace) })
          const text = await runInDriver(driver, request).then(
            ({ stdout }) => stdout,
            (error: Error) => error.message,
          )
          expect(text).to.not.contain('the secret')
          expect(await realpath(path.join(top, 'outside/new')).catch(() => 'missing')).to.equal('missing')
        })
  })
