import { readFile } from 'node:fs/promises'
import type { SandboxPrincipal, SandboxProcess } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { probe } from './support/probe-plugin.js'
import { agentOf, type ProbedKernel, shell, startProbedKernel } from './support/probed-kernel.js'

/** Waits for the first line of a process. */
async function lineOf(process: SandboxProcess): Promise<string> {
  let text = ''
  for await (const { bytes } of process.output()) {
    text += new TextDecoder().decode(bytes)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

describe('a process of the sandbox and the service', function () {
  this.timeout(60_000)
  let probed: ProbedKernel
  let agent: SandboxPrincipal
  let bob: Api

  before(async () => {
    probed = await startProbedKernel()
    agent = await agentOf(probed.admin, 'ada')
    bob = await signUp(probed.kernel.url, 'bob')
  })
  after(() => probed?.stop())

  /** A process that waits, and the token in its file. */
  const start = async (principal: SandboxPrincipal) => {
    const running = await shell(probed.sandbox, principal, 'echo $AGENT_SERVICE_TOKEN_FILE; read line')
    return { running, token: await readFile(await lineOf(running), 'utf8') }
  }
  const ask = async (token: string, method: string, path: string, body?: object): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await fetch(`${probed.kernel.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  it('acts for its user alone: its own data yes, that of others, of admins and credentials no', async () => {
    const foreign = await agentOf(bob, 'bob')
    const { running, token } = await start(agent)
    expect(await ask(token, 'GET', `/api/agents/${agent.id}`)).to.equal(200)
    expect(await ask(token, 'GET', `/api/agents/${foreign.id}`)).to.equal(404)
    // Ada is an admin; what acts for her is none.
    for (const path of ['/api/admin/users', '/api/admin/config', '/api/admin/audit', '/api/admin/policies'])
      expect(await ask(token, 'GET', path), path).to.equal(403)
    expect(await ask(token, 'POST', '/api/auth/tokens', { name: 'mine' })).to.equal(403)
    expect(
      await ask(token, 'PUT', '/api/auth/password', { current_password: 'a long enough password', new_password: 'another long password' }),
    ).to.equal(403)
    expect(await ask(token, 'POST', '/api/auth/confirm', { password: 'a long enough password' })).to.equal(403)
    expect(await ask(token, 'GET', '/api/auth/me')).to.equal(403)
    expect(JSON.stringify(probe.requests.at(-1)?.command)).not.to.include(token)
    expect(JSON.stringify(probe.requests.at(-1)?.environment)).not.to.include(token)
    running.closeInput()
    await running.exited
  })

  it('has a token that ends with it', async () => {
    const { running, token } = await start(agent)
    expect(await ask(token, 'GET', '/api/agents')).to.equal(200)
    running.closeInput()
    await running.exited
    // The revocation is a commit; it follows the end.
    while ((await ask(token, 'GET', '/api/agents')) === 200) await new Promise((resolve) => setImmediate(resolve))
    expect(await ask(token, 'GET', '/api/agents')).to.equal(401)
  })

  it('is reported on the stream of its user when it begins and when it ends', async () => {
    const stream = await bob.stream()
    const principal = await agentOf(bob, 'bob', { name: 'Reporter' })
    const running = await shell(probed.sandbox, principal, 'exit 3', { title: 'exit 3' })
    const ended = await stream.until(
      ({ name, data }) => name === 'sandbox.process.ended' && (data['process'] as { id: string }).id === running.id,
    )
    expect(ended.data['process']).to.deep.include({
      ...{ kind: 'shell', title: 'exit 3', background: false, terminal: false },
      actor: { kind: 'agent', id: principal.id, handle: principal.handle ?? null },
    })
    expect(ended.data['process']).to.have.property('exit').that.includes({ reason: 'exit', code: 3, signal: null })
    const names = stream.events.filter(({ name }) => name.startsWith('sandbox.')).map(({ name }) => name)
    expect(names).to.deep.equal(['sandbox.process.started', 'sandbox.process.ended'])
    stream.close()
  })

  it('ends with its agent, which its driver forgets', async () => {
    const doomed = await agentOf(bob, 'bob', { name: 'Doomed' })
    const { running } = await start(doomed)
    const name = probe.requests.at(-1)?.principal
    expect((await bob.request('DELETE', `/api/agents/${doomed.id}`)).status).to.equal(204)
    expect((await running.exited).reason).to.equal('stopped')
    while (!probe.forgotten.includes(name ?? '')) await new Promise((resolve) => setImmediate(resolve))
  })

  it('ends with a new password of its user, and with the user’s account', async () => {
    const cleo = await signUp(probed.kernel.url, 'cleo')
    const principal = await agentOf(cleo, 'cleo')
    const first = await start(principal)
    const change = { current_password: 'a long enough password', new_password: 'another long password' }
    await confirm(cleo)
    expect((await cleo.request('PUT', '/api/auth/password', change)).status).to.equal(204)
    expect((await first.running.exited).reason).to.equal('stopped')
    expect(await ask(first.token, 'GET', '/api/agents')).to.equal(401)

    const second = await start(principal)
    const name = probe.requests.at(-1)?.principal ?? ''
    await confirm(probed.admin)
    expect((await probed.admin.request('DELETE', `/api/admin/users/${cleo.userId}`)).status).to.equal(204)
    expect((await second.running.exited).reason).to.equal('stopped')
    while (!probe.forgotten.includes(name)) await new Promise((resolve) => setImmediate(resolve))
    // What it wrote is dropped with it.
    while (probed.sandbox.list({ userId: cleo.userId }).length > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('counts in the metrics', async () => {
    const { running } = await start(agent)
    const answer = await fetch(`${probed.kernel.url}/metrics`, { headers: { authorization: `Bearer ${probed.admin.token}` } })
    const text = await answer.text()
    expect(text).to.match(/sandbox_processes\{.*kind="shell".*\} 1/)
    expect(text).to.match(/sandbox_processes_started_total\{.*kind="shell".*\} \d+/)
    expect(text).to.match(/sandbox_processes_ended_total\{.*reason="stopped".*\} \d+/)
    running.closeInput()
    await running.exited
  })
})
