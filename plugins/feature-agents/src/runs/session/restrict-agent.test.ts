import { expect } from 'chai'
import type { AgentLimits } from '../../store/agents/agent.js'
import { completeDefinition, newAgent } from '../../store/agents/new-agent.js'
import { restrictAgent } from './restrict-agent.js'

const agentWith = (limits: AgentLimits) =>
  newAgent(completeDefinition({ handle: 'aa', name: 'A', tools: ['look', 'write'], limits }), {
    userId: 'u',
    workspace: 'aa',
    shared: null,
    now: '',
  })

describe('an agent restricted by the terms of a run', () => {
  it('has the tools that both allow', () => {
    const agent = agentWith({})
    expect(restrictAgent(agent, null)).to.equal(agent)
    expect(restrictAgent(agent, { tools: null, limits: {}, result: null }).tools).to.deep.equal(['look', 'write'])
    expect(restrictAgent(agent, { tools: ['write', 'run'], limits: {}, result: null }).tools).to.deep.equal(['write'])
  })

  it('has the lower of each limit, and never more time than the service gives', () => {
    const limitsOf = (own: AgentLimits, limits: AgentLimits) => restrictAgent(agentWith(own), { tools: null, limits, result: null }).limits
    expect(limitsOf({ max_tool_turns: 3, max_output_tokens: 50 }, { max_tool_turns: 5, max_output_tokens: 20 })).to.deep.equal({
      max_tool_turns: 3,
      max_output_tokens: 20,
    })
    expect(limitsOf({}, { max_tool_turns: 5, max_run_secs: 604_800 })).to.deep.equal({ max_tool_turns: 5, max_run_secs: 4 * 3_600 })
    expect(limitsOf({ max_run_secs: 604_800 }, { max_run_secs: 100_000 })).to.deep.equal({ max_run_secs: 100_000 })
  })
})
