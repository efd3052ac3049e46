import { lstat, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { type SandboxDriver, sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { requestOf, runInDriver } from './test-support/run-in-driver.js'

/** A principal's name as the service makes it. */
const principal = 'agent-0123456789abcdef0123456789abcdef01234567'

describe('the plugin in the real kernel', function () {
  this.timeout(60_000)
  let kernel: TestKernel
  let driver: SandboxDriver
  let token: string
  const undo: (() => Promise<void>)[] = []
  const isRoot = process.getuid?.() === 0

  const request = async (method: string, target: string, body?: unknown): Promise<Response> => {
    const isText = typeof body === 'string'
    const answer = await fetch(`${kernel.url}${target}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        'content-type': isText ? 'application/octet-stream' : 'application/json',
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${target} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const content = (name: string): string => `/api/files/content?path=${encodeURIComponent(`workspaces/one/${name}`)}`

  before(async () => {
    kernel = await createTestKernel()
    token = ''
    const signedUp = await request('POST', '/api/auth/register', { username: 'ann', password: 'a long enough password' })
    token = ((await signedUp.json()) as { readonly access_token: string }).access_token
    const test = createTestContext(plugin)
    await test.setup()
    undo.push(() => test.dispose())
    ;[driver] = test.contributed(sandboxDrivers) as [SandboxDriver]
  })
  after(async () => {
    for (const each of undo.splice(0)) await each()
    await kernel?.stop()
  })

  it('is active, and contributes the driver for Linux', async () => {
    const report = kernel.plugins.report().find(({ id }) => id === 'sandbox-linux')
    expect(report?.state, report?.reason ?? '').to.equal('active')
    expect([driver.id, driver.platforms]).to.deep.equal(['linux', ['linux']])
    const { confines, mode } = await driver.health({ signal: new AbortController().signal })
    expect([confines, ['bubblewrap', 'Landlock'].includes(mode)]).to.deep.equal([true, true])
  })

  it('shares a workspace in the closed data folder between the service and a process, while it runs and later', async () => {
    const workspace = path.join(kernel.folder, 'data', 'users', 'ann', 'workspaces', 'one')
    await request('PUT', content('before.txt'), 'before')
    expect((await stat(path.join(kernel.folder, 'data'))).mode & 0o077).to.equal(0)
    const script =
      'echo ready; until [ -e sub/while.txt ]; do sleep 0.02; done; echo +1 >> sub/while.txt && echo +1 >> before.txt && mv sub moved && echo mine > own.txt && echo done'
    let isTold = false
    const ran = await runInDriver(driver, requestOf(workspace, script, { principal }), {
      async onOutput(text) {
        if (isTold || !text.includes('ready')) return
        isTold = true
        await request('PUT', content('sub/while.txt'), 'while')
      },
    })
    expect(ran.stdout, ran.stderr).to.equal('ready\ndone\n')
    expect(await (await request('GET', content('moved/while.txt'))).text()).to.equal('while+1\n')
    expect(await readFile(path.join(workspace, 'before.txt'), 'utf8')).to.equal('before+1\n')
    const owner = (await lstat(workspace)).uid
    expect(owner === process.getuid?.()).to.equal(!isRoot)
    for (const name of ['moved', 'moved/while.txt', 'before.txt', 'own.txt'])
      expect((await lstat(path.join(workspace, name))).uid).to.equal(owner)

    await request('PUT', content('own.txt'), 'of the service')
    const again = await runInDriver(driver, requestOf(workspace, 'echo +2 >> own.txt; cat own.txt', { principal }))
    expect(again.stdout, again.stderr).to.equal('of the service+2\n')
    await request('DELETE', content('moved/while.txt'))
    await request('DELETE', content('moved'))
    expect((await runInDriver(driver, requestOf(workspace, 'ls', { principal }))).stdout).to.equal('before.txt\nown.txt\n')
  })
})
