import type { JsonObject } from '@agent-service/sdk'
import {
  bytesOf,
  createRandom,
  cutRandomly,
  outcomeOf,
  type Replay,
  type ReplayServer,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, geminiRequest } from './test-support/adapter.js'
import { geminiRecordings, openProviderRecordings } from './test-support/recordings.js'
import { streamOf } from './test-support/wire.js'

type Objects = readonly JsonObject[]

describe('an answer in one piece and the same answer streamed, generate content', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  const recordings = geminiRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answers = recordings.filter(({ kind, status }) => kind === 'json' && status < 300)
  it('are there', () => {
    expect(answers.length).to.be.greaterThan(8)
  })
  for (const recording of answers) {
    it(`${recording.name}: the last event is the same (seed ${seed})`, async () => {
      replay = { headers: { 'content-type': 'application/json' }, pieces: [recording.bytes] }
      const whole = await outcomeOf(adapter, geminiRequest(server.baseUrl, { stream: false }))
      replay = { pieces: cutRandomly(streamOf(...chunksOf(recording.documents[0] as JsonObject, random)), random) }
      const streamed = await outcomeOf(adapter, geminiRequest(server.baseUrl))
      expect(whole.finished).to.not.equal(undefined)
      expect(streamed.finished).to.deep.equal(whole.finished)
    })
  }

  for (const recording of recordings.filter(({ kind, name }) => kind === 'sse' && !name.includes('midstream'))) {
    it(`${recording.name}: the same as a list of its chunks, as sent without alt=sse`, async () => {
      replay = { pieces: [recording.bytes] }
      const streamed = await outcomeOf(adapter, geminiRequest(server.baseUrl))
      replay = {
        headers: { 'content-type': 'application/json; charset=UTF-8' },
        pieces: [bytesOf(JSON.stringify(recording.documents, null, 2))],
      }
      const listed = await outcomeOf(adapter, geminiRequest(server.baseUrl))
      expect(listed.finished).to.deep.equal(streamed.finished)
      expect(listed.text).to.equal(streamed.text)
      expect(listed.events[0]).to.not.have.property('in_one_piece')
    })
  }
})

/**
 * The stream that the vendor would have sent for an answer: texts without a signature in pieces,
 * every other part whole, a few of them a chunk.
 */
function chunksOf(answer: JsonObject, random: () => number): Objects {
  const { candidates, usageMetadata, ...root } = answer
  const { content, finishReason, ...rest } = (candidates as Objects)[0] ?? {}
  const parts = (((content as JsonObject | undefined)?.['parts'] ?? []) as Objects).flatMap((part) => piecesOf(part, random))
  const chunks: JsonObject[] = []
  for (let start = 0; start < parts.length; ) {
    const count = 1 + Math.floor(random() * 2)
    chunks.push({
      ...root,
      candidates: [{ content: { role: 'model', parts: parts.slice(start, start + count) }, index: 0 }],
      usageMetadata: { promptTokenCount: 1 },
    })
    start += count
  }
  return [
    ...chunks,
    {
      ...root,
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, ...(finishReason !== undefined && { finishReason }), ...rest }],
      usageMetadata: usageMetadata ?? {},
    },
  ]
}

function piecesOf(part: JsonObject, random: () => number): Objects {
  if (typeof part['text'] !== 'string' || part['thoughtSignature'] !== undefined) return [part]
  const pieces: JsonObject[] = []
  for (let rest = Array.from(part['text']); rest.length > 0; ) {
    const length = 1 + Math.floor(random() * 40)
    pieces.push({ ...part, text: rest.slice(0, length).join('') })
    rest = rest.slice(length)
  }
  return pieces
}
