import { bytesOf, outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { brandQuirks } from '../test-support/recordings.js'
import { azureEndpoint } from './azure-endpoint.js'

const query = { 'api-version': '2024-10-21' }

describe('the address of a cloud tenant', () => {
  const plain = 'https://r.openai.azure.com/openai/deployments/my%20gpt%2F4/chat/completions?api-version=2024-10-21'
  const forms: Readonly<Record<string, string>> = {
    'https://r.openai.azure.com': plain,
    'https://r.openai.azure.com/': plain,
    'https://r.openai.azure.com/openai': plain,
    'https://r.openai.azure.com/openai/deployments': plain,
    'https://r.openai.azure.com/openai/deployments/other':
      'https://r.openai.azure.com/openai/deployments/other/chat/completions?api-version=2024-10-21',
    'https://r.openai.azure.com/openai/deployments/other/chat/completions?api-version=2023-05-15':
      'https://r.openai.azure.com/openai/deployments/other/chat/completions?api-version=2024-10-21',
    'https://r.openai.azure.com/openai/v1/': 'https://r.openai.azure.com/openai/v1/chat/completions',
    'https://r.cognitiveservices.azure.com': plain.replace('openai.azure', 'cognitiveservices.azure'),
    'https://r.services.ai.azure.com': plain.replace('openai.azure', 'services.ai.azure'),
    'https://r.services.ai.azure.com/models': 'https://r.services.ai.azure.com/models/chat/completions?api-version=2024-10-21',
    'https://gateway.example/team/openai':
      'https://gateway.example/team/openai/deployments/my%20gpt%2F4/chat/completions?api-version=2024-10-21',
  }
  for (const [baseUrl, address] of Object.entries(forms)) {
    it(`of “${baseUrl}”`, () => expect(azureEndpoint(baseUrl, 'my gpt/4', query).href).to.equal(address))
  }
})

describe('calls of a cloud tenant', () => {
  const adapter = createTestAdapter()
  const quirks = { ...brandQuirks('azure'), query }
  const sse = (...chunks: readonly string[]): Replay => ({ pieces: chunks.map((chunk) => bytesOf(`data: ${chunk}\n\n`)) })
  const good = sse(
    '{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}',
    '{"choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null}]}',
    '{"choices":[{"index":0,"content_filter_offsets":{"check_offset":1},"content_filter_results":{},"finish_reason":null}]}',
    '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '[DONE]',
  )
  const refused = (error: object, status = 400): Replay => ({
    status,
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify({ error }))],
  })
  let answer: (body: Readonly<Record<string, unknown>>) => Replay = () => good
  let server: ReplayServer
  beforeEach(async () => {
    server = await startReplayServer(({ body }) => answer(JSON.parse(body) as Readonly<Record<string, unknown>>))
  })
  afterEach(() => server.close())
  const bodies = () => server.seen.map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>)
  const baseUrl = () => server.baseUrl.replace('/v1', '')

  it('send the key in its own header, the deployment and the version in the address', async () => {
    answer = () => good
    const { text, error } = await outcomeOf(adapter, requestTo(baseUrl(), { model: 'my-gpt', quirks }))
    expect(error).to.equal(undefined)
    expect(text).to.equal('Hello')
    expect(server.seen[0]?.url).to.equal('/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21')
    expect(server.seen[0]?.headers).to.include({ 'api-key': 'sk-test-key-0123456789abcdef' }).and.not.have.property('authorization')
  })

  it('are sent again without a field that the version does not support, and from then on without it', async () => {
    answer = (body) =>
      'seed' in body ? refused({ message: 'Unrecognized request argument supplied: seed', type: 'invalid_request_error' }) : good
    const request = () => outcomeOf(adapter, requestTo(baseUrl(), { model: 'old', quirks, settings: { seed: 7 } }))
    expect((await request()).finished?.metadata).to.deep.equal({ left_out: ['seed'] })
    expect((await request()).finished?.metadata).to.deep.equal({ left_out: ['seed'] })
    expect(bodies().map((body) => 'seed' in body)).to.deep.equal([true, false, false])
  })

  it('are not confused by a parameter whose name looks like a pattern', async () => {
    answer = (body) => ('a+(b' in body ? refused({ message: 'Unrecognized request argument supplied: a+(b' }) : good)
    const { finished } = await outcomeOf(adapter, requestTo(baseUrl(), { model: 'odd', quirks, extraParams: { 'a+(b': 1 } }))
    expect(finished?.metadata).to.deep.equal({ left_out: ['a+(b'] })
  })

  it('use the deployment’s name of the limit', async () => {
    const error = {
      message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      code: 'unsupported_parameter',
      param: 'max_tokens',
    }
    answer = (body) => ('max_tokens' in body ? refused(error) : good)
    const { text } = await outcomeOf(adapter, requestTo(baseUrl(), { model: 'reasoner', quirks, settings: { max_tokens: 50 } }))
    expect(text).to.equal('Hello')
    expect(bodies()[1]).to.include({ max_completion_tokens: 50 }).and.not.have.property('max_tokens')
  })

  it('fail if the field is essential, or the endpoint refuses it twice', async () => {
    answer = () =>
      refused({ message: "Unsupported value: 'temperature' does not support 0.2", param: 'temperature', code: 'unsupported_value' })
    const one = await outcomeOf(adapter, requestTo(baseUrl(), { model: 'a', quirks, settings: { temperature: 0.2 } }))
    expect(one.error?.details).to.include({ failure: 'bad_request', retryable: false })
    expect(server.seen).to.have.length(1)
    answer = () => refused({ message: 'Unrecognized request argument supplied: seed' })
    const two = await outcomeOf(adapter, requestTo(baseUrl(), { model: 'b', quirks, settings: { seed: 7 } }))
    expect(two.error?.details).to.include({ failure: 'bad_request' })
    expect(server.seen).to.have.length(3)
  })

  it('never silently drop a field of another brand', async () => {
    answer = () => refused({ message: 'Unrecognized request argument supplied: seed' })
    const { error } = await outcomeOf(adapter, requestTo(baseUrl(), { settings: { seed: 7 } }))
    expect(error?.details['reason']).to.contain('seed')
    expect(server.seen).to.have.length(1)
  })

  it('that the filter stopped report that, before the answer and at its end', async () => {
    answer = () =>
      refused({ code: 'content_filter', message: 'The prompt was filtered', innererror: { code: 'ResponsibleAIPolicyViolation' } })
    expect((await outcomeOf(adapter, requestTo(baseUrl(), { quirks }))).error?.details).to.include({
      failure: 'content_filtered',
      retryable: false,
    })
    answer = () => sse('{"choices":[{"index":0,"delta":{"content":"So"},"finish_reason":"content_filter"}]}', '[DONE]')
    expect((await outcomeOf(adapter, requestTo(baseUrl(), { quirks }))).finished?.stop_reason).to.equal('content_filter')
  })
})
