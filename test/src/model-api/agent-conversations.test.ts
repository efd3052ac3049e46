import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'

type Messages = OpenAI.Chat.Completions.ChatCompletionMessageParam[]

const model = 'agent/talker'
const user = (content: string) => ({ role: 'user' as const, content })

/** The conversation as the model received it, without the times after a person's message. */
const conversationOf = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap(({ role, content }) => {
    if (role !== 'user' && role !== 'assistant') return []
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    return [`${role}: ${(role === 'user' ? texts.slice(0, -1) : texts).join('|')}`]
  })

describe('the official client, with an agent', () => {
  let agents: AgentsKernel
  let ada: Person
  let apiKey: string

  const client = (): OpenAI => new OpenAI({ baseURL: `${agents.kernel.url}/v1`, apiKey, maxRetries: 0 })
  const chats = async () =>
    (await ada.request('GET', '/api/chats?limit=200')).body['items'] as {
      id: string
      message_count: number
      title: string
      branch_count: number
    }[]
  const begin = async () => new Set((await chats()).map(({ id }) => id))
  const fresh = async (before: ReadonlySet<string>) => (await chats()).filter(({ id }) => !before.has(id))
  const errorOf = async (promise: Promise<unknown>): Promise<APIError> => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof APIError)) throw error ?? new Error('It succeeded.')
    return error
  }
  const say = async (messages: Messages, streamed: boolean): Promise<string> => {
    if (!streamed) return (await client().chat.completions.create({ model, messages })).choices[0]?.message.content ?? ''
    return (await client().chat.completions.stream({ model, messages }).finalChatCompletion()).choices[0]?.message.content ?? ''
  }

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    const made = await ada.request('POST', '/api/agents', {
      ...{ handle: 'talker', name: 'Talker', tools: ['tool__read', 'tool__unsafe', 'ask_user'], approval: { tool__unsafe: 'never' } },
    })
    expect(made.status).to.equal(201)
    apiKey = String(
      (await ada.request('POST', '/api/auth/tokens', { name: 'openai', scopes: ['read', 'write', 'inference'] })).body['token'],
    )
  })
  after(() => agents?.close())

  it('lists the agents with the model groups', async () => {
    const models = (await client().models.list()).data
    expect(models.find(({ id }) => id === model)).to.include({ object: 'model', owned_by: 'agent-service' })
    expect(models.map(({ id }) => id)).to.include('primary')
  })

  for (const streamed of [false, true]) {
    it(`holds a conversation of several turns, ${streamed ? 'streamed' : 'in pieces'}, as one growing chat`, async () => {
      const known = await begin()
      const history: Messages = [{ role: 'system', content: `Be brief (${streamed}).` }]
      for (const [turn, question] of ['One', 'Two', 'Three'].entries()) {
        const script = setScript({
          answer: (request) => (turn === 1 && resultsIn(request).length === 0 ? calls('tool__read') : says('Answer ', `${turn}`)),
        })
        history.push(user(question))
        const answer = await say(history, streamed)
        expect(answer).to.equal(`Answer ${turn}`)
        history.push({ role: 'assistant', content: answer })
        const [chat, ...others] = await fresh(known)
        expect(others).to.deep.equal([])
        expect(chat).to.include({ title: 'One', branch_count: 1, message_count: [2, 6, 8][turn] ?? 0 })
        expect(conversationOf(script.requests.at(-1)).at(turn === 1 ? -2 : -1)).to.equal(
          `user: ${turn === 0 ? `[Instructions of the program that sends this conversation]\nBe brief (${streamed}).\n[End of these instructions]|` : ''}${question}`,
        )
      }
    })
  }

  it('continues the same chat after a restart', async () => {
    const known = await begin()
    setScript({ answer: () => says('Before.') })
    const first = await say([user('Stay')], true)
    await agents.restart()
    ada = await agents.person('ada')
    const script = setScript({ answer: () => says('After.') })
    expect(await say([user('Stay'), { role: 'assistant', content: first }, user('Still there?')], false)).to.equal('After.')
    expect(await fresh(known)).to.have.length(1)
    expect(conversationOf(script.requests[0])).to.deep.equal(['user: Stay', 'assistant: Before.', 'user: Still there?'])
  })

  it('returns the text before and after tools as one answer', async () => {
    for (const streamed of [false, true]) {
      setScript({
        async *answer(request) {
          if (resultsIn(request).length > 0) return yield* says('It ', 'rains.')
          const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
          yield { type: 'text.delta', part: 0, text: 'I look.' }
          const call = { type: 'tool_call' as const, call_id: 'x', name: 'tool__read', arguments: {} }
          yield { type: 'response.finished', content: [{ type: 'text', text: 'I look.' }, call], stop_reason: 'tool_calls', usage }
        },
      })
      expect(await say([user(`Weather ${streamed}?`)], streamed)).to.equal('I look.\n\nIt rains.')
    }
  })

  it('counts all calls of the run', async () => {
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Done.')) })
    const messages = [user('Count')]
    const stream = client().chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
    expect((await stream.finalChatCompletion()).usage).to.deep.include({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
  })

  it('begins a chat with the messages of an unknown conversation', async () => {
    const known = await begin()
    const script = setScript({ answer: () => says('Blue.') })
    const earlier: Messages = [user('My colour is blue.'), { role: 'assistant', content: 'Noted.' }]
    expect(await say([{ role: 'system', content: 'Be kind.' }, ...earlier, user('Which is it?')], false)).to.equal('Blue.')
    expect(conversationOf(script.requests[0])).to.deep.equal([
      'user: [Instructions of the program that sends this conversation]\nBe kind.\n[End of these instructions]|My colour is blue.',
      'assistant: Noted.',
      'user: Which is it?',
    ])
    const [chat] = await fresh(known)
    expect(chat).to.include({ message_count: 4, title: 'Which is it?' })
  })

  it('creates a branch for a repeated question', async () => {
    const known = await begin()
    setScript({ answer: () => says('Hello there.') })
    const history: Messages = [user('Branch me'), { role: 'assistant', content: await say([user('Branch me')], false) }]
    for (const again of ['A', 'B']) {
      const script = setScript({ answer: () => says(again) })
      await say([...history, user(again)], true)
      expect(conversationOf(script.requests[0])).to.deep.equal(['user: Branch me', 'assistant: Hello there.', `user: ${again}`])
    }
    expect((await fresh(known)).map(({ branch_count: count }) => count)).to.deep.equal([2])
  })

  it('does not mix with messages that the person wrote in the chat meanwhile', async () => {
    const known = await begin()
    setScript({ answer: () => says('Hello to you.') })
    const history: Messages = [user('Meanwhile'), { role: 'assistant', content: await say([user('Meanwhile')], false) }]
    const [chat] = await fresh(known)
    const events = await ada.stream()
    await endOf(events, await ada.post(chat?.id ?? '', 'From the console'))
    events.close()
    const script = setScript({ answer: () => says('Apart.') })
    expect(await say([...history, user('From elsewhere')], true)).to.equal('Apart.')
    expect(conversationOf(script.requests[0])).to.deep.equal(['user: Meanwhile', 'assistant: Hello to you.', 'user: From elsewhere'])
    expect((await fresh(known)).map(({ branch_count: count }) => count)).to.deep.equal([2])
  })

  it('begins a new chat if its chat was deleted', async () => {
    const known = await begin()
    setScript({ answer: () => says('Soon gone.') })
    const history: Messages = [user('Forget me'), { role: 'assistant', content: await say([user('Forget me')], false) }]
    const [chat] = await fresh(known)
    expect((await ada.request('DELETE', `/api/chats/${chat?.id}`)).status).to.equal(204)
    const script = setScript({ answer: () => says('Again.') })
    expect(await say([...history, user('Still?')], true)).to.equal('Again.')
    expect(conversationOf(script.requests[0])).to.deep.equal(['user: Forget me', 'assistant: Soon gone.', 'user: Still?'])
    expect((await fresh(known)).map(({ message_count: count }) => count)).to.deep.equal([4])
  })

  it('keeps concurrent conversations apart', async () => {
    const known = await begin()
    const script = setScript({ answer: (request) => says(`To ${conversationOf(request).at(-1)}`) })
    const first = await Promise.all(['a', 'b', 'c', 'd'].map((name) => say([user(`I am ${name}`)], name < 'c')))
    expect(first).to.deep.equal(['a', 'b', 'c', 'd'].map((name) => `To user: I am ${name}`))
    // Two programs with the same messages: neither steers the other's run.
    const same: Messages = [user('I am a'), { role: 'assistant', content: first[0] ?? '' }, user('Go on')]
    expect(await Promise.all([say(same, true), say(same, true), say(same, false)])).to.deep.equal(Array(3).fill('To user: Go on'))
    for (const request of script.requests.slice(4)) {
      expect(conversationOf(request)).to.deep.equal(['user: I am a', 'assistant: To user: I am a', 'user: Go on'])
    }
    expect((await fresh(known)).length).to.be.within(4, 6)
  })

  it('continues a response by its id', async () => {
    const known = await begin()
    setScript({ answer: () => says('First.') })
    const first = await client().responses.create({ model, input: 'Hi', instructions: 'Be brief.' })
    const script = setScript({ answer: () => says('Sec', 'ond.') })
    const second = await client()
      .responses.stream({ model, input: 'And?', previous_response_id: first.id, instructions: 'Be brief.' })
      .finalResponse()
    expect([first.output_text, second.output_text]).to.deep.equal(['First.', 'Second.'])
    expect(conversationOf(script.requests[0]).slice(1)).to.deep.equal(['assistant: First.', 'user: And?'])
    const third = await client().responses.create({ model, input: 'Third?', previous_response_id: second.id })
    expect(third.output_text).to.equal('Second.')
    expect((await fresh(known)).map(({ message_count: count }) => count)).to.deep.equal([6])
    const unknown = await errorOf(client().responses.create({ model, input: 'Hi', previous_response_id: 'resp_nobody' }))
    expect([unknown.status, unknown.code]).to.deep.equal([400, 'previous_response_not_found'])
  })

  it('gets a failure with a status before any output, and as the end of the stream after it', async () => {
    const failing = (text: string) => ({
      async *answer() {
        if (text !== '') yield { type: 'text.delta' as const, part: 0, text }
        throw providerError.create({ failure: 'truncated', retryable: true, connection: 'upstream', model: 'm', reason: 'It was cut.' })
      },
    })
    setScript(failing(''))
    for (const stream of [false, true]) {
      const error = await errorOf(client().chat.completions.create({ model, stream, messages: [user('Fail')] }))
      expect([error.status, error.code]).to.deep.equal([503, 'agent_run_failed'])
      expect(error.message).to.contain('It was cut.')
    }
    setScript(failing('Half an '))
    const seen: string[] = []
    const stream = await client().chat.completions.create({ model, stream: true, messages: [user('Fail later')] })
    const error = await errorOf(
      (async () => {
        for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '')
      })(),
    )
    expect([seen.join(''), error.code]).to.deep.equal(['Half an ', 'agent_run_failed'])
  })

  it('states what it waits for, and takes the next message as the answer', async () => {
    const known = await begin()
    const ask = (request: ModelRequest) => resultsIn(request).length === 0
    setScript({
      async *answer(request) {
        if (!ask(request)) return yield* says('Thank you.')
        const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }
        const call = { type: 'tool_call' as const, call_id: 'x', name: 'ask_user', arguments: { question: 'Which colour?' } }
        yield { type: 'response.finished', content: [call], stop_reason: 'tool_calls', usage }
      },
    })
    const asked = await client().chat.completions.create({ model, messages: [user('Paint it')] })
    expect(asked.choices[0]?.finish_reason).to.equal('stop')
    expect(asked.choices[0]?.message.content).to.contain('Which colour?')
    const history: Messages = [user('Paint it'), { role: 'assistant', content: asked.choices[0]?.message.content ?? '' }, user('Blue')]
    expect(await say(history, true)).to.equal('Thank you.')
    expect(await fresh(known)).to.have.length(1)
  })

  it('cancels the run when it disconnects', async () => {
    const known = await begin()
    setScript({
      async *answer(_, signal) {
        yield { type: 'text.delta', part: 0, text: 'Hi' }
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
      },
    })
    const events = await ada.stream()
    const stream = await client().chat.completions.create({ model, stream: true, messages: [user('Leave')] })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'Hi') break
    const [chat] = await fresh(known)
    const end = await events.until((event) => event.name === 'run.cancelled' && event.data['chat_id'] === chat?.id)
    expect((await endOf(events, String(end.data['run_id']))).name).to.equal('run.cancelled')
    expect(textOf((await ada.messages(chat?.id ?? '')).at(-1))).to.equal('Hi')
    events.close()
  })

  it('gets an error for unsupported settings, and for an unknown agent', async () => {
    setScript()
    const table: readonly (readonly [object, number, string])[] = [
      [{ tools: [{ type: 'function', function: { name: 'x' } }] }, 400, 'tools'],
      [{ stop: 'x' }, 400, 'stop'],
      [{ max_completion_tokens: 5 }, 400, 'max_completion_tokens'],
      [{ response_format: { type: 'json_object' } }, 400, 'response_format'],
      [{ n: 2 }, 400, 'n must be 1'],
      [{ messages: [user('Hi'), { role: 'assistant', content: 'Yes' }] }, 400, 'last message'],
      [{ model: 'agent/nobody' }, 404, 'agent/talker'],
    ]
    for (const [changes, status, text] of table) {
      const error = await errorOf(client().chat.completions.create({ model, messages: [user('Hi')], ...changes } as never))
      expect(error.status, JSON.stringify(changes)).to.equal(status)
      expect(error.message).to.contain(text)
      if (status === 404) expect(error.code).to.equal('model_not_found')
    }
    const neutral = { tools: [], tool_choice: 'auto' as const, response_format: { type: 'text' as const } }
    expect(
      (await client().chat.completions.create({ model, messages: [user('Neutral')], ...neutral })).choices[0]?.message.content,
    ).to.equal('Hello.')
  })

  it('learns which sampling parameters had no effect', async () => {
    setScript()
    const sampling = { temperature: 0.2, top_p: 0.9, seed: 7 }
    const whole = await client()
      .chat.completions.create({ model, messages: [user('Sampled')], ...sampling })
      .withResponse()
    expect(whole.response.headers.get('x-ignored-parameters')).to.equal('temperature, top_p, seed')
    expect(whole.data.choices[0]?.message.content).to.equal('Hello.')
    const streamed = await client().responses.create({ model, input: 'Sampled', stream: true, temperature: 0.2 }).withResponse()
    expect(streamed.response.headers.get('x-ignored-parameters')).to.equal('temperature')
    for await (const event of streamed.data) expect(event.type).to.not.equal('response.failed')
    const plain = await client()
      .chat.completions.create({ model: 'primary', messages: [user('Hi')], ...sampling })
      .withResponse()
    expect(plain.response.headers.get('x-ignored-parameters')).to.equal(null)
  })
})
