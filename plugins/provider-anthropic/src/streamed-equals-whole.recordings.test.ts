import type { JsonObject } from '@agent-service/sdk'
import {
  createRandom,
  cutRandomly,
  outcomeOf,
  type Replay,
  type ReplayServer,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, messagesRequest } from './test-support/adapter.js'
import { messagesRecordings, openProviderRecordings } from './test-support/recordings.js'
import { streamOf } from './test-support/wire.js'

describe('an answer in one piece and the same answer streamed, messages', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  const recordings = messagesRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
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
      const whole = await outcomeOf(adapter, messagesRequest(server.baseUrl, { stream: false }))
      replay = { pieces: cutRandomly(eventsOf(recording.documents[0] as JsonObject, random), random) }
      const streamed = await outcomeOf(adapter, messagesRequest(server.baseUrl))
      expect(whole.finished).to.not.equal(undefined)
      expect(streamed.finished).to.deep.equal(whole.finished)
    })
  }
})

/** The stream that the vendor would send for an answer, in pieces of random length. */
function eventsOf(answer: JsonObject, random: () => number): Uint8Array {
  const { content, stop_reason, stop_sequence = null, stop_details = null, usage, ...root } = answer
  const blocks = (content as readonly JsonObject[]).flatMap((block, index) => {
    const { start, deltas } = piecesOf(block, random)
    return [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  return streamOf(
    {
      type: 'message_start',
      message: { ...root, content: [], stop_reason: null, stop_sequence: null, usage: { ...(usage as JsonObject), output_tokens: 1 } },
    },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: stop_reason ?? null, stop_sequence, stop_details }, usage: usage ?? {} },
    { type: 'message_stop' },
  )
}

function piecesOf(block: JsonObject, random: () => number): { readonly start: JsonObject; readonly deltas: readonly JsonObject[] } {
  switch (block['type']) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: cutText(block['text'], random).map((text) => ({ type: 'text_delta', text })) }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...cutText(block['thinking'], random).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] ?? '' },
        ],
      }
    case 'tool_use': {
      const text = JSON.stringify(block['input'])
      const pieces = text === '{}' ? [''] : cutText(text, random)
      return { start: { ...block, input: {} }, deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })) }
    }
    default:
      return { start: block, deltas: [] }
  }
}

function cutText(text: unknown, random: () => number): readonly string[] {
  const pieces: string[] = []
  for (let rest = Array.from(String(text)); rest.length > 0; ) {
    const length = 1 + Math.floor(random() * 12)
    pieces.push(rest.slice(0, length).join(''))
    rest = rest.slice(length)
  }
  return pieces
}
