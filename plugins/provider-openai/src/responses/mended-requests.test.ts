import { bytesOf, outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { messageItem, wholeResponse } from '../test-support/responses-wire.js'

type Body = { readonly include?: readonly string[]; readonly reasoning?: { readonly summary?: string; readonly effort?: string } }

describe('a request that is refused because of a default field', () => {
  const adapter = createTestAdapter()
  const good: Replay = {
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify(wholeResponse([messageItem('Hello')])))],
  }
  const refused = (message: string, param: string | null): Replay => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify({ error: { message, param, type: 'invalid_request_error', code: null } }))],
  })
  let answer: (body: Body) => Replay = () => good
  let server: ReplayServer
  beforeEach(async () => {
    server = await startReplayServer(({ body }) => answer(JSON.parse(body) as Body))
  })
  afterEach(() => server.close())
  const quirks = { reasoning_models: 'model' }
  const request = (settings = {}) => outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses', quirks, settings }))

  it('encrypted reasoning of a model that does not reason', async () => {
    answer = ({ include }) => (include ? refused('Encrypted content is not supported with this model.', null) : good)
    expect((await request()).text).to.equal('Hello')
    expect((await request()).text).to.equal('Hello')
    expect(server.seen).to.have.length(3)
  })

  it('a forbidden summary, then reasoning altogether', async () => {
    const words = 'Your organization must be verified to generate reasoning summaries.'
    answer = ({ reasoning }) => (reasoning?.summary ? refused(words, 'reasoning.summary') : good)
    expect((await request({ reasoning_effort: 'low' })).text).to.equal('Hello')
    expect((JSON.parse(server.seen[1]?.body ?? '{}') as Body).reasoning).to.deep.equal({ effort: 'low' })
  })

  it('reasoning that was encrypted for another organisation: once more without it, then it is an error', async () => {
    const words = 'The encrypted content gAAA could not be verified. Reason: it belongs to another organization.'
    answer = (body) => (JSON.stringify(body).includes('gAAA') ? refused(words, null) : good)
    const opaque = {
      vendor: 'openai-responses:custom:model-1',
      data: { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' },
    }
    const content = [{ type: 'reasoning', text: 'Hm', opaque } as const, { type: 'text', text: 'Hi' } as const]
    const again = () => outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses', messages: [{ role: 'assistant', content }] }))
    expect((await again()).text).to.equal('Hello')
    expect(server.seen).to.have.length(2)
    answer = () => refused(words, null)
    expect((await again()).error?.details).to.include({ failure: 'bad_request', retryable: false })
    expect(server.seen).to.have.length(4)
  })

  it('but never the effort that was set', async () => {
    answer = () => refused("Unsupported parameter: 'reasoning.effort' is not supported with this model.", 'reasoning.effort')
    expect((await request({ reasoning_effort: 'low' })).error?.details).to.include({ failure: 'bad_request' })
    expect(server.seen).to.have.length(1)
  })
})
