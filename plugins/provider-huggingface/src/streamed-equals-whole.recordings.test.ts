import {
  createRandom,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'
import { streamedRecording } from './test-support/streamed-recording.js'
import { json } from './test-support/wire.js'

describe('an answer in one piece and the same answer streamed', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  for (const recording of openProviderRecordings(process.env['FIXTURES_DIR']).below('openai-compat/huggingface')) {
    it(`${recording.name}: the last event is the same (seed ${seed})`, async () => {
      replay = { headers: json, pieces: [recording.bytes] }
      const whole = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'huggingface', stream: false }))
      replay = { pieces: [streamedRecording(recording, random).bytes] }
      const streamed = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'huggingface' }))
      expect(whole.finished).to.not.equal(undefined)
      expect(streamed.finished).to.deep.equal(whole.finished)
    })
  }
})
