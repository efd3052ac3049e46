import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { limitProblems } from '../../agents/agent-limits.js'
import { agentWarnings } from '../../agents/agent-warnings.js'
import { agentCollection, definitionOf } from './agent.js'
import { absentAgent, completeDefinition, newAgent } from './new-agent.js'

const definition = completeDefinition({ handle: 'aa', name: 'A' })
const agent = newAgent(definition, { userId: 'u', workspace: 'aa', shared: null, now: '2026-01-01T00:00:00.000Z' })

describe('an agent in the store', () => {
  it('keeps everything that a person decides in a version, and nothing else', () => {
    expect(definitionOf(agent)).to.deep.equal(definition)
  })

  it('from a release without versions is migrated, in the folder of its handle', () => {
    const old = {
      ...{ id: 'a', user_id: 'u', handle: 'writer', name: 'W', description: '', instructions: '', model_group: 'primary', tools: [] },
      ...{ skills: [], memory: { enabled: true }, sandbox: { network: true }, approval: {}, enabled: true },
      ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
    }
    const migrated = (agentCollection.migrations ?? []).reduce<JsonObject>((document, { migrate }) => migrate(document), old)
    expect(Object.keys(migrated)).to.have.members(Object.keys(agent))
    expect(migrated).to.deep.include({
      ...old,
      workspace: 'writer',
      version: 1,
      shared: null,
      prompts: {},
      limits: {},
      avatar: '',
      titles: { enabled: true },
    })
  })

  it('has no tools and no instructions after its deletion', () => {
    const gone = absentAgent({ id: 'a', user_id: 'u', model_group: 'fast', created_at: '' })
    expect(gone).to.deep.include({ id: 'a', model_group: 'fast', tools: [], sandbox: { network: false }, enabled: false })
  })
})

describe('limits of an agent', () => {
  it('beyond those of the service are a problem of the request', () => {
    expect(limitProblems({ max_tool_turns: 200 }, { max_tool_turns: 200 })).to.deep.equal([])
    expect(limitProblems(undefined, { max_tool_turns: 0 })).to.deep.equal([])
    expect(limitProblems({ max_tool_turns: 201 }, { max_tool_turns: 200 }).map(({ path }) => path)).to.deep.equal([
      '/limits/max_tool_turns',
    ])
  })
})

describe('warnings about an agent', () => {
  const group = { name: 'primary', provider: 'p', model: 'm', context_window: 1_000, max_tokens: 100 }
  const surroundings = { tools: new Set(['get_time']), groups: [group], sections: ['tools'] }
  const paths = (changes: Partial<typeof agent>, groups = [group]) =>
    agentWarnings({ ...agent, ...changes }, { ...surroundings, groups }).map(({ path }) => path)

  it('are empty if everything is available', () => {
    expect(paths({ tools: ['get_time'], approval: { '*': 'always', get_time: 'never' }, prompts: { tools: null } })).to.deep.equal([])
  })

  it('name each missing item', () => {
    const changes = {
      tools: ['get_time', 'gone'],
      model_group: 'fast',
      approval: { 'a/b': 'always' as const },
      prompts: { weather: 'Rain.' },
    }
    expect(paths(changes)).to.deep.equal(['/tools/1', '/model_group', '/approval/a~1b', '/prompts/weather'])
    expect(agentWarnings({ ...agent, model_group: 'fast' }, surroundings)[0]?.message).to.include('primary is used')
    expect(agentWarnings({ ...agent, model_group: 'fast' }, { ...surroundings, groups: [] })[0]?.message).to.include(
      'the agent cannot answer',
    )
    expect(
      agentWarnings({ ...agent, tools: ['gone', 'browser_click'] }, { ...surroundings, shippedTools: new Set(['browser_click']) }),
    ).to.have.length(1)
    expect(paths({ limits: { max_output_tokens: 101 } })).to.deep.equal(['/limits/max_output_tokens'])
  })
})
