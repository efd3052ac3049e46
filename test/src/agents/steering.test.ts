import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { createGate } from './support/client-view.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

/** What a model was shown, a line a message: role and first text. */
const shown = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? [])
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => {
      const [part] = content
      if (part?.type === 'tool_call') return `${role}: calls ${part.name}`
      if (part?.type === 'tool_result') return `${role}: results`
      return `${role}: ${part && 'text' in part ? part.text : ''}`
    })

describe('a message during a run', () => {
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream

  before(async () => {
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream.close()
    await agents.close()
  })

  const steer = async (chat: string, content: string) => {
    const { status, body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content })
    return {
      status,
      run: (body['run'] as { readonly id: string }).id,
      message: body['message'] as { readonly id: string; readonly run_id: string },
    }
  }

  it('follows an answer in progress, and is answered by the same run', async () => {
    const [asked, gate] = [createGate(), createGate()]
    const script = setScript({
      async *answer() {
        if (script.requests.length > 1) return yield* says('Second.')
        asked.open()
        await gate.opened
        yield* says('First.')
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'One')
    await asked.opened
    const steered = await steer(chat, 'Two')
    expect([steered.status, steered.run, steered.message.run_id]).to.deep.equal([202, run, run])
    gate.open()
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect((await ada.messages(chat)).map((message) => `${message.role}: ${textOf(message)}`)).to.deep.equal([
      'user: One',
      'assistant: First.',
      'user: Two',
      'assistant: Second.',
    ])
    expect(shown(script.requests[1])).to.deep.equal(['user: One', 'assistant: First.', 'user: Two'])
    expect(stream.events.filter(({ data, name }) => data['run_id'] === run && name === 'run.completed')).to.have.length(1)
  })

  it('follows the results of running tools, and is seen by the next call', async () => {
    const gate = createGate()
    const started = createGate()
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('I see.')),
      async tool() {
        started.open()
        await gate.opened
        return { content: [{ type: 'text', text: 'looked' }] }
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Look')
    await started.opened
    await steer(chat, 'And listen')
    await steer(chat, 'Please')
    gate.open()
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const wanted = ['user: Look', 'assistant: calls tool__read', 'tool: results', 'user: And listen', 'user: Please']
    expect(shown(script.requests[1])).to.deep.equal(wanted)
    // The same once it is read from the store.
    expect((await endOf(stream, await ada.post(chat, 'More'))).name).to.equal('run.completed')
    expect(shown(script.requests[2])).to.deep.equal([...wanted, 'assistant: I see.', 'user: More'])
  })

  it('survives a restart, and is answered then', async () => {
    let asked = 0
    const began = createGate()
    const script = setScript({
      async *answer(_, signal) {
        asked += 1
        if (asked > 1) return yield* says(`Answer ${asked}.`)
        began.open()
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'One')
    await began.opened
    await steer(chat, 'Two')
    stream.close()
    await agents.restart()
    ada = await agents.person('ada')
    stream = await ada.stream({ after: '0' })
    for (let status = ''; status !== 'completed'; ) {
      status = String((await ada.request('GET', `/api/runs/${run}`)).body['status'])
      if (status === 'failed') expect.fail('the run failed')
      if (status !== 'completed') await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await ada.messages(chat)).map((message) => `${message.role}: ${textOf(message)}`)).to.deep.equal([
      'user: One',
      'assistant: Answer 2.',
      'user: Two',
      'assistant: Answer 3.',
    ])
    expect(shown(script.requests[1])).to.deep.equal(['user: One'])
  })

  it('is answered together with the first one if the run has not begun', async () => {
    const gate = createGate()
    const script = setScript({
      async *answer() {
        await gate.opened
        yield* says('Once.')
      },
    })
    // As many as go on for one person at a time; the next one waits for its turn.
    const others: string[] = []
    for (let count = 0; count < 32; count += 1) others.push(await ada.post(await ada.newChat(), 'Busy'))
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'One')
    expect((await ada.request('GET', `/api/runs/${run}`)).body['status']).to.equal('queued')
    await steer(chat, 'Two')
    gate.open()
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    for (const other of others) await endOf(stream, other)
    expect((await ada.messages(chat)).map((message) => `${message.role}: ${textOf(message)}`)).to.deep.equal([
      'user: One',
      'user: Two',
      'assistant: Once.',
    ])
    const requests = script.requests.map(shown).filter((lines) => lines.includes('user: One'))
    expect(requests).to.deep.equal([['user: One', 'user: Two']])
  })

  it('is refused if twenty messages wait, if it replaces another, and if the run is being cancelled', async () => {
    const gate = createGate()
    setScript({
      async *answer() {
        await gate.opened
        yield* says('Now.')
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'One')
    const [first] = await ada.messages(chat)
    const code = async (body: object) => (await ada.request('POST', `/api/chats/${chat}/messages`, body)).body['code']
    expect(await code({ content: 'Other', replaces: first?.id })).to.equal('run_in_progress')
    expect((await ada.request('POST', `/api/chats/${chat}/regenerate`, {})).body['code']).to.equal('run_in_progress')
    for (let count = 0; count < 20; count += 1) expect((await steer(chat, `Message ${count}`)).status).to.equal(202)
    expect(await code({ content: 'One too many' })).to.equal('run_inbox_full')
    expect((await ada.request('POST', `/api/runs/${run}/cancel`)).body['status']).to.equal('cancelled')
    gate.open()
    // Nothing that was written is gone, and the next run sees it.
    const script = setScript()
    expect((await endOf(stream, await ada.post(chat, 'Last'))).name).to.equal('run.completed')
    expect(shown(script.requests[0]).filter((line) => line.startsWith('user: Message'))).to.have.length(20)
  })
})
