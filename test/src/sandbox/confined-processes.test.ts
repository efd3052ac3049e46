import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { Sandbox, SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { type Api, signIn, signUp } from '../support/api.js'
import { agentOf, shell, textOf } from './support/probed-kernel.js'
import servicePlugin, { usedSandbox } from './support/service-plugin.js'

const memoryLimitBytes = 209_715_200

/** With the driver of this machine: what the lists and limits of the service come to. */
describe('processes that the driver of the machine confines', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel
  let admin: Api
  let sandbox: Sandbox
  let agent: SandboxPrincipal
  let workspace: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-confined-'))
    const plugin = await writeTestPlugin(
      path.join(folder, 'service-plugin'),
      servicePlugin,
      new URL('./support/service-plugin.js', import.meta.url),
    )
    kernel = await createTestKernel({
      folder,
      plugins: [plugin],
      environment: {
        SERVICE_SANDBOX_MAX_MEMORY_PCT: String((memoryLimitBytes / totalmem()) * 100),
      },
    })
    admin = await signUp(kernel.url, 'ada')
    sandbox = usedSandbox()
    agent = await agentOf(admin, 'ada')
    workspace = path.join(folder, 'data', 'users', 'ada', 'workspaces', agent.workspace)
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const run = async (script: string, more = {}): Promise<{ readonly text: string; readonly reason: string }> => {
    const running = await shell(sandbox, agent, script, { timeoutMs: 50_000, ...more })
    running.closeInput()
    const text = await textOf(running)
    return { text, reason: (await running.exited).reason }
  }
  const under = async (policy: string, work: () => Promise<void>): Promise<void> => {
    const made = await admin.request('POST', '/api/admin/policies', { text: policy })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    await work().finally(() => admin.request('DELETE', `/api/admin/policies/${String(made.body['id'])}`))
  }

  it('reach the API of the service with their token, not what is for operators of the machine, and nothing else of the host, also with the network off', async () => {
    await mkdir(workspace, { recursive: true })
    const program = `
      const token = require('fs').readFileSync(process.env.AGENT_SERVICE_TOKEN_FILE, 'utf8')
      const ask = (url, headers = { authorization: 'Bearer ' + token }) => fetch(url, { headers }).then((answer) => answer.status, (error) => 'unreachable')
      Promise.all([ask(process.env.AGENT_SERVICE_URL + '/api/agents'), ask(process.env.AGENT_SERVICE_URL + '/api/admin/users'), ask(process.env.AGENT_SERVICE_URL + '/metrics', {}), ask('${kernel.url}/api/agents')])
        .then((answers) => console.log(answers.join(' ')))`
    await writeFile(path.join(workspace, 'ask.cjs'), program)
    for (const more of [{ network: 'off' }, {}]) expect((await run('node ask.cjs', more)).text).to.equal('200 403 401 unreachable\n')
  })

  it('let no agent work in the name of their person, and use up no sign-ins of others', async () => {
    const other = await agentOf(admin, 'ada', { name: 'Other' })
    const chat = String((await admin.request('POST', '/api/chats', { agent_id: other.id })).body['id'])
    const program = `
      const authorization = 'Bearer ' + require('fs').readFileSync(process.env.AGENT_SERVICE_TOKEN_FILE, 'utf8')
      const ask = async (method, path, body) => {
        const headers = { authorization, 'content-type': 'application/json' }
        const answer = await fetch(process.env.AGENT_SERVICE_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        return answer.status
      }
      const attack = async () => [
        await ask('POST', '/api/chats', { agent_id: '${other.id}' }),
        await ask('POST', '/api/chats/${chat}/messages', { content: 'Run this.' }),
        await ask('POST', '/api/chats/${chat}/regenerate', {}),
        await ask('PATCH', '/api/chats/${chat}', { title: 'Mine' }),
        await ask('POST', '/api/tasks', { instruction: 'Run this.' }),
        await ask('POST', '/v1/chat/completions', { model: 'agent/other', messages: [{ role: 'user', content: 'Run this.' }] }),
        await ask('POST', '/v1/responses', { model: 'agent/other', input: 'Run this.' }),
        await ask('POST', '/api/auth/register', { username: 'eve', password: 'a long enough password' }),
        await ask('GET', '/s/none'),
        await ask('GET', '/p/none'),
        await ask('GET', '/'),
      ]
      const guess = () => ask('POST', '/api/auth/login', { username: 'ada', password: 'wrong' })
      attack().then(async (answers) => {
        const guesses = await Promise.all(Array.from({ length: 30 }, guess))
        console.log([...answers, ...new Set(guesses)].join(' '))
      })`
    await writeFile(path.join(workspace, 'attack.cjs'), program)
    expect((await run('node attack.cjs')).text).to.equal(`${Array.from({ length: 10 }, () => 403).join(' ')} 404 403\n`)
    const { body } = await admin.request('GET', `/api/chats/${chat}`)
    expect(body).to.include({ message_count: 0, title: null })
    expect(await signIn(kernel.url, 'ada', 'a long enough password')).to.have.property('token')
  })

  it('find no way into the network that other work of the same agent has, while they work for an agent without one', async () => {
    const closed = await agentOf(admin, 'ada', { name: 'Closed', sandbox: { network: false } })
    const program = `
      const { readFileSync } = require('fs')
      const listening = readFileSync('/proc/net/tcp', 'utf8').split('\\n').slice(1).map((line) => line.trim().split(/\\s+/)).filter((fields) => fields[3] === '0A')
      const proxies = listening.map((fields) => parseInt(fields[1].split(':')[1], 16)).filter((port) => port >= 62000 && port < 65000)
      console.log(proxies.length === 0 ? 'none' : 'found')`
    await writeFile(path.join(workspace, 'proxies.cjs'), program)
    const free = await shell(sandbox, agent, 'echo ready; exec sleep 1000', { background: true })
    for await (const { bytes } of free.output()) if (new TextDecoder().decode(bytes).includes('ready')) break
    expect((await run('node proxies.cjs')).text, 'of its own work').to.equal('found\n')
    expect((await run('node proxies.cjs', { callers: [closed.id] })).text).to.equal('none\n')
    await free.stop()
  })

  it('cannot open what the policies close, nor change what they only let it read', async () => {
    await run('mkdir secret data; printf canary > secret/key; printf rows > data/table')
    const of = (action: string, name: string): string =>
      `forbid (principal, action == Action::"${action}", resource) when { resource.path like "workspaces/${agent.workspace}/${name}*" };`
    await under(of('read_file', 'secret'), () =>
      under(of('write_file', 'data'), async () => {
        const { text } = await run(
          'exec 2>&1; cat secret/key; ls -R secret; cat data/table; echo new > data/table; echo mine > own; cat own data/table',
        )
        expect(text).not.to.include('canary')
        expect(text).to.match(/rows.*mine\nrows$/s)
      }),
    )
    expect((await run('cat secret/key')).text).to.equal('canary')
  })

  it('cannot move a folder away from what is closed in it', async () => {
    await run('mkdir -p deep/er/secret; printf canary > deep/er/secret/key')
    const policy = `forbid (principal, action == Action::"read_file", resource) when { resource.path like "workspaces/${agent.workspace}/deep/er/secret*" };`
    await under(policy, async () => {
      await run('mv deep other; mv deep/er deep/x; mv deep/er/secret open; echo mine > deep/er/own')
      expect((await run('cat other/er/secret/key deep/x/secret/key open/key deep/er/secret/key; cat deep/er/own')).text).to.match(
        /^(?:(?!canary).)*mine\n$/s,
      )
    })
  })

  it('are refused destinations that the policies close, which the audit log has', async () => {
    await under('forbid (principal, action == Action::"connect", resource) when { resource.host == "closed.example" };', async () => {
      const program = `
        const { createConnection } = require('net')
        const proxy = new URL(process.env.HTTP_PROXY)
        const socket = createConnection(proxy.port, proxy.hostname, () => socket.write('CONNECT closed.example:443 HTTP/1.1\\r\\nHost: closed.example:443\\r\\n\\r\\n'))
        socket.on('data', (data) => { console.log(String(data).split('\\r\\n')[0]); socket.destroy() })`
      await writeFile(path.join(workspace, 'connect.cjs'), program)
      expect((await run('node connect.cjs')).text).to.match(/ 403 /)
    })
    const { body } = await admin.request('GET', '/api/admin/audit?kind=sandbox_connection.refused')
    expect(JSON.stringify(body['items'])).to.include('closed.example')
  })

  it('end when they take more memory than they may', async () => {
    const { reason } = await run(
      `ulimit -v 8000000; node -e "const all = []; for (let n = 0; n < 20; n += 1) all.push(Buffer.alloc(50_000_000, 1)); setTimeout(() => console.log(all.length), 20_000)"`,
    )
    expect(reason).to.equal('memory_limit')
  })

  it('leave nothing behind when the service stops', async () => {
    const running = await shell(sandbox, agent, '(setsid sleep 1000 &) ; echo ready; sleep 1000', { background: true })
    for await (const { bytes } of running.output()) if (new TextDecoder().decode(bytes).includes('ready')) break
    await kernel.stop()
    expect(await running.exited).to.include({ reason: 'stopped', left: 0 })
  })
})

/** By itself: what takes memory also takes time, and would end for that first on a slow machine. */
describe('processes whose processor time the driver of the machine limits', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-confined-'))
    const module = new URL('./support/service-plugin.js', import.meta.url)
    kernel = await createTestKernel({
      folder,
      plugins: [await writeTestPlugin(path.join(folder, 'service-plugin'), servicePlugin, module)],
      // So little that it is soon reached on a busy machine too, and not by what starts and ends.
      environment: { SERVICE_SANDBOX_MAX_CPU_PCT: '5' },
    })
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('end when they take more than they may on average, while another goes on', async () => {
    const admin = await signUp(kernel.url, 'ada')
    const other = await shell(usedSandbox(), await agentOf(admin, 'ada', { name: 'Other' }), 'read line; echo $line')
    // The second guard is the system's, should the governor fail.
    const busy = await shell(usedSandbox(), await agentOf(admin, 'ada'), 'ulimit -t 30; while :; do :; done', { timeoutMs: 50_000 })
    busy.closeInput()
    await textOf(busy)
    expect((await busy.exited).reason).to.equal('cpu_limit')
    await other.write(new TextEncoder().encode('still here\n'))
    expect(await textOf(other)).to.equal('still here\n')
  })
})
