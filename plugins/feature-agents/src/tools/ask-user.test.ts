import { validate } from '@agent-service/sdk'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { describeTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createAskUserTool } from './ask-user.js'

const tool = createAskUserTool()
const context: ToolContext = {
  ...{
    callId: 'call',
    runId: 'run',
    chatId: 'chat',
    agentId: 'agent',
    agentHandle: 'agent',
    userId: 'user',
    userHandle: 'user',
    workspace: 'agent',
  },
  ...{ depth: 0, timezone: 'UTC', signal: new AbortController().signal, progress: async () => undefined, output: async () => undefined },
}

describe('ask_user', () => {
  it('asks the question of the model', () => {
    expect(tool.asks?.({ question: 'Tea or coffee?', options: ['Tea', 'Coffee'] })).to.deep.equal({
      question: 'Tea or coffee?',
      options: ['Tea', 'Coffee'],
    })
    expect(tool.asks?.({ question: 'How many?' })).to.deep.equal({ question: 'How many?', options: [] })
  })

  it('returns the answer, and fails if the person was not asked', async () => {
    expect(await tool.execute({ question: 'Which?' }, { ...context, answer: 'That one' })).to.deep.equal({
      content: [{ type: 'text', text: 'That one' }],
    })
    expect((await tool.execute({ question: 'Which?' }, context)).isError).to.equal(true)
  })

  it('refuses unreadable questions', () => {
    for (const input of [{}, { question: '' }, { question: 'x'.repeat(2_001) }, { question: 'Which?', options: [''] }])
      expect(validate(tool.parameters, input), JSON.stringify(input).slice(0, 60)).to.have.length.above(0)
  })
})

describeTool({
  name: 'ask_user',
  create: () => ({ tool: createAskUserTool(), state: 'not applicable' }),
  context: { answer: 'That one' },
  examples: [
    { title: 'a question', input: { question: 'Which?' } },
    { title: 'with options', input: { question: 'Which?', options: ['This', 'That'] } },
  ],
  secrets: [],
  stranger: 'not applicable',
})
