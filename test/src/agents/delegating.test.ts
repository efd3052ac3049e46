import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from './support/agents-kernel.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** An answer that hands tasks to agents: `[handle, task]` each. */
async function* delegates(...tasks: readonly (readonly [string, string])[]): AsyncGenerator<ModelEvent> {
  const content = tasks.map(([agent, task], index) => ({
    ...{ type: 'tool_call' as const, call_id: `vendor-${index}`, name: 'delegate', arguments: { agent, task } },
  }))
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

/** The first words that a person, or an agent in their place, wrote. */
const taskOf = (request: ModelRequest): string => {
  const first = request.messages.find(({ role }) => role === 'user')?.content[0]
  return first?.type === 'text' ? first.text : ''
}
const textsOf = (request: ModelRequest): readonly string[] =>
  resultsIn(request).map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
const isFirst = (request: ModelRequest): boolean => resultsIn(request).length === 0
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

describe('a task that one agent delegates to another', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream
  const ids = new Map<string, string>()

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ drainMs: 3_600_000 })
    ada = await agents.person('ada')
    for (const handle of ['chief', 'helper', 'third', 'fourth', 'fifth']) {
      const agent = { handle, name: handle, tools: ['delegate', 'tool__read', 'tool__unsafe'], approval: { tool__unsafe: 'always' } }
      ids.set(handle, String((await ada.request('POST', '/api/agents', agent)).body['id']))
    }
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  /** What was told before the newest run began. */
  let old: ReadonlySet<unknown> = new Set()
  const begin = async (content: string): Promise<{ readonly chat: string; readonly run: string }> => {
    old = new Set(stream.events)
    const chat = String((await ada.request('POST', '/api/chats', { agent_id: ids.get('chief') })).body['id'])
    return { chat, run: await ada.post(chat, content) }
  }
  const runOf = async (id: string) => (await ada.request('GET', `/api/runs/${id}`)).body
  /** The first event of this name of a run that another one began. */
  const ofChild = (name: string, chat: string) =>
    stream.until(
      (event) => !old.has(event) && event.name === name && ![chat, undefined].includes(event.data['chat_id'] as string | undefined),
    )

  it('is a run of its own in a hidden chat, whose last message is the result', async () => {
    setScript({
      answer: (request) =>
        taskOf(request) === 'Find out'
          ? isFirst(request)
            ? delegates(['helper', 'Count'])
            : says(...textsOf(request))
          : says('It is ', '42.'),
    })
    const { chat, run } = await begin('Find out')
    const started = await ofChild('run.started', chat)
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect(textOf((await ada.messages(chat)).at(-1))).to.equal('It is 42.')
    expect(await runOf(String(started.data['run_id']))).to.include({ status: 'completed', parent_run_id: run, agent_id: ids.get('helper') })
    const hidden = String(started.data['chat_id'])
    const listed = (await ada.request('GET', '/api/chats?limit=200')).body['items'] as readonly { readonly id: string }[]
    expect(listed.map(({ id }) => id))
      .to.include(chat)
      .and.not.include(hidden)
    expect((await ada.request('DELETE', `/api/chats/${chat}`)).status).to.equal(204)
    expect((await ada.request('GET', `/api/chats/${hidden}`)).status).to.equal(404)
  })

  it('begins only once: a repeated call attaches to it', async () => {
    const answer = (hold: boolean) =>
      async function* (request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
        if (taskOf(request) === 'Endure') yield* isFirst(request) ? delegates(['helper', 'Long']) : says(...textsOf(request))
        else {
          yield { type: 'text.delta', part: 0, text: 'Half' }
          if (hold) await untilAborted(signal)
          yield* says('Whole.')
        }
      }
    setScript({ answer: answer(true) })
    const { chat, run } = await begin('Endure')
    const hidden = String((await ofChild('text.delta', chat)).data['chat_id'])
    const seen = stream.events.findLast(({ id }) => id !== undefined)?.id ?? ''
    stream.close()
    // The call is not waited for, which would be for an hour: what it waits for is parked.
    await agents.restart(() => void setScript({ answer: answer(false) }))
    ada = await agents.person('ada')
    stream = await ada.stream({ after: seen })
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect(textOf((await ada.messages(chat)).at(-1))).to.equal('Whole.')
    expect((await ada.messages(hidden)).map(({ role }) => role)).to.deep.equal(['user', 'assistant'])
  })

  it('is cancelled with the run that waits for it', async () => {
    setScript({
      async *answer(request, signal) {
        if (taskOf(request) === 'Stop me') yield* delegates(['helper', 'Go on'])
        yield { type: 'text.delta', part: 0, text: 'I go on' }
        await untilAborted(signal)
      },
    })
    const { chat, run } = await begin('Stop me')
    const child = String((await ofChild('text.delta', chat)).data['run_id'])
    expect((await ada.request('POST', `/api/runs/${run}/cancel`)).body['status']).to.equal('cancelled')
    expect((await endOf(stream, child)).name).to.equal('run.cancelled')
  })

  it('is delegated at most three times, and never to the same agent', async () => {
    const handles = ['helper', 'third', 'fourth', 'fifth']
    const refused: string[] = []
    setScript({
      answer(request) {
        const depth = taskOf(request) === 'Deep' ? 0 : Number(taskOf(request).slice('depth '.length))
        const [result] = textsOf(request)
        if (result?.startsWith('Not done')) refused.push(result)
        if (result !== undefined) return says(`${depth} < ${result.startsWith('Not') ? 'end' : result}`)
        return delegates([depth === 0 ? 'helper' : (handles[depth] ?? ''), `depth ${depth + 1}`])
      },
    })
    const { chat, run } = await begin('Deep')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect(textOf((await ada.messages(chat)).at(-1))).to.equal('0 < 1 < 2 < 3 < end')
    expect(refused).to.have.length(1)
    const script = setScript({ answer: (request) => (isFirst(request) ? delegates(['chief', 'Me'], ['nobody', 'You']) : says('Oh.')) })
    await endOf(stream, (await begin('Myself')).run)
    const [oneself, nobody] = textsOf(script.requests.at(-1) ?? expect.fail('no request'))
    expect(oneself).to.contain('yourself')
    expect(nobody).to.contain('There is no agent “nobody”').and.contain('helper')
  })

  it('is not delegated if a policy forbids it', async () => {
    const text = 'forbid (principal, action == Action::"delegate", resource is Agent) when { context has depth && context.depth > 0 };'
    const added = await ada.request('POST', '/api/admin/policies', { text })
    expect(added.status, JSON.stringify(added.body)).to.equal(201)
    try {
      const script = setScript({ answer: (request) => (isFirst(request) ? delegates(['helper', 'Try']) : says('Oh.')) })
      expect((await endOf(stream, (await begin('Forbidden')).run)).name).to.equal('run.completed')
      expect(script.requests.map(taskOf)).to.deep.equal(['Forbidden', 'Forbidden'])
      expect(resultsIn(script.requests[1] ?? expect.fail('no request'))[0]).to.include({ is_error: true })
      expect(textsOf(script.requests[1] ?? expect.fail('no request'))[0]).to.contain('policies')
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(added.body['id'])}`)
    }
  })

  it('returns its failure as a result on which the agent can act', async () => {
    const script = setScript({
      async *answer(request) {
        if (taskOf(request) !== 'Risk it') throw new TypeError('secret internals')
        yield* isFirst(request) ? delegates(['helper', 'Fail']) : says('I see.')
      },
    })
    expect((await endOf(stream, (await begin('Risk it')).run)).name).to.equal('run.completed')
    const last = script.requests.at(-1) ?? expect.fail('no request')
    expect(resultsIn(last)[0]).to.include({ is_error: true })
    expect(textsOf(last)[0]).to.contain('helper failed').and.not.contain('secret')
  })

  it('may wait for the person, together with the calling run', async () => {
    setScript({
      async *answer(request) {
        if (taskOf(request) === 'Ask first') return yield* isFirst(request) ? delegates(['helper', 'Careful']) : says(...textsOf(request))
        if (!isFirst(request)) return yield* says('Done with care.')
        const call = { type: 'tool_call' as const, call_id: 'x', name: 'tool__unsafe', arguments: {} }
        yield { type: 'response.finished', content: [call], stop_reason: 'tool_calls', usage }
      },
    })
    const { chat, run } = await begin('Ask first')
    const waiting = await ofChild('run.waiting', chat)
    expect((await runOf(run))['status']).to.equal('running')
    const [callId] = waiting.data['asking'] as readonly string[]
    const { status } = await ada.request('POST', `/api/runs/${String(waiting.data['run_id'])}/approvals/${callId}`, { decision: 'approve' })
    expect(status).to.equal(200)
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect(textOf((await ada.messages(chat)).at(-1))).to.equal('Done with care.')
  })

  it('runs besides fifteen others, even if every slot is taken', async () => {
    const numbers = Array.from({ length: 16 }, (_, index) => index)
    let under = 0
    let together: () => void = () => undefined
    const all = new Promise<void>((resolve) => {
      together = resolve
    })
    setScript({
      async *answer(request) {
        if (taskOf(request) === 'Many')
          return yield* isFirst(request) ? delegates(...numbers.map((n) => ['helper', `${n}`] as const)) : says(textsOf(request).join())
        under += 1
        if (under === numbers.length) together()
        await all
        yield* says(`<${taskOf(request)}>`)
      },
    })
    const { chat, run } = await begin('Many')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    expect(textOf((await ada.messages(chat)).at(-1))).to.equal(numbers.map((n) => `<${n}>`).join())

    // As many runs as one user may have going on, each of which waits for another.
    let waiting = 0
    let everyPlace: () => void = () => undefined
    const taken = new Promise<void>((resolve) => {
      everyPlace = resolve
    })
    setScript({
      async *answer(request) {
        if (taskOf(request) !== 'Fill up') return yield* says('Done.')
        if (!isFirst(request)) return yield* says('All done.')
        waiting += 1
        if (waiting === 32) everyPlace()
        await taken
        yield* delegates(['helper', 'Small'])
      },
    })
    const begun = await Promise.all(Array.from({ length: 32 }, () => begin('Fill up')))
    for (const { run: id } of begun) expect((await endOf(stream, id)).name).to.equal('run.completed')
  })
})
