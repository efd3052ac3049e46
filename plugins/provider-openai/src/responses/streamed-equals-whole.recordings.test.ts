import type { JsonObject } from '@agent-service/sdk'
import {
  createRandom,
  cutRandomly,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { openProviderRecordings } from '../test-support/recordings.js'
import { responsesRecordings } from '../test-support/responses-recordings.js'
import { itemEvents, responseEvent } from '../test-support/responses-wire.js'

describe('a response in one piece and the same response streamed', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const wholes = responsesRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])).filter(
    ({ kind, documents }) => kind === 'json' && Array.isArray((documents[0] as JsonObject)['output']),
  )

  it('covers many recordings', () => {
    expect(wholes.length).to.be.greaterThan(18)
  })

  for (const recording of wholes) {
    it(`${recording.name}: the last event is the same, also where the end repeats no items (seed ${seed})`, async () => {
      const answer = recording.documents[0] as JsonObject
      const output = answer['output'] as readonly JsonObject[]
      replay = { headers: { 'content-type': 'application/json' }, pieces: [recording.bytes] }
      const whole = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses', stream: false }))
      expect(whole.finished).to.not.equal(undefined)
      for (const repeated of [output, []]) {
        const events = [
          { type: 'response.created', response: { ...answer, status: 'in_progress', output: [], usage: null } },
          ...output.flatMap((item, index) => itemEvents(index, item, () => 1 + Math.floor(random() * 12))),
          { type: 'response.completed', response: { ...answer, output: repeated } },
        ]
        replay = { pieces: cutRandomly(Buffer.concat(events.map(responseEvent)), random) }
        const streamed = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
        expect(streamed.finished).to.deep.equal(whole.finished)
        expect({ text: streamed.text, reasoning: streamed.reasoning }).to.deep.equal({ text: whole.text, reasoning: whole.reasoning })
      }
    })
  }
})
