import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { setScript } from './support/scripted-plugin.js'

describe('a handle that is made from a name', () => {
  let agents: AgentsKernel
  let ada: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
  })
  after(() => agents?.close())

  const make = async (name: string): Promise<unknown> => {
    const { status, body } = await ada.request('POST', '/api/agents', { name })
    expect(status, JSON.stringify(body)).to.equal(201)
    expect(body['workspace']).to.equal(body['handle'])
    return body['handle']
  }

  it('has its Latin letters, and a number if it is taken', async () => {
    expect([await make('Žofie’s Writer'), await make('Žofie’s Writer'), await make('zofies writer')]).to.deep.equal([
      ...['zofies-writer', 'zofies-writer-2', 'zofies-writer-3'],
    ])
    expect([await make('助手'), await make('Помощник'), await make('🦉')]).to.deep.equal(['agent-1', 'agent-2', 'agent-3'])
  })

  it('is unique among agents that are made at the same time', async () => {
    const handles = await Promise.all(Array.from({ length: 12 }, () => make('Racer')))
    expect([...handles].sort()).to.deep.equal(['racer', ...Array.from({ length: 11 }, (_, index) => `racer-${index + 2}`)].sort())
  })

  it('is left alone if one is given', async () => {
    const given = await ada.request('POST', '/api/agents', { name: 'X', handle: 'given' })
    expect([given.status, given.body['handle']]).to.deep.equal([201, 'given'])
    const taken = await ada.request('POST', '/api/agents', { name: 'X', handle: 'given' })
    expect([taken.status, taken.body['code']]).to.deep.equal([409, 'agent_handle_taken'])
    expect((await ada.request('POST', '/api/agents', { name: 'X', handle: '' })).status).to.equal(422)
  })
})
