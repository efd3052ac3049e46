import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type Api, signUp } from '../support/api.js'
import { agentOf, type ProbedKernel, shell, startProbedKernel } from './support/probed-kernel.js'

interface Page {
  readonly pieces: readonly { readonly stream: string; readonly from: number; readonly text: string }[]
  readonly next_from: number
  readonly skipped: boolean
  readonly ended: boolean
}

describe('the processes of the sandbox over HTTP', function () {
  this.timeout(60_000)
  let probed: ProbedKernel
  let agent: SandboxPrincipal
  let bob: Api

  before(async () => {
    probed = await startProbedKernel({ SERVICE_SANDBOX_MAX_MEMORY_PCT: '50' })
    bob = await signUp(probed.kernel.url, 'bob')
    agent = await agentOf(bob, 'bob')
  })
  after(() => probed?.stop())

  const run = (script: string, title = 'a test') => shell(probed.sandbox, agent, script, { title })
  const outputOf = async (id: string, from = 0): Promise<Page> =>
    (await bob.request('GET', `/api/sandbox/processes/${id}/output?from=${from}`)).body as unknown as Page

  it('are listed by agent and state, page by page, the newest first', async () => {
    const other = await agentOf(bob, 'bob')
    const first = await run('true', 'first')
    await first.exited
    const second = await run('read line', 'second')
    const third = await shell(probed.sandbox, other, 'read line', { title: 'third' })
    const titles = async (query: string): Promise<readonly unknown[]> =>
      ((await bob.request('GET', `/api/sandbox/processes?${query}`)).body['items'] as readonly Record<string, unknown>[]).map(
        ({ title }) => title,
      )
    expect(await titles('')).to.deep.equal(['third', 'second', 'first'])
    expect(await titles(`agent_id=${agent.id}`)).to.deep.equal(['second', 'first'])
    expect(await titles('state=running')).to.deep.equal(['third', 'second'])
    expect(await titles('state=ended')).to.deep.equal(['first'])
    expect(await titles('terminal=true')).to.deep.equal([])
    const page = (await bob.request('GET', '/api/sandbox/processes?limit=1')).body
    expect(await titles(`limit=5&cursor=${String(page['next_cursor'])}`)).to.deep.equal(['second', 'first'])
    const { body } = await bob.request('GET', `/api/sandbox/processes/${first.id}`)
    expect(body).to.deep.include({ id: first.id, kind: 'shell', title: 'first', background: false, terminal: false })
    expect(body['exit']).to.include({ reason: 'exit', code: 0, signal: null })
    const stopped = (await bob.request('POST', `/api/sandbox/processes/${second.id}/stop`)).body
    expect(stopped['exit']).to.include({ reason: 'stopped' })
    expect((await bob.request('POST', `/api/sandbox/processes/${second.id}/stop`)).body).to.deep.equal(stopped)
    await third.stop()
  })

  it('have their output as text, from a position on, with whole characters and both streams', async () => {
    const process = await run("printf 'grü\\303'; read line; printf '\\237e'; echo problem >&2; printf '\\360\\237'")
    let page = await outputOf(process.id)
    while (page.next_from < 4) page = await outputOf(process.id)
    expect(page).to.deep.equal({ pieces: [{ stream: 'stdout', from: 0, text: 'grü' }], next_from: 4, skipped: false, ended: false })
    await process.write(Buffer.from('\n'))
    await process.exited
    const rest = await outputOf(process.id, page.next_from)
    expect(
      rest.pieces
        .filter(({ stream }) => stream === 'stdout')
        .map(({ text }) => text)
        .join(''),
    ).to.equal('ße\ufffd')
    expect(
      rest.pieces
        .filter(({ stream }) => stream === 'stderr')
        .map(({ text }) => text)
        .join(''),
    ).to.equal('problem\n')
    expect(rest).to.include({ ended: true, skipped: false })
    expect(await outputOf(process.id, rest.next_from)).to.deep.equal({ pieces: [], next_from: rest.next_from, skipped: false, ended: true })
  })

  it('have pages of bounded size, and say what is no longer kept', async () => {
    const process = await run('i=0; while [ $i -lt 40000 ]; do i=$((i+1)); echo "line $i of a long output"; done; echo end >&2')
    await process.exited
    const first = await outputOf(process.id)
    expect(first).to.include({ skipped: process.view().outputBytes > 1_048_576, ended: false })
    let text = ''
    for (let page = first; ; page = await outputOf(process.id, page.next_from)) {
      const bytes = page.pieces.reduce((sum, item) => sum + Buffer.byteLength(item.text), 0)
      expect(bytes).to.be.at.most(262_144 + 65_536)
      text += page.pieces.map((item) => item.text).join('')
      if (page.ended) break
    }
    expect(text).to.match(/line 40000 of a long output\n/)
  })

  it('are followed live, and again after the last event', async () => {
    const process = await run('echo one; read line; echo two; read line; echo three; exit 4')
    const follow = async function* (after?: string) {
      const answer = await fetch(`${probed.kernel.url}/api/sandbox/processes/${process.id}/output/stream?token=${bob.token}`, {
        headers: after === undefined ? {} : { 'last-event-id': after },
      })
      expect(answer.headers.get('content-type')).to.include('text/event-stream')
      if (!answer.body) throw new Error('There is no body.')
      yield* answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    }
    let last = ''
    for await (const event of follow()) {
      expect([event.event, JSON.parse(event.data)]).to.deep.equal(['output', { stream: 'stdout', from: 0, text: 'one\n' }])
      last = String(event.id)
      break
    }
    await process.write(Buffer.from('\n'))
    const later: string[] = []
    for await (const event of follow(last)) {
      const data = JSON.parse(event.data) as Record<string, unknown>
      if (event.event === 'exit') {
        expect(data).to.include({ reason: 'exit', code: 4 })
        break
      }
      later.push(String(data['text']))
      if (later.join('') === 'two\n') await process.write(Buffer.from('\n'))
    }
    expect(later.join('')).to.equal('two\nthree\n')
  })

  it('of all users are for administrators, with what they use and without what they are', async () => {
    const process = await run('read line', 'private work')
    const { body } = await probed.admin.request('GET', '/api/admin/sandbox/processes')
    const [item] = body['items'] as readonly Record<string, unknown>[]
    expect(item).to.deep.include({ id: process.id, user_id: bob.userId, username: 'bob', kind: 'shell' })
    expect(item).to.deep.include({ actor: { kind: 'agent', id: agent.id, handle: agent.handle } })
    expect(item?.['usage']).to.have.all.keys('cpu_ms', 'memory_bytes', 'processes')
    expect(JSON.stringify(body)).not.to.include('private work')
    expect((await bob.request('GET', '/api/admin/sandbox/processes')).status).to.equal(403)
    const stopped = await probed.admin.request('POST', `/api/admin/sandbox/processes/${process.id}/stop`)
    expect([stopped.status, (await process.exited).reason]).to.deep.equal([200, 'stopped'])
    const audited = (await probed.admin.request('GET', '/api/admin/audit')).body['items'] as readonly Record<string, unknown>[]
    expect(JSON.stringify(audited)).to.include('stopProcessOfAnyUser').and.include(process.id)
    expect((await probed.admin.request('POST', '/api/admin/sandbox/processes/unknown/stop')).status).to.equal(404)
  })

  it('run by what the status says, to administrators also of the machine', async () => {
    const { body } = await bob.request('GET', '/api/sandbox')
    expect(body).to.deep.include({ confines: true, disabled: false, driver: 'probe', mode: 'test', reason: null, machine: null })
    expect(body['fences']).to.deep.include({ files: { state: 'closed', by: 'the test', reason: '' } })
    expect(body['limits']).to.deep.include({ max_cpu_pct: 95, max_memory_pct: 50 })
    const running = await run('read line')
    const { machine } = (await probed.admin.request('GET', '/api/sandbox')).body as { readonly machine: Record<string, number> }
    expect(machine).to.include({ running: 1, principals: 1 })
    expect(machine['memory_bytes']).to.be.greaterThan(0)
    await running.stop()
  })

  it('have the access that the agent, the settings and the policies give', async () => {
    const access = async (query = '', id = agent.id) => (await bob.request('GET', `/api/sandbox/agents/${id}${query}`)).body
    expect(await access()).to.deep.include({
      agent_id: agent.id,
      files: { writable: [`workspaces/${agent.workspace}`], readable: [], denied: [], refused: null },
    })
    expect((await access())['network']).to.deep.include({ access: 'policies', default_access: true, asked: null })
    const forbidding = `@id("no-example") forbid (principal, action == Action::"connect", resource) when { resource.host == "example.org" };`
    await probed.under(forbidding, async () => {
      const asked = async (query: string) => ((await access(query))['network'] as Record<string, unknown>)['asked']
      expect(await asked('?host=Example.org')).to.deep.equal({ host: 'example.org', port: 443, allowed: false })
      expect(await asked('?host=other.example&port=80')).to.deep.equal({ host: 'other.example', port: 80, allowed: true })
    })
    const closed = await agentOf(bob, 'bob', { sandbox: { network: false } })
    expect((await access('?host=other.example', closed.id))['network']).to.deep.include({
      access: 'off',
      asked: { host: 'other.example', port: 443, allowed: false },
    })
    const foreign = await probed.admin.request('GET', `/api/sandbox/agents/${agent.id}`)
    expect(foreign.body).to.include({ status: 404, code: 'not_found' })
  })
})
