import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createControlledClock, createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import type { EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'
import { expect } from 'chai'
import { readOperations } from '../bad-input/support/operations.js'
import { type Api, confirm, signUp } from '../support/api.js'
import { actingPluginId, writeActingPlugin } from './support/acting-plugin.js'

const actor = { kind: 'agent', id: 'agent-1', purpose: 'sandbox' } as const
const program = fileURLToPath(new URL('../programs/acting-program.js', import.meta.url))

interface Answer {
  readonly status: number
  readonly body: string
  /** Of the token that was used. */
  readonly digest: string
}

describe('a program that acts for a user', () => {
  const clock = createControlledClock({ now: Date.now() })
  let kernel: TestKernel
  let tokens: EphemeralTokens
  let admin: Api
  let folder: string
  let pluginFolder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-acting-'))
    pluginFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-plugin-'))
    const plugin = await writeActingPlugin(pluginFolder, folder)
    kernel = await createTestKernel({ clock, plugins: [plugin], environment: { SERVICE_AUTH_ALLOW_REGISTRATION: 'false' } })
    tokens = kernel.container.resolve(ephemeralTokensToken)
    admin = await signUp(kernel.url, 'ada')
  })
  after(async () => {
    await kernel?.stop()
    for (const each of [folder, pluginFolder]) await rm(each, { recursive: true, force: true })
  })

  it('is served across two renewals of its token, and only as long as it runs', async () => {
    const workspace = path.join(kernel.folder, 'data', 'users', 'ada', 'workspaces', 'agent-1')
    await mkdir(workspace, { recursive: true })
    await writeFile(path.join(workspace, 'notes.md'), 'my notes')
    const ends = new AbortController()
    const file = await tokens.keepTokenFile({ userId: admin.userId, actor, folder }, ends.signal)
    const child: ChildProcess = spawn(process.execPath, [program, file.path, kernel.url], { stdio: ['pipe', 'pipe', 'inherit'] })
    const exited = once(child, 'exit').then(() => ends.abort())
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    const ask = async (target: string): Promise<Answer> => {
      child.stdin?.write(`${target}\n`)
      return JSON.parse(String((await lines.next()).value)) as Answer
    }

    const used = new Set<string>()
    for (let renewal = 0; renewal <= 2; renewal += 1) {
      if (renewal > 0) {
        const before = await readFile(file.path, 'utf8')
        await clock.advance(140_000)
        while ((await readFile(file.path, 'utf8')) === before) await clock.advance(1_000)
      }
      const answer = await ask('/api/files/content?path=workspaces/agent-1/notes.md')
      expect(answer).to.include({ status: 200, body: 'my notes' })
      expect((await ask('/api/auth/me')).status).to.equal(403)
      used.add(answer.digest)
    }
    expect(used.size).to.equal(3)

    const token = await readFile(file.path, 'utf8')
    child.kill()
    await exited
    expect(await file.ended).to.equal('aborted')
    expect(await readdir(folder)).to.deep.equal([])
    const late = await fetch(`${kernel.url}/api/files/content?path=workspaces/agent-1/notes.md`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(late.status).to.equal(401)
    expect(JSON.stringify(kernel.log)).not.to.contain(token)
  })

  it('loses its token when its plugin is disabled', async () => {
    await clock.advance(5_000)
    expect((await admin.request('POST', `/api/plugins/${actingPluginId}/start`)).status).to.equal(204)
    const token = await readFile(path.join(folder, 'token'), 'utf8')
    const ask = () => fetch(`${kernel.url}/api/files/content?path=files/absent`, { headers: { authorization: `Bearer ${token}` } })
    expect((await ask()).status).to.equal(403)
    await confirm(admin)
    expect((await admin.request('POST', `/api/admin/plugins/${actingPluginId}/disable`)).status).to.equal(200)
    expect(await readdir(folder)).to.deep.equal([])
    expect((await ask()).status).to.equal(401)
  })

  it('8.2.1 7.5.1 reaches no route of accounts or administration, even if its user is an admin', async () => {
    const { token } = await tokens.issue({ userId: admin.userId, actor })
    const state = async () => [await admin.request('GET', '/api/admin/users'), await admin.request('GET', '/api/auth/tokens')]
    await clock.advance(5_000)
    const before = await state()
    const operations = (await readOperations(kernel.url)).filter(({ path: route }) => /^\/api\/(auth|admin)\//.test(route))
    expect(operations.map(({ id }) => id)).to.include.members([
      ...['createToken', 'revokeToken', 'changePassword', 'changeUsername', 'changeOwnProfile', 'endSession', 'getOwnProfile'],
      ...['register', 'login', 'refresh', 'listUsers', 'listAuditEvents'],
    ])
    for (const { id, method, path: route } of operations) {
      await clock.advance(1_000)
      const target = route.replace(/\{[^}]+\}/g, admin.userId)
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{"username":"eve","password":"correct horse battery"}' }
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${kernel.url}${target}`, { method, headers, redirect: 'manual', ...body })
      const text = await answer.text()
      expect(answer.status, `${id}: ${text}`).to.equal(403)
      expect(JSON.parse(text), id).to.include({ code: 'people_only' })
    }
    await clock.advance(5_000)
    const after = await state()
    expect(after).to.deep.equal(before)
  })
})
