import { expect } from 'chai'
import type { AgentLimits } from '../../store/agents/agent.js'
import { completeDefinition, newAgent } from '../../store/agents/new-agent.js'
import type { RunTerms } from '../../store/runs/run.js'
import { restrictAgent } from './restrict-agent.js'

const agentWith = (limits: AgentLimits) =>
  newAgent(completeDefinition({ handle: 'aa', name: 'A', tools: ['look', 'write'], limits }), {
    userId: 'u',
    workspace: 'aa',
    shared: null,
    now: '',
  })

const restricted = (agent: ReturnType<typeof agentWith>, terms: RunTerms | null, guests: readonly string[] | null = null) =>
  restrictAgent(agent, { terms, guests: guests && { tools: guests }, reports_to: null })

describe('an agent restricted by the terms of a run', () => {
  it('has the tools that both allow', () => {
    const agent = agentWith({})
    expect(restricted(agent, null)).to.deep.equal({ ...agent, reports_to: null })
    expect(restricted(agent, { tools: null, limits: {}, result: null }).tools).to.deep.equal(['look', 'write'])
    expect(restricted(agent, { tools: ['write', 'run'], limits: {}, result: null }).tools).to.deep.equal(['write'])
  })

  it('has no memory, no skill, and only the named tools where guests write', () => {
    const agent = { ...agentWith({ max_tool_turns: 3 }), skills: ['*'] }
    expect(agent.memory.enabled).to.equal(true)
    const none = restricted(agent, null, [])
    expect([none.tools, none.skills, none.memory.enabled]).to.deep.equal([[], [], false])
    expect(none.limits).to.deep.equal({ max_tool_turns: 3 })
    expect(restricted(agent, null, ['write', 'run', 'look__*']).tools).to.deep.equal(['write'])
    expect(restricted(agent, { tools: ['look'], limits: {}, result: null }, ['write']).tools).to.deep.equal([])
    expect(restricted(agent, { tools: null, limits: {}, result: null }, ['read_skill']).skills).to.deep.equal(['*'])
  })

  it('has its tools and skills, and no memory, in a chat that no memory has', () => {
    const agent = { ...agentWith({}), skills: ['*'] }
    const own = restrictAgent(agent, { terms: null, guests: null, reports_to: null, without_memory: true })
    expect(own).to.deep.equal({ ...agent, memory: { ...agent.memory, enabled: false }, reports_to: null })
  })

  it('has the lower of each limit, and never more time than the service gives', () => {
    const limitsOf = (own: AgentLimits, limits: AgentLimits) => restricted(agentWith(own), { tools: null, limits, result: null }).limits
    expect(limitsOf({ max_tool_turns: 3, max_output_tokens: 50 }, { max_tool_turns: 5, max_output_tokens: 20 })).to.deep.equal({
      max_tool_turns: 3,
      max_output_tokens: 20,
    })
    expect(limitsOf({}, { max_tool_turns: 5, max_run_secs: 604_800 })).to.deep.equal({ max_tool_turns: 5, max_run_secs: 4 * 3_600 })
    expect(limitsOf({ max_run_secs: 604_800 }, { max_run_secs: 100_000 })).to.deep.equal({ max_run_secs: 100_000 })
  })
})
