import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from './support/agents-kernel.js'
import { callsWith, openLongChat } from './support/long-chats.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const resultText = (request: ModelRequest, index: number): string =>
  (resultsIn(request)[index]?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
const callIn = (request: ModelRequest): string =>
  /with read_result \{"call_id":"([^"]+)"/.exec(resultText(request, 0))?.[1] ?? expect.fail('no call_id')
const toolsOf = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? []

describe('a tool result that is too long to be shown', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  const text = Array.from({ length: 60_000 }, (_, line) => `line ${line} of the report\n`).join('')

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
  })
  after(() => agents?.close())

  it('is readable with a tool that is offered from then on', async () => {
    const script = setScript({
      answer(request) {
        const results = resultsIn(request).length
        if (results === 0) return calls('tool__read')
        if (results === 1) return callsWith('read_result', { call_id: callIn(request), search: 'line 41234 of' })
        if (results === 2) return callsWith('read_result', { call_id: callIn(request), offset: text.indexOf('line 41234 of'), length: 50 })
        return says('Done.')
      },
      tool: async () => ({ content: [{ type: 'text', text }] }),
    })
    const chat = await openLongChat(ada)
    expect((await chat.say('Read the report')).name).to.equal('run.completed')
    expect(script.requests.map((request) => toolsOf(request).includes('read_result'))).to.deep.equal([false, true, true, true])
    const last = script.requests[3] ?? expect.fail('too few calls')
    expect(resultText(last, 0).length).to.be.lessThan(101_000)
    expect(resultText(last, 0)).to.include('line 0 of the report').and.to.include('line 59999 of the report')
    expect(resultText(last, 1)).to.include(`offset ${text.indexOf('line 41234 of')}: `)
    expect(resultText(last, 2)).to.match(/^line 41234 of the report\nline 41235 of the report\n/)

    // What was shown stays as it is, and the chat still reads it after a restart.
    await agents.restart(() => void setScript())
    const again = await agents.person('ada')
    const next = setScript()
    const stream = await again.stream({ chatId: chat.id })
    const run = await again.post(chat.id, 'And now?')
    await stream.until((event) => event.data['run_id'] === run && event.name === 'run.completed')
    const request = next.requests[0] ?? expect.fail('nothing was asked')
    expect(toolsOf(request)).to.include('read_result')
    expect(resultText(request, 0)).to.equal(resultText(last, 0))
    stream.close()
    chat.close()
    ada = again
  })

  it('is not readable from another chat', async () => {
    let callId = ''
    setScript({
      answer(request) {
        if (resultsIn(request).length === 0) return calls('tool__read')
        callId = callIn(request)
        return says('Done.')
      },
      tool: async () => ({ content: [{ type: 'text', text }] }),
    })
    const chat = await openLongChat(ada)
    await chat.say('Read the report')
    const reads = async (): Promise<string> => {
      const script = setScript({
        answer: (request) => (resultsIn(request).length === 0 ? callsWith('read_result', { call_id: callId }) : says('Done.')),
      })
      const other = await openLongChat(ada)
      await other.say('Read it here')
      other.close()
      return resultText(script.requests[1] ?? expect.fail('no second call'), 0)
    }
    expect(await reads()).to.include('This chat has no long result')
    chat.close()
  })
})
