import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { outcomeOf, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { completed, created, itemEvents, messageItem, responseEvent } from '../test-support/responses-wire.js'
import { accountAddress } from './account-endpoint.js'

describe('calls of a signed-in account', () => {
  const adapter = createTestAdapter()
  const message = messageItem('Hello')
  let server: ReplayServer
  beforeEach(async () => {
    server = await startReplayServer(() => ({ pieces: [created, ...itemEvents(0, message), completed([])].map(responseEvent) }))
  })
  afterEach(() => server.close())

  const request = (changes: Partial<ModelRequest> = {}): ModelRequest => {
    const made = requestTo(server.baseUrl, { protocol: 'responses', stream: false, ...changes })
    return { ...made, connection: { ...made.connection, accountId: 'account-1' } }
  }

  it('go to the address for accounts instead of the public API', () => {
    expect(accountAddress('https://api.openai.com/v1')).to.equal('https://chatgpt.com/backend-api/codex')
    expect(accountAddress('https://proxy.example/codex')).to.equal('https://proxy.example/codex')
  })

  it('always request a stream, and collect it for a plain answer', async () => {
    const plain = await outcomeOf(adapter, request())
    const streamed = await outcomeOf(adapter, request({ stream: true }))
    expect(plain.finished).to.deep.equal(streamed.finished)
    expect(plain.text).to.equal('Hello')
    for (const { body, headers, url } of server.seen) {
      expect(JSON.parse(body)).to.include({ stream: true, store: false })
      expect(url).to.equal('/v1/responses')
      expect(headers).to.include({
        'chatgpt-account-id': 'account-1',
        authorization: 'Bearer sk-test-key-0123456789abcdef',
        'openai-beta': 'responses=experimental',
        accept: 'text/event-stream',
      })
      expect(headers).to.have.property('originator')
    }
  })

  it('always have instructions and encrypted reasoning, and no refused fields', async () => {
    await outcomeOf(adapter, request({ settings: { max_tokens: 10, temperature: 0.5, top_p: 0.5 } }))
    const body = JSON.parse(server.seen[0]?.body ?? '{}') as Readonly<Record<string, unknown>>
    expect(body).to.not.have.any.keys('max_output_tokens', 'temperature', 'top_p')
    expect(body['instructions']).to.be.a('string').and.not.equal('')
    expect(body['include']).to.deep.equal(['reasoning.encrypted_content'])
    await outcomeOf(adapter, request({ messages: [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }] }))
    expect(JSON.parse(server.seen[1]?.body ?? '{}')).to.include({ instructions: 'Be brief.' })
  })

  it('are refused in completions', async () => {
    const { error } = await outcomeOf(adapter, request({ protocol: 'completions' }))
    expect(error?.details).to.include({ failure: 'bad_request', retryable: false })
    expect(server.seen).to.have.length(0)
  })
})
