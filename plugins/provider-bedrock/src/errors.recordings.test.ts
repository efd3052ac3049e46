import { outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'

const kinds: Readonly<Record<string, readonly [failure: string, code: string]>> = {
  'otel--botocore-test-converse-stream-with-invalid-model': ['model_not_found', 'validationexception'],
  'otel--botocore-test-converse-with-invalid-model': ['model_not_found', 'validationexception'],
  'ruby--eal-error-scenarios-bedrock-amazon-nova-2-lite-v1-0-handles-context-length-exceeded-errors': [
    'context_overflow',
    'validationexception',
  ],
  'ruby--error-handling-with-bedrock-amazon-nova-2-lite-v1-0-raises-appropriate-auth-error': [
    'authentication',
    'unrecognizedclientexception',
  ],
}

describe('refusals of Bedrock as they were recorded', () => {
  const adapter = createTestAdapter()
  const errors = openProviderRecordings(process.env['FIXTURES_DIR'])
    .below('errors')
    .filter(({ url }) => url?.includes('bedrock-runtime'))
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  it('are all known', () => {
    expect(errors.map(({ name }) => name.replace('errors/', '')).sort()).to.deep.equal(Object.keys(kinds).sort())
  })

  for (const recording of errors) {
    const [failure, code] = kinds[recording.name.replace('errors/', '')] ?? []
    it(`${recording.name}: ${failure}`, async () => {
      replay = { status: recording.status, headers: recording.headers, pieces: [recording.bytes] }
      const { error, events } = await outcomeOf(adapter, converseRequest(server.baseUrl))
      expect(events).to.deep.equal([])
      expect(error?.details).to.include({ failure, retryable: false, httpStatus: recording.status, providerCode: code })
      expect(error?.details['reason']).to.equal((recording.documents[0] as { readonly message: string }).message)
    })
  }
})
