import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { calls, resultsIn, type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { confirm } from '../support/api.js'
import { type Asker, askerOf, type PointsKernel, startPointsKernel } from './support/points-kernel.js'
import { clearDesk, type Desk, sourceTool } from './support/points-plugin.js'

const all = { tools: ['get_time', 'town_hall__*'] }

describe('tools of sources', function () {
  this.timeout(60_000)
  let kernel: PointsKernel
  let ada: Asker
  let desk: Desk
  let script: Script

  before(async () => {
    kernel = await startPointsKernel()
    ada = await askerOf(kernel.agents, 'ada')
  })
  beforeEach(async () => {
    desk = clearDesk()
    script = setScript()
    desk.changed({})
    await ada.give({ ...all, approval: { '*': 'never' } })
  })
  after(async () => {
    ada?.stream.close()
    await kernel?.close()
  })

  const have = (...names: readonly string[]): void => {
    for (const name of names) desk.tools.set(name, sourceTool(name))
    desk.changed({ userId: ada.person.userId })
  }
  const offered = (index = script.requests.length - 1) => script.requests[index]?.tools.map(({ name }) => name)
  const resultText = () => JSON.stringify(resultsIn(script.requests.at(-1) ?? ({ messages: [] } as never)))
  const callsOnce = (name: string) => setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls(name) : says('Done.')) })

  it('are offered under their names, all or one by one, to agents that name them', async () => {
    have('register', 'Büro suchen', 'taxes')
    await ada.ask('Hello')
    expect(offered()).to.have.length(4)
    expect(offered()?.[0]).to.equal('get_time')
    expect(offered()?.[1]).to.match(/^town_hall__b_?u_?ro_suchen_[0-9a-f]{8}$/)
    expect(offered()?.slice(2)).to.deep.equal(['town_hall__register', 'town_hall__taxes'])
    await ada.give({ tools: ['town_hall__taxes', 'town_hall__absent'] })
    await ada.ask('Hello')
    expect(offered()).to.deep.equal(['town_hall__taxes'])
    expect(await ada.warnings()).to.deep.equal([
      { path: '/tools/1', message: 'the tool “town_hall__absent” is not available at present, so it is not offered' },
    ])
    await ada.give({ tools: ['get_time'] })
    const asked = desk.lists.length
    await ada.ask('Hello')
    expect(offered()).to.deep.equal(['get_time'])
    expect(desk.lists.length, 'an agent without sources asks none').to.equal(asked)
  })

  it('are listed with their source, and with the reason if an agent does not get them', async () => {
    have('register', 'taxes')
    await ada.give({ tools: ['town_hall__taxes', 'town_hall__absent'] })
    const listed = async (query: string) => {
      const { body } = await ada.person.request('GET', `/api/tools?limit=200${query}`)
      const items = body['items'] as readonly Readonly<Record<string, unknown>>[]
      return items.filter(({ name }) => String(name).startsWith('town_hall__')).map(({ name, source, reason }) => [name, source, reason])
    }
    expect(await listed('')).to.deep.equal([
      ['town_hall__register', 'town-hall', null],
      ['town_hall__taxes', 'town-hall', null],
    ])
    expect(await listed(`&agent=${ada.person.agentId}`)).to.deep.equal([
      ['town_hall__absent', null, 'not_found'],
      ['town_hall__taxes', 'town-hall', null],
    ])
  })

  it("run under their source's own name, and required arguments are checked", async () => {
    have('Büro suchen')
    desk.tools.set(
      'strict',
      sourceTool('strict', { parameters: { type: 'object', required: ['office'], properties: { office: { pattern: '(a+)+$' } } } }),
    )
    desk.changed({})
    await ada.ask('Hello')
    const name = offered()?.find((candidate) => candidate.includes('suchen')) ?? ''
    const seen: unknown[] = []
    desk.execute = async (own, { userId, agentId }) => {
      seen.push([own, userId, agentId])
      return { content: [{ type: 'text', text: 'Room 4' }] }
    }
    script = callsOnce(name)
    expect((await ada.ask('Where?')).end).to.equal('run.completed')
    expect(seen).to.deep.equal([['Büro suchen', ada.person.userId, ada.person.agentId]])
    expect(resultText()).to.include('Room 4')
    script = callsOnce('town_hall__strict')
    await ada.ask('Where?')
    expect(resultText()).to.include('The arguments are not valid. /office: is required')
  })

  it('are added and removed during a run', async () => {
    have('first')
    script = setScript({
      answer: (request) => {
        const step = resultsIn(request).length
        return step === 0 ? calls('town_hall__first') : step === 1 ? calls('town_hall__first') : says('Done.')
      },
    })
    desk.execute = async () => {
      desk.tools.delete('first')
      have('second')
      // The change is reported to listeners in the same turn.
      await new Promise((resolve) => setImmediate(resolve))
      return { content: [{ type: 'text', text: 'gone' }] }
    }
    expect((await ada.ask('Go')).end).to.equal('run.completed')
    expect(offered(0)).to.include('town_hall__first')
    expect(offered(1)).to.deep.equal(['get_time', 'town_hall__second'])
    expect(resultText()).to.include('The tool “town_hall__first” does not exist')
  })

  it('end with their plugin, and come back with it', async () => {
    have('register')
    await ada.ask('Hello')
    const plugin = '/api/admin/plugins/town-hall'
    await confirm(ada.person)
    expect((await ada.person.request('POST', `${plugin}/disable`)).status).to.equal(200)
    await ada.ask('Hello')
    expect(offered()).to.deep.equal(['get_time'])
    expect((await ada.warnings())[0]?.message).to.include('the tool source of “town_hall__*” is not available at present')
    expect((await ada.person.request('POST', `${plugin}/enable`)).status).to.equal(200)
    await ada.ask('Hello')
    expect(offered()).to.deep.equal(['get_time', 'town_hall__register'])
  })

  it('are limited in number, and omitted ones are reported', async () => {
    have(...Array.from({ length: 130 }, (_, index) => `tool_${String(index).padStart(3, '0')}`))
    await ada.ask('Hello')
    expect(offered()).to.have.length(101)
    expect((await ada.warnings()).map(({ path, message }) => `${path} ${message}`)).to.deep.equal([
      '/tools/1 30 of its tools are not offered: an agent has at most 100 tools from tool sources',
    ])
  })

  it('are omitted if their definition is invalid, and cannot replace another tool', async () => {
    have('good')
    desk.tools.set('text', sourceTool('text', { parameters: { type: 'string' } }))
    desk.tools.set('large', sourceTool('large', { parameters: { type: 'object', description: 'x'.repeat(40_000) } }))
    desk.tools.set('odd', sourceTool('odd', { effect: 'harmless' as never }))
    desk.changed({})
    await ada.ask('Hello')
    expect(offered()).to.deep.equal(['get_time', 'town_hall__good'])
    const left = kernel.lines('Tools of a source are left out.').at(-1)?.['left_out'] as readonly { readonly name: string }[] | undefined
    expect(left?.map(({ name }) => name).sort()).to.deep.equal(['large', 'odd', 'text'])
  })

  it('ask the person first as other tools do, and follow policies by name', async () => {
    desk.tools.set('pay', sourceTool('pay', { effect: 'unsafe', title: 'Pay\na bill' }))
    desk.changed({})
    await ada.give({ ...all, approval: {} })
    let ran = 0
    desk.execute = async () => ({ content: [{ type: 'text', text: `paid ${++ran}` }] })
    script = callsOnce('town_hall__pay')
    const chatId = await ada.person.newChat()
    const runId = await ada.person.post(chatId, 'Pay')
    const { data } = await ada.stream.until(({ name, data }) => name === 'approval.requested' && data['run_id'] === runId)
    const approval = data['approval'] as Readonly<Record<string, unknown>>
    expect(approval).to.include({ tool: 'town_hall__pay', purpose: 'Pay a bill' })
    expect(ran).to.equal(0)
    const place = `/api/runs/${runId}/approvals/${String(approval['id'] ?? approval['call_id'])}`
    const { status, body } = await ada.person.request('POST', place, { decision: 'approve' })
    expect(status, JSON.stringify(body)).to.equal(200)
    await ada.stream.until(({ name, data }) => name === 'run.completed' && data['run_id'] === runId)
    expect(ran).to.equal(1)
  })

  it('are repeated by their effect when the service ends in the middle of a call', async () => {
    const effects = ['read', 'idempotent', 'checkable', 'unsafe'] as const
    for (const effect of effects) desk.tools.set(effect, sourceTool(effect, { effect, parallel: true }))
    desk.changed({})
    const ran = new Map<string, number>()
    let started: () => void = () => undefined
    const allStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    let firstLife = true
    desk.execute = async (name, { signal }) => {
      ran.set(name, (ran.get(name) ?? 0) + 1)
      if (ran.size === effects.length) started()
      if (firstLife) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return { content: [{ type: 'text', text: `${name} is done` }] }
    }
    const names = effects.map((effect) => `town_hall__${effect}`)
    script = setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls(...names) : says('Done.')) })
    const chatId = await ada.person.newChat()
    const runId = await ada.person.post(chatId, 'Do all')
    await allStarted
    await kernel.agents.restart(() => {
      firstLife = false
    })
    ada.stream.close()
    ada = await askerOf(kernel.agents, 'ada')
    const run = async () => (await ada.person.request('GET', `/api/runs/${runId}`)).body
    await eventually(async () => (await run())['status'] === 'completed', { what: run })
    expect(Object.fromEntries(ran)).to.deep.equal({ read: 2, idempotent: 2, checkable: 1, unsafe: 1 })
    const results = resultsIn(script.requests.at(-1) ?? ({ messages: [] } as never))
    expect(results.map(({ outcome }) => outcome ?? 'known')).to.deep.equal(['known', 'known', 'known', 'unknown'])
  })
})
