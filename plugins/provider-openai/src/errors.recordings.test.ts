import { outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { brandQuirks, openProviderRecordings } from './test-support/recordings.js'

interface Expected {
  readonly failure: string
  readonly brand: string
  readonly protocol?: 'responses'
  readonly retryable?: true
  readonly retryAfterMs?: number
}

/** By the middle of the file's name. */
const kinds: Readonly<Record<string, Expected>> = {
  'ollm--openai-test-azure-test-chat-reasoning.1': { failure: 'model_not_found', brand: 'azure' },
  'ollm--openai-test-azure-test-chat-reasoning.2': { failure: 'model_not_found', brand: 'azure' },
  'ollm--openai-test-azure-test-chat-reasoning.3': { failure: 'model_not_found', brand: 'azure' },
  'ollm--openai-test-vision-test-vision-with-events-with-content.2': { failure: 'bad_request', brand: 'openai' },
  'ollm--openai-test-vision-test-vision-with-events-with-no-content.2': { failure: 'bad_request', brand: 'openai' },
  'ollm--openai-test-vision-test-vision.2': { failure: 'bad_request', brand: 'openai' },
  'otel--openai-v2-test-async-chat-completion-404': { failure: 'model_not_found', brand: 'openai' },
  'otel--openai-v2-test-chat-completion-404': { failure: 'model_not_found', brand: 'openai' },
  'otel--openai-v2-test-responses-create-api-error-content-mode0': { failure: 'model_not_found', brand: 'openai', protocol: 'responses' },
  'ruby--error-handling-with-azure-grok-4-1-fast-non-reasoning-raises-appropriate-auth-error': {
    failure: 'authentication',
    brand: 'azure',
  },
  'ruby--error-handling-with-deepseek-deepseek-chat-raises-appropriate-auth-error': { failure: 'authentication', brand: 'deepseek' },
  'ruby--error-handling-with-mistral-mistral-small-latest-raises-appropriate-auth-error': { failure: 'authentication', brand: 'mistral' },
  'ruby--error-handling-with-ollama-cloud-gpt-oss-120b-raises-appropriate-auth-error': { failure: 'authentication', brand: 'openai' },
  'ruby--error-handling-with-openai-gpt-5-nano-raises-appropriate-auth-error': {
    failure: 'authentication',
    brand: 'openai',
    protocol: 'responses',
  },
  'ruby--error-handling-with-openrouter-claude-haiku-4-5-raises-appropriate-auth-error': { failure: 'authentication', brand: 'openrouter' },
  'ruby--error-handling-with-perplexity-sonar-raises-appropriate-auth-error': { failure: 'authentication', brand: 'perplexity' },
  'ruby--error-handling-with-xai-grok-4-1-fast-non-reasoning-raises-appropriate-auth-error': {
    failure: 'authentication',
    brand: 'xai',
    protocol: 'responses',
  },
  'ruby--l-error-scenarios-azure-grok-4-1-fast-non-reasoning-handles-context-length-exceeded-errors': {
    failure: 'rate_limited',
    brand: 'azure',
    retryable: true,
    // Beside `retry-after-ms: 0`, which is ignored.
    retryAfterMs: 1_000,
  },
  'ruby--real-error-scenarios-deepseek-deepseek-chat-handles-context-length-exceeded-errors': {
    failure: 'context_overflow',
    brand: 'deepseek',
  },
  'ruby--real-error-scenarios-ollama-cloud-gpt-oss-120b-handles-context-length-exceeded-errors': {
    failure: 'context_overflow',
    brand: 'openai',
  },
  'ruby--real-error-scenarios-openai-gpt-5-nano-handles-context-length-exceeded-errors': {
    failure: 'context_overflow',
    brand: 'openai',
    protocol: 'responses',
  },
  'ruby--real-error-scenarios-openrouter-claude-haiku-4-5-handles-context-length-exceeded-errors': {
    failure: 'context_overflow',
    brand: 'openrouter',
  },
  'ruby--real-error-scenarios-perplexity-sonar-handles-context-length-exceeded-errors': {
    failure: 'context_overflow',
    brand: 'perplexity',
  },
}

describe('refusals as they were recorded', () => {
  const adapter = createTestAdapter()
  const recordings = openProviderRecordings(process.env['FIXTURES_DIR']).below('errors')
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  it('are complete for this family', () => {
    const ours = recordings.filter(({ url }) => /\/(chat\/completions|responses)(\?|$)/.test(url ?? ''))
    expect(ours.map(({ name }) => name.slice('errors/'.length)).sort()).to.deep.equal(Object.keys(kinds).sort())
  })

  for (const [name, { failure, brand, protocol = 'completions', retryable = false, retryAfterMs }] of Object.entries(kinds)) {
    it(`${name}: ${failure}, asked once`, async () => {
      const recording = recordings.find((candidate) => candidate.name === `errors/${name}`)
      if (!recording) throw new Error(`${name} is not there.`)
      replay = { status: recording.status, headers: recording.headers, pieces: [recording.bytes] }
      const before = server.seen.length
      const { error, events } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol, quirks: brandQuirks(brand) }))
      expect(events).to.deep.equal([])
      expect(error?.details).to.include({ failure, retryable, httpStatus: recording.status })
      expect(error?.details['retryAfterMs']).to.equal(retryAfterMs)
      const said = JSON.stringify(recording.documents[0])
      expect(said).to.contain(JSON.stringify(error?.details['reason']).slice(1, 40))
      expect(server.seen.length - before).to.equal(1)
    })
  }
})
