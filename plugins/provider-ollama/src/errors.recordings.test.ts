import { outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'

/**
 * Refusals of the hosted service, which were recorded through its other interface; the words are
 * the same.
 */
const kinds: Readonly<Record<string, string>> = {
  'errors/ruby--error-handling-with-ollama-cloud-gpt-oss-120b-raises-appropriate-auth-error.response.json': 'authentication',
  'errors/ruby--real-error-scenarios-ollama-cloud-gpt-oss-120b-handles-context-length-exceeded-errors.response.json': 'context_overflow',
}

describe('refusals of Ollama as they were recorded', () => {
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  for (const [file, failure] of Object.entries(kinds)) {
    it(`${file.slice('errors/'.length)}: ${failure}`, async () => {
      const recording = library.at(file)
      replay = { status: recording.status, headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      const { error, events } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'ollama' }))
      expect(events).to.deep.equal([])
      expect(error?.details).to.include({ failure, retryable: false, httpStatus: recording.status })
      const { message } = (recording.documents[0] as { readonly error: { readonly message: string } }).error
      expect(error?.details['reason']).to.equal(message)
    })
  }
})
