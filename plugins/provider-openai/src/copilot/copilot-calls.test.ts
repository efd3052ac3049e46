import { inspect } from 'node:util'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import {
  bytesOf,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  type SeenRequest,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { brandQuirks } from '../test-support/recordings.js'

const gitHubToken = 'gho_0123456789abcdefghij'
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600
const json = (body: JsonObject, status = 200): Replay => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify(body))],
})
const good = json({ choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] })

describe('calls of GitHub Copilot', () => {
  const adapter = createTestAdapter()
  let exchange: (count: number) => Replay = () => json({})
  let call: (request: SeenRequest) => Replay = () => good
  let server: ReplayServer
  let exchanges = 0

  beforeEach(async () => {
    exchanges = 0
    call = () => good
    exchange = (count) => json({ token: `tid=${count};exp=1`, expires_at: inAnHour() })
    server = await startReplayServer((request) => (request.url.endsWith('/token') ? exchange(++exchanges) : call(request)))
  })
  afterEach(() => server.close())

  const request = (changes: Partial<ModelRequest> = {}, key = gitHubToken): ModelRequest => {
    const quirks = { ...brandQuirks('github-copilot'), token_url: `${server.baseUrl}/token` }
    const made = requestTo(server.baseUrl, { stream: false, ...changes, quirks })
    return { ...made, connection: { ...made.connection, brand: 'github-copilot', apiKey: key, quirks } }
  }
  const calls = () => server.seen.filter(({ url }) => !url.endsWith('/token'))

  it('exchange a GitHub token once, even if many begin together, and use the result', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(adapter, request())))
    expect(outcomes.map(({ text }) => text)).to.deep.equal(Array.from({ length: 5 }, () => 'Hello'))
    await outcomeOf(adapter, request({ protocol: 'completions' }))
    expect(exchanges).to.equal(1)
    expect(server.seen.find(({ url }) => url.endsWith('/token'))?.headers).to.include({ authorization: `token ${gitHubToken}` })
    for (const { headers } of calls()) expect(headers).to.include({ authorization: 'Bearer tid=1;exp=1' })
  })

  it('exchange nothing for a token of Copilot', async () => {
    await outcomeOf(adapter, request({}, 'tid=own;exp=9'))
    expect(exchanges).to.equal(0)
    expect(calls()[0]?.headers).to.include({ authorization: 'Bearer tid=own;exp=9' })
  })

  it('exchange again before the token expires', async () => {
    exchange = (count) => json({ token: `tid=${count}`, expires_at: Math.floor(Date.now() / 1_000) + 60 })
    await outcomeOf(adapter, request())
    await outcomeOf(adapter, request())
    expect(calls().map(({ headers }) => headers['authorization'])).to.deep.equal(['Bearer tid=1', 'Bearer tid=2'])
  })

  it('exchange again once when the token is refused', async () => {
    call = ({ headers }) => (headers['authorization'] === 'Bearer tid=1;exp=1' ? json({ error: { message: 'expired' } }, 401) : good)
    expect((await outcomeOf(adapter, request())).text).to.equal('Hello')
    expect(exchanges).to.equal(2)
    call = () => json({ error: { message: 'token expired: tid=3;exp=1' } }, 401)
    const { error } = await outcomeOf(adapter, request())
    expect(error?.details).to.include({ failure: 'authentication', retryable: false })
    expect(exchanges).to.equal(3)
    expect(calls()).to.have.length(4)
    expect(inspect(error, { depth: 20, showHidden: true })).to.not.contain('tid=3')
  })

  it('fail with GitHub’s reason, without either token, and ask again the next time', async () => {
    exchange = () => json({ message: `No access for ${gitHubToken}`, error_details: { message: 'x' } }, 403)
    const { error } = await outcomeOf(adapter, request())
    expect(error?.details).to.include({ failure: 'authentication', retryable: false, httpStatus: 403 })
    expect(error?.details['reason']).to.contain('No access for [redacted]')
    expect(inspect(error, { depth: 20, showHidden: true })).to.not.contain(gitHubToken)
    exchange = () => json({ message: 'Later' }, 503)
    expect((await outcomeOf(adapter, request())).error?.details).to.include({ failure: 'overloaded', retryable: true })
    exchange = () => json({ something: 'else' })
    expect((await outcomeOf(adapter, request())).error?.details).to.include({ failure: 'invalid_response' })
    exchange = () => ({ pieces: [], unanswered: 'destroy' })
    expect((await outcomeOf(adapter, request())).error?.details).to.include({ failure: 'transport', retryable: true })
    expect(calls()).to.have.length(0)
  })

  it('that are aborted during an exchange end at once, and the exchange goes on for others', async () => {
    let finish: (() => void) | undefined
    const asked = new Promise<void>((resolve) => {
      finish = resolve
    })
    exchange = () => {
      finish?.()
      return { pieces: [], unanswered: 'hold' }
    }
    const controller = new AbortController()
    const reason = new Error('stop')
    const running = adapter.call(request(), { signal: controller.signal })[Symbol.asyncIterator]().next()
    await asked
    controller.abort(reason)
    await running.then(
      () => expect.fail('the call continued'),
      (error: unknown) => expect(error).to.equal(reason),
    )
  })

  const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] } as const
  const image = { role: 'user', content: [{ type: 'image', media_type: 'image/png', data: 'AAAA' }] } as const
  const result = { role: 'tool', content: [{ type: 'tool_result', call_id: 'a', name: 'n', content: [] }] } as const
  for (const protocol of ['completions', 'responses']) {
    it(`report in ${protocol} who began the turn, and whether there are images`, async () => {
      if (protocol === 'responses') call = () => json({ status: 'completed', output: [] })
      await outcomeOf(adapter, request({ protocol, messages: [user] }))
      await outcomeOf(adapter, request({ protocol, messages: [image, result] }))
      const [first, second] = calls().map(({ headers }) => headers)
      expect(first).to.include({ 'x-initiator': 'user', 'copilot-integration-id': 'vscode-chat', 'x-github-api-version': '2025-04-01' })
      expect(first).to.have.property('editor-version')
      expect(first).to.not.have.property('copilot-vision-request')
      expect(second).to.include({ 'x-initiator': 'agent', 'copilot-vision-request': 'true' })
      expect(first?.['x-request-id'])
        .to.match(/^[0-9a-f-]{36}$/)
        .and.not.equal(second?.['x-request-id'])
      expect(calls()[0]?.url).to.equal(protocol === 'responses' ? '/v1/responses' : '/v1/chat/completions')
    })
  }

  it('name a model that the account may not use', async () => {
    call = () => json({ error: { message: 'The requested model is not supported.', code: 'model_not_supported' } }, 400)
    expect((await outcomeOf(adapter, request())).error?.details).to.include({ failure: 'model_not_found' })
  })

  it('make one answer of several choices, in one piece or streamed', async () => {
    const piece = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
    const other = { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{"a":2}' } }
    call = () =>
      json({
        choices: [
          { index: 0, message: { content: 'Let me look.' }, finish_reason: 'stop' },
          { index: 1, message: { tool_calls: [piece] }, finish_reason: 'tool_calls' },
          { index: 2, message: { tool_calls: [other] }, finish_reason: 'tool_calls' },
        ],
      })
    const whole = await outcomeOf(adapter, request())
    const chunks: readonly JsonObject[] = [
      { choices: [{ index: 0, delta: { content: 'Let me look.' } }] },
      {
        choices: [
          { index: 0, delta: {}, finish_reason: 'stop' },
          { index: 1, delta: { tool_calls: [{ index: 0, ...piece }] } },
        ],
      },
      { choices: [{ index: 2, delta: { tool_calls: [{ index: 0, ...other }] }, finish_reason: 'tool_calls' }] },
      { choices: [{ index: 1, delta: {}, finish_reason: 'tool_calls' }] },
    ]
    call = () => ({ pieces: [...chunks.map((chunk) => bytesOf(`data: ${JSON.stringify(chunk)}\n\n`)), bytesOf('data: [DONE]\n\n')] })
    const streamed = await outcomeOf(adapter, request({ stream: true }))
    expect(streamed.finished).to.deep.equal(whole.finished)
    expect(whole.finished?.stop_reason).to.equal('tool_calls')
    expect(whole.finished?.content.map(({ type }) => type)).to.deep.equal(['text', 'tool_call', 'tool_call'])
  })

  it('send Copilot’s reasoning back unchanged', async () => {
    call = () =>
      json({ choices: [{ message: { content: 'Yes', reasoning_text: 'Hm', reasoning_opaque: 'b3BhcXVl' }, finish_reason: 'stop' }] })
    const { finished, reasoning } = await outcomeOf(adapter, request())
    expect(reasoning).to.equal('Hm')
    await outcomeOf(adapter, request({ messages: [user, { role: 'assistant', content: finished?.content ?? [] }, user] }))
    const { messages } = JSON.parse(calls().at(-1)?.body ?? '{}') as { readonly messages: readonly JsonObject[] }
    expect(messages[1]).to.include({ content: 'Yes', reasoning_text: 'Hm', reasoning_opaque: 'b3BhcXVl' })
  })
})
