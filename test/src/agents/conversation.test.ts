import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { EventStream, StreamedEvent } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { createGate } from './support/client-view.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const broken = () =>
  providerError.create({ failure: 'truncated', retryable: false, connection: 'upstream', model: 'm', reason: 'The stream was cut.' })

describe('a conversation', () => {
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ environment: { SERVICE_INFERENCE_MAX_TOOL_TURNS: '2' } })
    ada = await agents.person('ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const namesOf = (runId: string): readonly string[] =>
    stream.events.filter((event) => event.data['run_id'] === runId).map((event) => event.name)

  it('returns a text answer, with its events in order', async () => {
    setScript({ answer: () => says('Good ', 'morning.') })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Hi there')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const names = namesOf(run).filter((name, index, all) => name !== 'text.delta' || all[index - 1] !== 'text.delta')
    expect(names.slice(0, 7)).to.deep.equal([
      'message.created',
      'chat.updated',
      'run.started',
      'message.created',
      'text.delta',
      'message.updated',
      'usage.recorded',
    ])
    const [question, answer] = await ada.messages(chat)
    expect([question?.role, textOf(question), answer?.role, answer?.status, textOf(answer)]).to.deep.equal([
      'user',
      'Hi there',
      'assistant',
      'complete',
      'Good morning.',
    ])
    const after = (await ada.request('GET', `/api/chats/${chat}`)).body
    expect(after).to.include({ title: 'Hi there', active_run_id: null, message_count: 2 })
    expect((await ada.request('GET', `/api/runs/${run}`)).body).to.deep.include({ status: 'completed', turns: 1, failure: null })
  })

  it('streams what a tool reports while it runs, and nothing of it once the call has ended', async () => {
    const asked = createGate()
    let late: (() => Promise<void>) | undefined
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Done.')),
      tool: async (_name, _input, { progress }) => {
        await progress({ message: 'Halfway there', fraction: 0.5 })
        await asked.opened
        late = () => Promise.resolve(progress({ message: 'Too late' }))
        return { content: [{ type: 'text', text: 'found' }] }
      },
    })
    const run = await ada.post(await ada.newChat(), 'Look it up')
    const reported = await stream.until((event) => event.data['run_id'] === run && event.data['progress'] !== undefined)
    expect(reported.name).to.equal('tool_call.delta')
    expect(reported.data['progress']).to.deep.equal({ message: 'Halfway there', fraction: 0.5 })
    expect(namesOf(run)).to.include('tool_call.started').and.not.include('tool_call.completed')
    asked.open()
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    await late?.()
    const other = await ada.post(await ada.newChat(), 'And again')
    await endOf(stream, other)
    expect(stream.events.filter(({ data }) => JSON.stringify(data).includes('Too late'))).to.deep.equal([])
  })

  it('shows the output of a tool while it runs, each piece with its offset', async () => {
    const asked = createGate()
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Done.')),
      tool: async (_name, _input, { output }) => {
        await output('first\n')
        await output('second')
        await asked.opened
        return { content: [{ type: 'text', text: 'found' }] }
      },
    })
    const run = await ada.post(await ada.newChat(), 'Look it up')
    let text = ''
    const outputOf = (event: StreamedEvent) =>
      event.data['run_id'] === run ? (event.data['output'] as { offset: number; text: string } | undefined) : undefined
    await stream.until((event) => {
      const output = outputOf(event)
      if (!output) return false
      expect(output.offset).to.equal(text.length)
      text += output.text
      return text === 'first\nsecond'
    })
    asked.open()
    expect((await endOf(stream, run)).name).to.equal('run.completed')
  })

  it('runs tools in parallel if they only read, and gives the model every result', async () => {
    let atOnce = 0
    let most = 0
    const both = createGate()
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read', 'tool__read') : says('Done.')),
      tool: async (_name, _input, { callId }) => {
        most = Math.max(most, ++atOnce)
        if (atOnce === 2) both.open()
        await both.opened
        atOnce -= 1
        return { content: [{ type: 'text', text: callId }] }
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Look twice')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect(most).to.equal(2)
    const results = resultsIn(script.requests[1] ?? expect.fail('there was no second call'))
    expect(results.map(({ provider_call_id }) => provider_call_id)).to.deep.equal(['vendor-0', 'vendor-1'])
    expect(new Set(results.map(({ call_id }) => call_id)).size).to.equal(2)
    expect(namesOf(run).filter((name) => name.startsWith('tool_call.') && name !== 'tool_call.delta')).to.deep.equal([
      'tool_call.started',
      'tool_call.started',
      'tool_call.finished',
      'tool_call.finished',
    ])
    expect((await ada.messages(chat)).map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant'])
  })

  it('keeps the text of an answer that breaks off, never as complete', async () => {
    setScript({
      async *answer() {
        yield { type: 'text.delta', part: 0, text: 'Half an ans😀\ud83d' }
        throw broken()
      },
    })
    const chat = await ada.newChat()
    const end = await endOf(stream, await ada.post(chat, 'Hi'))
    expect(end.name).to.equal('run.failed')
    expect(end.data['failure']).to.deep.include({ code: 'provider_error' })
    const answer = (await ada.messages(chat)).at(-1)
    expect(answer?.status).to.equal('partial')
    expect(textOf(answer)).to.match(/^Half an ans😀/)
    // The chat goes on.
    setScript()
    expect((await endOf(stream, await ada.post(chat, 'Again'))).name).to.equal('run.completed')
  })

  it('reveals no internal details after an unexpected failure', async () => {
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        throw new TypeError('secret internals')
      },
    })
    const chat = await ada.newChat()
    const end = await endOf(stream, await ada.post(chat, 'Hi'))
    expect(end.name).to.equal('run.failed')
    expect(JSON.stringify(end.data)).to.not.include('secret internals')
    expect((await ada.messages(chat)).at(-1)?.status).to.equal('failed')
  })

  it('makes one last call without tools at the limit, then fails, with a result for every call', async () => {
    const script = setScript({ answer: () => calls('tool__read') })
    const chat = await ada.newChat()
    const end = await endOf(stream, await ada.post(chat, 'Go on and on'))
    expect(end.data['failure']).to.deep.include({ code: 'tool_turn_limit' })
    expect(script.requests.map(({ tools }) => tools.length > 0)).to.deep.equal([true, true, false])
    const messages = await ada.messages(chat)
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool'])
    expect(JSON.stringify(messages.at(-1)?.content)).to.include('Not run')
  })

  it('does not let a model call a tool that its agent does not have', async () => {
    let runs = 0
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__unsafe') : says('Oh.')),
      tool: async () => ({ content: [{ type: 'text', text: `${++runs}` }] }),
    })
    const agent = (await ada.request('POST', '/api/agents', { handle: 'modest', name: 'Modest', tools: [] })).body
    const chat = (await ada.request('POST', '/api/chats', { agent_id: agent['id'] })).body
    expect((await endOf(stream, await ada.post(String(chat['id']), 'Hi'))).name).to.equal('run.completed')
    expect(runs).to.equal(0)
    expect(resultsIn(script.requests[1] ?? expect.fail('no second call'))[0]).to.include({ is_error: true })
  })

  it('refuses a message that no store can hold, and one without text', async () => {
    const chat = await ada.newChat()
    const part = { type: 'text', text: 'x'.repeat(3_900_000) }
    const long = await ada.request('POST', `/api/chats/${chat}/messages`, { content: [part, part] })
    expect([long.status, long.body['code']]).to.deep.equal([413, 'message_too_long'])
    expect((await ada.request('POST', `/api/chats/${chat}/messages`, { content: [{ type: 'text', text: '' }] })).status).to.equal(422)
    expect(await ada.messages(chat)).to.deep.equal([])
  })
})
