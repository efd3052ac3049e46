import { expect } from 'chai'
import { writerOf } from '../chats/chat-support.js'
import { signUp } from '../support/api.js'
import { type AgentsKernel, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { says, setScript } from './support/scripted-plugin.js'

type Json = Record<string, unknown>

describe('the list of tools', () => {
  let agents: AgentsKernel
  let ada: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
  })
  after(() => agents?.close())

  const listed = async (query = '', person: Pick<Person, 'request'> = ada): Promise<readonly Json[]> => {
    const items: Json[] = []
    let cursor = ''
    do {
      const { status, body } = await person.request('GET', `/api/tools?limit=3${query}${cursor}`)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      items.push(...(body['items'] as readonly Json[]))
      cursor = body['next_cursor'] === null ? '' : `&cursor=${encodeURIComponent(String(body['next_cursor']))}`
    } while (cursor !== '')
    return items
  }
  const named = (items: readonly Json[], name: string): Json => items.find((item) => item['name'] === name) ?? expect.fail(`no ${name}`)

  it('has every tool that an agent could have, by name, page by page', async () => {
    const items = await listed()
    const names = items.map(({ name }) => String(name))
    expect(names).to.deep.equal([...new Set(names)].sort())
    expect(names).to.include.members(['get_time', 'ask_user', 'delegate', 'read_file', 'tool__read', 'tool__unsafe', 'tool__memory'])
    expect(named(items, 'get_time')).to.deep.include({
      ...{ plugin_id: 'feature-agents', source: null, effect: 'read', approval: 'never' },
      ...{ available: true, reason: null, message: null },
    })
    expect(named(items, 'get_time')['parameters']).to.deep.include({ type: 'object' })
    expect(named(items, 'tool__unsafe')).to.include({ plugin_id: 'tool', effect: 'unsafe', approval: 'first_time' })
    for (const { title, description } of items) expect([title, description].every((text) => typeof text === 'string')).to.equal(true)
  })

  it('has what an agent really gets, and why it does not get the rest', async () => {
    const tools = ['tool__read', 'tool__memory', 'gone', 'town__*', 'get_time']
    const { body } = await ada.request('POST', '/api/agents', { name: 'Some tools', tools, memory: { enabled: false } })
    const items = await listed(`&agent=${String(body['id'])}`)
    expect(items.map(({ name, available, reason }) => [name, available, reason])).to.deep.equal([
      ['get_time', true, null],
      ['gone', false, 'not_found'],
      ['tool__memory', false, 'withheld'],
      ['tool__read', true, null],
      ['town__*', false, 'not_found'],
    ])
    expect(named(items, 'town__*')['message']).to.include('tool source')
    const script = setScript({ answer: () => says('Hi.') })
    const writer = await writerOf(agents, 'ada')
    const chat = await ada.request('POST', '/api/chats', { agent_id: body['id'] })
    await writer.write(String(chat.body['id']), 'Hello')
    writer.stream.close()
    const offered = script.requests[0]?.tools.map(({ name }) => name)
    expect(offered).to.have.members(items.filter(({ available }) => available).map(({ name }) => name))
  })

  it('states the approval mode of the agent', async () => {
    const { body } = await ada.request('POST', '/api/agents', { name: 'Careful', tools: ['get_time'], approval: { get_time: 'always' } })
    expect(named(await listed(`&agent=${String(body['id'])}`), 'get_time')['approval']).to.equal('always')
  })

  it('shows the tools that policies forbid as forbidden', async () => {
    const text = 'forbid (principal is Agent, action == Action::"use_tool", resource == Tool::"tool__unsafe");'
    const made = await ada.request('POST', '/api/admin/policies', { text })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    expect(named(await listed(), 'tool__unsafe')).to.include({ available: false, reason: 'policy' })
    expect(named(await listed(`&agent=${ada.agentId}`), 'tool__unsafe')).to.include({ available: false, reason: 'policy' })
    expect(named(await listed(), 'tool__read')).to.include({ available: true })
    await ada.request('DELETE', `/api/admin/policies/${String(made.body['id'])}`)
  })

  it('is there for a person without agents', async () => {
    const bea = await signUp(agents.kernel.url, 'bea')
    const own = (await bea.request('GET', '/api/agents')).body['items'] as readonly Json[]
    for (const { id } of own) expect((await bea.request('DELETE', `/api/agents/${String(id)}`)).status).to.equal(204)
    expect(named(await listed('', bea), 'get_time')).to.include({ available: true })
  })

  it('is for the owner of the agent alone', async () => {
    const eve = await signUp(agents.kernel.url, 'eve')
    expect((await eve.request('GET', `/api/tools?agent=${ada.agentId}`)).status).to.equal(404)
    expect((await eve.request('GET', '/api/tools?cursor=nonsense')).status).to.equal(422)
    expect((await listed('', eve)).length).to.be.above(5)
  })
})
