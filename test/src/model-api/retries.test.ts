import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import OpenAI from 'openai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type Script, says, setScript } from '../agents/support/scripted-plugin.js'
import { errorOf } from './support/openai-kernel.js'

const agent = 'agent/talker'
const hello = (content: string) => [{ role: 'user' as const, content }]
const failure = (kind: 'overloaded' | 'authentication') =>
  providerError.create({ failure: kind, retryable: false, connection: 'upstream', model: 'm', reason: `It was ${kind}.` })

/** A model that fails so many times and then says hello. */
const failing = (kind: 'overloaded' | 'authentication', times: number): Script =>
  setScript({
    async *answer(request) {
      if (script().requests.length <= times) throw failure(kind)
      yield* says(`Hello, ${request.messages.length}.`)
    },
  })

let current: Script
const script = () => current

describe('a request that is sent again', () => {
  let agents: AgentsKernel
  let ada: Person
  let apiKey: string

  const client = (maxRetries = 2): OpenAI => new OpenAI({ baseURL: `${agents.kernel.url}/v1`, apiKey, maxRetries })
  const chats = async () => (await ada.request('GET', '/api/chats?limit=200')).body['items'] as { id: string; branch_count: number }[]
  /** Posts without a client that retries by itself. */
  const post = (
    body: object,
    headers: Readonly<Record<string, string>>,
    options: { readonly key?: string; readonly signal?: AbortSignal } = {},
  ) =>
    fetch(`${agents.kernel.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.key ?? apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    })
  const answerOf = async (response: Response): Promise<string> => {
    const body = (await response.json()) as {
      readonly choices?: readonly { readonly message: { readonly content: string } }[]
      readonly error?: { readonly code: string }
    }
    return body.choices?.[0]?.message.content ?? `${response.status} ${body.error?.code}`
  }
  const count = (number: number) => ({ 'x-stainless-retry-count': `${number}` })

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    expect((await ada.request('POST', '/api/agents', { handle: 'talker', name: 'Talker' })).status).to.equal(201)
    const made = await ada.request('POST', '/api/auth/tokens', { name: 'openai', scopes: ['read', 'write', 'inference'] })
    apiKey = String(made.body['token'])
  })
  after(() => agents?.close())

  it('is not if its vendor refuses the credential: one call, one chat', async () => {
    const before = (await chats()).length
    for (const model of [agent, 'primary'])
      for (const stream of [false, true]) {
        current = failing('authentication', 100)
        const error = await errorOf(client().chat.completions.create({ model, stream, messages: hello(`Refused ${model} ${stream}`) }))
        expect([error.status, error.code, error.type]).to.deep.equal([403, 'upstream_authentication_failed', 'permission_error'])
        expect(error.headers?.get('x-should-retry')).to.equal('false')
        expect(current.requests, model).to.have.length(1)
      }
    expect((await chats()).length - before).to.equal(2)
  })

  it('by the official client stays in the chat of an agent whose run failed', async () => {
    const before = new Set((await chats()).map(({ id }) => id))
    current = failing('overloaded', 2)
    const completion = await client().chat.completions.create({ model: agent, messages: hello('Twice') })
    expect(completion.choices[0]?.message.content).to.match(/^Hello/)
    expect(current.requests).to.have.length(3)
    const fresh = (await chats()).filter(({ id }) => !before.has(id))
    expect(fresh.map(({ branch_count: branches }) => branches)).to.deep.equal([3])
    current = setScript({ answer: () => says('Go on.') })
    const history = [...hello('Twice'), { role: 'assistant' as const, content: completion.choices[0]?.message.content ?? '' }]
    await client().chat.completions.create({ model: agent, messages: [...history, ...hello('And now?')] })
    expect(
      (await chats()).filter(({ id }) => !before.has(id)),
      'its conversation goes on',
    ).to.have.length(1)
  })

  it('follows the run that is under way, which goes on when the first request leaves', async () => {
    const before = (await chats()).length
    let goOn: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    current = setScript({
      async *answer() {
        yield { type: 'text.delta', part: 0, text: 'Slow' }
        begin()
        await held
        yield* says('Slow', 'ly.')
      },
    })
    const leaving = new AbortController()
    const body = { model: agent, stream: true, messages: hello('Hold on') }
    const first = await post(body, count(0), { signal: leaving.signal })
    await begun
    const second = await post(body, count(1))
    leaving.abort()
    await first.body?.cancel().catch(() => undefined)
    goOn()
    const text = await second.text()
    expect(text).to.contain('[DONE]').and.contain('Slow').and.not.contain('"error"')
    expect(current.requests).to.have.length(1)
    expect((await chats()).length - before).to.equal(1)
  })

  it('is answered again in its chat if its client had disconnected', async () => {
    const before = new Set((await chats()).map(({ id }) => id))
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    current = setScript({
      async *answer(_, signal) {
        if (current.requests.length > 1) return yield* says('Whole.')
        yield { type: 'text.delta', part: 0, text: 'Half' }
        begin()
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
      },
    })
    const events = await ada.stream()
    const leaving = new AbortController()
    const body = { model: agent, messages: hello('Lost') }
    const first = post(body, count(0), { signal: leaving.signal }).catch(() => 'gone')
    await begun
    leaving.abort()
    expect(await first).to.equal('gone')
    const cancelled = await events.until(({ name }) => name === 'run.cancelled')
    await endOf(events, String(cancelled.data['run_id']))
    expect(await answerOf(await post(body, count(1)))).to.equal('Whole.')
    expect(await answerOf(await post(body, count(2))), 'the newest run is found').to.equal('Whole.')
    expect(current.requests).to.have.length(2)
    expect((await chats()).filter(({ id }) => !before.has(id))).to.have.length(1)
    events.close()
  })

  it('with an Idempotency-Key finds the run of an agent, also after a restart', async () => {
    const before = (await chats()).length
    current = setScript({ answer: () => says('Only once.') })
    const key = { 'idempotency-key': 'key-1' }
    const body = { model: agent, messages: hello('Once') }
    const both = await Promise.all([post(body, key), post(body, key)])
    expect(await Promise.all(both.map(answerOf))).to.deep.equal(['Only once.', 'Only once.'])
    await agents.restart()
    ada = await agents.person('ada')
    expect(await answerOf(await post(body, key))).to.equal('Only once.')
    expect(current.requests).to.have.length(1)
    expect((await chats()).length - before).to.equal(1)
    expect(await answerOf(await post({ ...body, messages: hello('Other') }, key))).to.equal('400 idempotency_key_reused')
    expect(await answerOf(await post(body, { 'idempotency-key': 'key-2' }))).to.equal('Only once.')
    expect((await chats()).length - before).to.equal(2)
    const invalid = await post(body, { 'idempotency-key': 'two words' })
    expect(await answerOf(invalid)).to.equal('400 invalid_request')
  })

  it('continues the same response of an agent by either id', async () => {
    current = setScript({ answer: () => says('First.') })
    const options = { headers: { 'idempotency-key': 'response-1' } }
    const one = await client().responses.create({ model: agent, input: 'Named' }, options)
    const two = await client().responses.create({ model: agent, input: 'Named' }, options)
    expect([one.output_text, two.output_text, current.requests.length]).to.deep.equal(['First.', 'First.', 1])
    const before = (await chats()).length
    for (const response of [one, two])
      expect((await client().responses.create({ model: agent, input: 'On', previous_response_id: response.id })).output_text).to.equal(
        'First.',
      )
    expect((await chats()).length).to.equal(before)
  })

  describe('to a model group', () => {
    const body = { model: 'primary', messages: hello('Bill me once') }
    const calls = async () => Number(((await ada.request('GET', '/api/usage')).body['items'] as { calls: number }[])[0]?.calls)

    it('is one model call with the request that is under way, and with the one that has just ended', async () => {
      let goOn: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      let begin: () => void = () => undefined
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const before = await calls()
      current = setScript({
        async *answer() {
          begin()
          await held
          yield* says('Once.')
        },
      })
      const first = post(body, count(0))
      await begun
      const second = post(body, count(1))
      // One that streams is another request.
      const streamed = post({ ...body, stream: true }, count(1))
      goOn()
      expect(await answerOf(await first)).to.equal('Once.')
      expect(await answerOf(await second)).to.equal('Once.')
      expect(await (await streamed).text()).to.contain('[DONE]')
      expect(await answerOf(await post(body, count(2)))).to.equal('Once.')
      const again = await (await post({ ...body, stream: true }, count(2))).text()
      expect(again).to.contain('"content":"Once."').and.contain('[DONE]')
      expect(current.requests).to.have.length(2)
      expect((await calls()) - before).to.equal(2)
    })

    it('is a new call for a new request, another token, and after a failure', async () => {
      current = setScript({ answer: () => says('New.') })
      expect(await answerOf(await post(body, count(0)))).to.equal('New.')
      const other = await ada.request('POST', '/api/auth/tokens', { name: 'other', scopes: ['inference'] })
      expect(await answerOf(await post(body, count(1), { key: String(other.body['token']) }))).to.equal('New.')
      expect(current.requests).to.have.length(2)
      current = failing('overloaded', 1)
      expect(await answerOf(await post({ ...body, seed: 1 }, count(0)))).to.equal('503 upstream_unavailable')
      expect(await answerOf(await post({ ...body, seed: 1 }, count(1)))).to.match(/^Hello/)
    })

    it('is the same call with the same Idempotency-Key, which has one body', async () => {
      current = setScript({ answer: () => says('Keyed.') })
      const key = { 'idempotency-key': 'group-1' }
      for (const _ of [1, 2]) expect(await answerOf(await post(body, key))).to.equal('Keyed.')
      expect(current.requests).to.have.length(1)
      expect(await answerOf(await post({ ...body, seed: 2 }, key))).to.equal('400 idempotency_key_reused')
    })
  })
})
