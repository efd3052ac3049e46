import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { createGate } from './support/client-view.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

describe('stopping a run', () => {
  /**
   * No test waits for it: it only lets the service stop without waiting for calls that ignore their
   * signal.
   */
  const over = createGate()
  const never = async (): Promise<never> => {
    await over.opened
    throw new Error('The tests are over.')
  }
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    over.open()
    await agents?.close()
  })

  const eventOf = (runId: string, name: string) => stream.until((event) => event.data['run_id'] === runId && event.name === name)
  const cancel = (runId: string) => ada.request('POST', `/api/runs/${runId}/cancel`)

  it('aborts the model call at once and keeps the text, even if the provider ignores the signal', async () => {
    for (const heedsTheSignal of [true, false]) {
      let aborted = false
      setScript({
        async *answer(_, signal) {
          signal.addEventListener('abort', () => {
            aborted = true
          })
          yield { type: 'text.delta', part: 0, text: 'So far' }
          await (heedsTheSignal
            ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
            : never())
        },
      })
      const chat = await ada.newChat()
      const run = await ada.post(chat, 'Talk')
      await eventOf(run, 'text.delta')
      const answer = await cancel(run)
      expect([answer.status, answer.body['status']]).to.deep.equal([200, 'cancelled'])
      expect(aborted).to.equal(true)
      await eventOf(run, 'run.cancelled')
      const last = (await ada.messages(chat)).at(-1)
      expect([last?.status, textOf(last)]).to.deep.equal(['partial', 'So far'])
    }
    // One that has to be ended without its driver, after ten seconds, is an error in the log.
    expect(agents.kernel.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })

  it('is the same the second time, and leaves a run that has ended as it is', async () => {
    setScript()
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Hi')
    await endOf(stream, run)
    const before = (await ada.request('GET', `/api/runs/${run}`)).body
    for (let time = 0; time < 2; time += 1) expect(await cancel(run)).to.deep.equal({ status: 200, body: before })
  })

  it('ends with two cancels at once exactly once', async () => {
    setScript({
      async *answer() {
        yield { type: 'response.started' }
        await never()
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Hi')
    await eventOf(run, 'message.created')
    const answers = await Promise.all([cancel(run), cancel(run), cancel(run)])
    expect(answers.map(({ body }) => body['status'])).to.deep.equal(['cancelled', 'cancelled', 'cancelled'])
    await eventOf(run, 'run.cancelled')
    expect(stream.events.filter((event) => event.name === 'run.cancelled' && event.data['run_id'] === run)).to.have.length(1)
  })

  it('does not wait for a tool that ignores the signal, and reports the unknown outcome to the model', async () => {
    const script = setScript({
      answer: (request) => (request.messages.length === 2 ? calls('tool__read', 'tool__unsafe', 'tool__idempotent') : says('I see.')),
      tool: (name) => (name === 'tool__read' ? Promise.resolve({ content: [{ type: 'text', text: 'seen' }] }) : never()),
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Send it')
    await stream.until(
      (event) => event.data['run_id'] === run && event.name === 'tool_call.started' && event.data['name'] === 'tool__unsafe',
    )
    expect((await cancel(run)).body['status']).to.equal('cancelled')

    await endOf(stream, await ada.post(chat, 'Was it sent?'))
    const results = resultsIn(script.requests[1] ?? expect.fail('no second call'))
    expect(results.map(({ name, outcome, is_error }) => [name, outcome, is_error])).to.deep.equal([
      ['tool__read', undefined, undefined],
      ['tool__unsafe', 'unknown', true],
      ['tool__idempotent', undefined, true],
    ])
    const finished = stream.events.filter((event) => event.data['run_id'] === run && event.name === 'tool_call.finished')
    expect(finished).to.have.length(3)
  })

  it('deletes a chat during a run, with everything that belongs to it', async () => {
    setScript({
      async *answer() {
        yield { type: 'text.delta', part: 0, text: 'So far' }
        await never()
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Talk')
    await eventOf(run, 'text.delta')
    expect((await ada.request('DELETE', `/api/chats/${chat}`)).status).to.equal(204)
    for (const path of [`/api/chats/${chat}`, `/api/chats/${chat}/messages`, `/api/runs/${run}`]) {
      expect((await ada.request('GET', path)).status, path).to.equal(404)
    }
    expect((await ada.request('DELETE', `/api/chats/${chat}`)).status).to.equal(404)
  })

  it('refuses messages to a chat that is being deleted', async () => {
    const gate = createGate()
    setScript({
      async *answer() {
        await gate.opened
        yield* says('Late.')
      },
    })
    const chat = await ada.newChat()
    await ada.post(chat, 'One')
    const post = () => ada.request('POST', `/api/chats/${chat}/messages`, { content: 'More' })
    const deletion = ada.request('DELETE', `/api/chats/${chat}`)
    // Until the chat is marked, messages may still come.
    while ((await post()).status === 202);
    for (const { status } of await Promise.all([post(), post(), post()])) expect(status).to.be.oneOf([404, 409])
    gate.open()
    expect((await deletion).status).to.equal(204)
    expect((await ada.request('GET', `/api/chats/${chat}/messages`)).status).to.equal(404)
  })
})
