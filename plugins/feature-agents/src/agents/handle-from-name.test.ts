import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import { expect } from 'chai'
import { agentCollection } from '../store/agents/agent.js'
import { completeDefinition, newAgent } from '../store/agents/new-agent.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { handleFromName, withFreeHandle } from './handle-from-name.js'

describe('a handle from a name', () => {
  it('has the Latin letters and digits of the name', () => {
    const cases: Readonly<Record<string, string | undefined>> = {
      'My Writer': 'my-writer',
      'Žofie Ångström-Øster': 'zofie-angstrom-oster',
      'Straße & Æther': 'strasse-aether',
      'ＦＵＬＬ ①': 'full-1',
      "Ada's  helper!": 'adas-helper',
      '2nd brain': 'agent-2nd-brain',
      __x__y__: 'x-y',
      Помощник: undefined,
      助手: undefined,
      '🦉': undefined,
      x: undefined,
    }
    for (const [name, handle] of Object.entries(cases)) expect(handleFromName(name), name).to.equal(handle)
  })

  it('is always valid', () => {
    for (const name of ['a'.repeat(100), `${'a'.repeat(31)} b`, '9'.repeat(100), 'ﷺ ab', '-- a -- b --']) {
      expect(handleFromName(name), name).to.match(/^[a-z][a-z0-9_-]{1,31}$/)
    }
  })
})

describe('a free handle', () => {
  const begin = (...taken: readonly string[]) => {
    const { database, documents } = createMemoryDatabase()
    const add = (handle: string) => {
      const place = { userId: 'u', workspace: handle, shared: null, now: '' }
      const agent = newAgent(completeDefinition({ handle, name: 'A' }), place)
      documents(agentCollection).set(agent.id, agent)
    }
    for (const handle of taken) add(handle)
    return { add, take: (name: string) => withFreeHandle(database, { userId: 'u', name }, async (_, handle) => handle), database }
  }

  it('has the first number that is free', async () => {
    expect(await begin().take('Writer')).to.equal('writer')
    expect(await begin('writer').take('Writer')).to.equal('writer-2')
    expect(await begin('writer', 'writer-2', 'writer-4').take('Writer')).to.equal('writer-3')
    expect(await begin('writer-2').take('Writer')).to.equal('writer')
    expect(await begin('agent-1').take('助手')).to.equal('agent-2')
    const long = 'a'.repeat(32)
    expect(await begin(long, `${'a'.repeat(30)}-2`).take('a'.repeat(60))).to.equal(`${'a'.repeat(30)}-3`)
  })

  it('is chosen again if another request has taken it meanwhile, and given up in the end', async () => {
    const { add, database } = begin()
    let tries = 0
    const handle = await withFreeHandle(database, { userId: 'u', name: 'Writer' }, async (_, wanted) => {
      tries += 1
      if (tries > 2) return wanted
      add(wanted)
      throw uniqueViolationError.create({ collection: 'agents.agents', index: 'by_handle' })
    })
    expect([handle, tries]).to.deep.equal(['writer-3', 3])
    const never = withFreeHandle(database, { userId: 'u', name: 'Writer' }, async () => {
      throw uniqueViolationError.create({ collection: 'agents.agents', index: 'by_handle' })
    })
    expect(await never.catch((error: unknown) => error)).to.have.property('code', 'agent_handle_taken')
  })
})
