import { outcomeOf, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { rootOf } from './chat/address.js'
import { createTestAdapter } from './test-support/adapter.js'
import { end, ndjson } from './test-support/wire.js'

const addresses: readonly (readonly [string, string])[] = [
  ['', 'http://localhost:11434'],
  ['localhost', 'http://localhost:11434'],
  ['box.lan:9000', 'http://box.lan:9000'],
  ['127.0.0.1:11434', 'http://127.0.0.1:11434'],
  ['box/ollama', 'http://box:11434/ollama'],
  ['[::1]', 'http://[::1]:11434'],
  ['[::1]:9000', 'http://[::1]:9000'],
  ['0.0.0.0:11434', 'http://localhost:11434'],
  ['http://0.0.0.0', 'http://localhost'],
  ['http://localhost:11434/', 'http://localhost:11434'],
  ['http://localhost:11434/v1', 'http://localhost:11434'],
  ['http://localhost:11434/api/', 'http://localhost:11434'],
  ['https://ollama.com', 'https://ollama.com'],
  ['https://proxy.example/team/ollama', 'https://proxy.example/team/ollama'],
]

describe('the address of an Ollama', () => {
  for (const [given, root] of addresses) {
    it(`“${given}” is ${root}`, () => {
      expect(rootOf(given)).to.equal(root)
    })
  }

  const adapter = createTestAdapter()

  it('is called at /api/chat, with a key only where there is one', async () => {
    const server = await startReplayServer(() => ({ headers: ndjson, pieces: [end()] }))
    const bare = server.baseUrl.replace(/^http:\/\//, '').replace(/\/v1$/, '')
    const request = requestTo(bare, { protocol: 'ollama' })
    const { apiKey: _, ...keyless } = request.connection
    expect((await outcomeOf(adapter, request)).error).to.equal(undefined)
    await outcomeOf(adapter, { ...request, connection: keyless })
    await server.close()
    expect(server.seen.map(({ url }) => url)).to.deep.equal(['/api/chat', '/api/chat'])
    expect(server.seen.map(({ headers }) => headers['authorization'])).to.deep.equal(['Bearer sk-test-key-0123456789abcdef', undefined])
  })

  it('at which nothing listens is reported with what to do', async () => {
    const server = await startReplayServer(() => ({ pieces: [] }))
    await server.close()
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama' }))
    expect(error?.details).to.include({ failure: 'transport', retryable: true, providerCode: 'ECONNREFUSED' })
    expect(error?.details['reason']).to.contain('ollama serve').and.contain(server.baseUrl.replace(/\/v1$/, ''))
  })

  it('with a password in it is refused without repeating it', async () => {
    const { error } = await outcomeOf(adapter, requestTo('http://ada:secret@localhost:1', { protocol: 'ollama' }))
    expect(error?.details['failure']).to.equal('bad_request')
    expect(error?.message).to.not.contain('secret')
  })
})
