import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { endOf } from './support/agents-kernel.js'
import { type AskingKernel, callsWith, type ScriptedCall, startAskingKernel } from './support/asking-kernel.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

const toTokyo: ScriptedCall = { name: 'update_profile', arguments: { timezone: 'Asia/Tokyo' } }
const agent = { tools: ['update_profile', 'get_time', 'tool__read'], approval: { '*': 'never' } }

/** The zones that the results of get_time name. */
const zonesRead = (request: ModelRequest | undefined): readonly unknown[] =>
  (request ? resultsIn(request) : [])
    .filter(({ name }) => name === 'get_time')
    .flatMap(({ content }) => content.map((part) => (part.type === 'text' ? JSON.parse(part.text).timezone : undefined)))

/** The last part of each of the person's messages: when it was written. */
const timesTold = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap(({ role, content }) => {
    const part = content.at(-1)
    return role === 'user' && part?.type === 'text' ? [part.text] : []
  })

describe('a time zone that is changed in the middle of a run', function () {
  this.timeout(60_000)
  let asking: AskingKernel

  beforeEach(async () => {
    setScript()
    asking = await startAskingKernel()
  })
  afterEach(() => asking?.close())

  it('applies to later calls, in the same turn and in later ones', async () => {
    const script = setScript({
      answer: (request) => {
        const results = resultsIn(request).length
        if (results === 0) return callsWith({ name: 'get_time' }, toTokyo, { name: 'get_time' })
        return results === 3 ? callsWith({ name: 'get_time' }) : says('Done.')
      },
    })
    const ada = await asking.person('ada', agent)
    await ada.request('PATCH', '/api/auth/me', { timezone: 'Europe/Vienna' })
    const stream = await ada.stream()
    const { runId } = await ada.begin()
    expect((await endOf(stream, runId)).name).to.equal('run.completed')
    expect(zonesRead(script.requests.at(-1))).to.deep.equal(['Europe/Vienna', 'Asia/Tokyo', 'Asia/Tokyo'])
    stream.close()
  })

  it('applies to messages from then on, changes no earlier text of the run, and applies to all of the next run', async () => {
    let chat = ''
    const script = setScript({
      answer: (request) => {
        const results = resultsIn(request).length
        if (results === 0) return callsWith(toTokyo)
        return results === 1 ? callsWith({ name: 'tool__read' }) : says('Done.')
      },
      tool: async () => {
        await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Are you there?' })
        return { content: [{ type: 'text', text: 'read' }] }
      },
    })
    const ada = await asking.person('ada', agent)
    await ada.request('PATCH', '/api/auth/me', { timezone: 'Europe/Vienna' })
    const stream = await ada.stream()
    const { chatId, runId } = await ada.begin()
    chat = chatId
    expect((await endOf(stream, runId)).name).to.equal('run.completed')
    const [first, last] = [script.requests[0], script.requests.at(-1)]
    expect(script.requests).to.have.length(3)
    expect(last?.messages.slice(0, first?.messages.length)).to.deep.equal(first?.messages)
    const [begun, steered, ...more] = timesTold(last)
    expect(more).to.deep.equal([])
    expect(begun).to.include('Europe/Vienna')
    expect(steered).to.include('Asia/Tokyo')

    const next = await ada.request('POST', `/api/chats/${chatId}/messages`, { content: 'And now?' })
    await endOf(stream, (next.body['run'] as { readonly id: string }).id)
    const told = timesTold(script.requests.at(-1))
    expect(told).to.have.length(3)
    for (const time of told) expect(time).to.include('Asia/Tokyo')
    stream.close()
  })
})
