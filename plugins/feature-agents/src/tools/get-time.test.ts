import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { describeTool } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createGetTimeTool } from './get-time.js'

const context: ToolContext = {
  callId: 'call',
  runId: 'run',
  chatId: 'chat',
  agentId: 'agent',
  agentHandle: 'agent',
  userId: 'user',
  userHandle: 'user',
  workspace: 'agent',
  depth: 0,
  timezone: 'Europe/Vienna',
  signal: new AbortController().signal,
  progress: async () => undefined,
  output: async () => undefined,
}
const tool = createGetTimeTool({ now: () => Date.UTC(2026, 6, 1, 22, 30, 5) })

describe('get_time', () => {
  it("returns the time in the person's zone", async () => {
    expect(await tool.execute({}, context)).to.deep.equal({
      content: [
        {
          type: 'json',
          json: {
            date: '2026-07-02',
            time: '00:30:05',
            weekday: 'Thursday',
            utc_offset: '+02:00',
            timezone: 'Europe/Vienna',
            utc: '2026-07-01T22:30:05.000Z',
          },
        },
      ],
    })
  })

  it('returns the time in the requested zone', async () => {
    const result = await tool.execute({ timezone: 'UTC' }, context)
    expect(result.content[0]).to.have.property('json').that.includes({ time: '22:30:05', weekday: 'Wednesday', utc_offset: '+00:00' })
  })

  it('answers an unknown zone with a hint', async () => {
    const result = await tool.execute({ timezone: 'Middle/Earth' }, context)
    expect(result.isError).to.equal(true)
    expect(JSON.stringify(result.content)).to.include('Europe/Vienna')
  })
})

describeTool({
  name: 'get_time',
  create: () => ({ tool: createGetTimeTool({ now: () => Date.UTC(2026, 6, 1) }), state: 'not applicable' }),
  context: { timezone: 'Europe/Vienna' },
  examples: [
    { title: 'in the zone of the person', input: {} },
    { title: 'in another zone', input: { timezone: 'America/New_York' } },
    { title: 'in a zone that there is not', input: { timezone: 'Middle/Earth' }, isError: true },
  ],
  secrets: [],
  stranger: 'not applicable',
})
