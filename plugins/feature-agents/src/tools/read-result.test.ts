import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { describeTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createKeptResults } from '../context/kept-results.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { createReadResultTool } from './read-result.js'

const context: ToolContext = {
  callId: 'this-call',
  runId: 'run',
  chatId: 'chat',
  agentId: 'agent',
  agentHandle: 'agent',
  userId: 'user',
  userHandle: 'user',
  workspace: 'assistant',
  depth: 0,
  timezone: 'UTC',
  signal: new AbortController().signal,
  progress: async () => undefined,
  output: async () => undefined,
}
const create = async (text: string, place = { callId: 'long', chatId: 'chat', userId: 'user' }) => {
  const results = createKeptResults({ database: createMemoryDatabase().database })
  await results.keep({ ...place, tool: 'look' }, text)
  const tool = createReadResultTool(results)
  return async (input: Parameters<typeof tool.execute>[0], changes: Partial<ToolContext> = {}) => {
    const { content, isError } = await tool.execute({ call_id: 'long', ...input }, { ...context, ...changes })
    return { isError: isError ?? false, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
  }
}

describe('reading a long result', () => {
  it('reads part after part without a gap, and marks the end', async () => {
    const text = Array.from({ length: 12_000 }, (_, line) => `line ${line}\n`).join('')
    const read = await create(text)
    let whole = ''
    for (let calls = 0; calls < 20; calls += 1) {
      const { text: part } = await read({ offset: whole.length })
      const [, shown = '', rest] = /^([\s\S]*)\n\[characters \d+ to \d+ of \d+; (.*)\]$/.exec(part) ?? expect.fail(part.slice(-200))
      whole += shown
      if (rest === 'this is the end') break
      expect(rest).to.equal(`${text.length - whole.length} more follow from offset ${whole.length} on`)
    }
    expect(whole).to.equal(text)
  })

  it('finds a text, and continues after the last match shown', async () => {
    const read = await create(`${'hay '.repeat(100)}Needle`.repeat(30))
    const first = (await read({ search: 'needle' })).text
    expect(first.match(/^offset \d+: /gm)).to.have.length(20)
    const [, next] = /offset (\d+)\.$/.exec(first) ?? []
    const second = (await read({ search: 'needle', offset: Number(next) })).text
    expect(second.match(/^offset \d+: /gm)).to.have.length(10)
    expect(second).to.include('all matches')
    expect((await read({ search: 'absent' })).text).to.include('was not found')
  })

  it('says what to do if nothing is found', async () => {
    const read = await create('short')
    expect(await read({ call_id: 'other' })).to.have.property('isError', true)
    expect((await read({ offset: 5 })).text).to.include('5 characters')
    expect(await read({}, { chatId: 'another chat' })).to.have.property('isError', true)
    expect(await read({}, { userId: 'another person' })).to.have.property('isError', true)
  })
})

describe('reading a long result, by its contract', () => {
  const results = createKeptResults({ database: createMemoryDatabase().database })
  before(() => results.keep({ callId: 'long', chatId: 'chat-1', userId: 'user-1', tool: 'look' }, 'A long text about beans. '.repeat(100)))

  describeTool({
    name: 'read_result',
    create: () => ({ tool: createReadResultTool(results), state: 'not applicable' }),
    context: { userId: 'user-1', chatId: 'chat-1' },
    stranger: { userId: 'user-2' },
    secrets: [],
    examples: [
      { title: 'a part', input: { call_id: 'long', offset: 10, length: 20 } },
      { title: 'a search', input: { call_id: 'long', search: 'BEANS' } },
      { title: 'a call that there is not', input: { call_id: 'absent' }, isError: true },
      { title: 'a search where there is nothing', input: { call_id: 'absent', search: 'text' }, isError: true },
    ],
  })
})
