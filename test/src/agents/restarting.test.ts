import { expect } from 'chai'
import { type AgentsKernel, endOf, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { createClientView } from './support/client-view.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const never = (): Promise<never> => new Promise(() => undefined)
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

describe('a restart in the middle of a run', () => {
  let agents: AgentsKernel

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
  })
  after(() => agents?.close())

  it('repeats the model call, and a client that resumes has the text once', async () => {
    setScript({
      async *answer(_, signal) {
        yield { type: 'text.delta', part: 0, text: 'The first half' }
        await untilAborted(signal)
      },
    })
    const ada = await agents.person('ada')
    const stream = await ada.stream()
    const view = createClientView()
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Talk')
    await stream.until((event) => event.name === 'text.delta' && event.data['run_id'] === run)
    for (const event of stream.events) view.apply(event)
    const seen = stream.events.findLast((event) => event.id !== undefined)?.id ?? expect.fail('no id')
    stream.close()

    await agents.restart(() => void setScript({ answer: () => says('Something ', 'else.') }))
    const again = await agents.person('ada')
    const resumed = await again.stream({ after: seen })
    expect((await endOf(resumed, run)).name).to.equal('run.completed')
    const names = resumed.events.map((event) => event.name)
    expect(names).to.not.include('reset')
    const first = resumed.events.find((event) => event.name === 'run.started')
    const answer = (await again.messages(chat)).at(-1)
    expect(first?.data['void']).to.deep.equal({ message_id: answer?.id, part: 0, offset: 0 })
    for (const event of resumed.events) view.apply(event)
    expect(textOf(answer)).to.equal('Something else.')
    expect(view.text(answer?.id ?? '')).to.equal('Something else.')
    expect((await again.messages(chat)).length).to.equal(2)
    resumed.close()
  })

  for (const [tool, runs, outcome] of [
    ['tool__read', 2, undefined],
    ['tool__idempotent', 2, undefined],
    ['tool__checkable', 1, undefined],
    ['tool__unsafe', 1, 'unknown'],
  ] as const) {
    it(`continues after a call of ${tool} that was in progress`, async () => {
      const ids: string[] = []
      const answer = (request: Parameters<typeof resultsIn>[0]) => (resultsIn(request).length === 0 ? calls(tool) : says('Done.'))
      setScript({
        answer,
        tool: async (_name, _input, { callId }) => {
          ids.push(callId)
          return never()
        },
      })
      const ada = await agents.person('ada')
      const stream = await ada.stream()
      const chat = await ada.newChat()
      const run = await ada.post(chat, 'Do it')
      const started = await stream.until((event) => event.name === 'tool_call.started' && event.data['run_id'] === run)
      stream.close()

      let script = setScript()
      await agents.restart(() => {
        script = setScript({
          answer,
          probe: async (callId) => (callId === ids[0] ? 'done' : 'unknown'),
          tool: async (_name, _input, { callId }) => {
            ids.push(callId)
            return { content: [{ type: 'text', text: 'done' }] }
          },
        })
      })
      const again = await agents.person('ada')
      const resumed = await again.stream({ after: started.id ?? '' })
      expect((await endOf(resumed, run)).name).to.equal('run.completed')
      const ended = (await again.request('GET', `/api/runs/${run}`)).body
      expect(ended).to.include({ status: 'completed', turns: 2 })
      expect(ids).to.have.length(runs)
      expect(new Set(ids).size, 'one call has one id').to.equal(1)
      const results = resultsIn(script.requests[0] ?? expect.fail('no second call'))
      expect(results.map((result) => result.outcome)).to.deep.equal([outcome])
      expect((await again.messages(chat)).map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant'])
      resumed.close()
    })
  }

  it('in place waits for a call that can neither be interrupted nor repeated, and lets no other one begin after it', async () => {
    const ids: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const answer = (request: Parameters<typeof resultsIn>[0]) => (resultsIn(request).length < 2 ? calls('tool__unsafe') : says('Done.'))
    const tool = async (_name: string, _input: unknown, { callId }: { readonly callId: string }) => {
      ids.push(callId)
      if (ids.length === 1) await held
      return { content: [{ type: 'text' as const, text: 'done' }] }
    }
    setScript({ answer, tool })
    const ada = await agents.person('ada')
    const stream = await ada.stream()
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Do it twice')
    await stream.until((event) => event.name === 'tool_call.started' && event.data['run_id'] === run)
    const before = stream.events.findLast((event) => event.id !== undefined)?.id ?? expect.fail('no id')

    const asked = await ada.request('POST', '/api/admin/restart')
    expect(asked.body).to.deep.include({ status: 'waiting' })
    expect(asked.body['work']).to.include({ calls: 1, resumes: 1 })
    let ordered = false
    const order = agents.kernel.restartOrdered.then(() => {
      ordered = true
    })
    expect((await ada.request('GET', '/api/chats')).status, 'everything goes on').to.equal(200)
    expect(ordered).to.equal(false)
    release()
    await order
    stream.close()
    await agents.restart(() => void setScript({ answer, tool }))
    const again = await agents.person('ada')
    const resumed = await again.stream({ after: before })
    expect((await endOf(resumed, run)).name).to.equal('run.completed')
    expect([ids.length, new Set(ids).size]).to.deep.equal([2, 2])
    const results = (await again.messages(chat)).filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
    expect(results.map((result) => result['outcome'])).to.deep.equal([undefined, undefined])
    resumed.close()
  })
})
