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
import { createTestAdapter } from './test-support/adapter.js'
import { openProviderRecordings } from './test-support/recordings.js'
import { line, ndjson } from './test-support/wire.js'

interface Answer {
  readonly message: { readonly content: string; readonly thinking?: string; readonly tool_calls?: readonly JsonObject[] }
  readonly [name: string]: unknown
}

describe('an answer in one piece and the same answer streamed', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  for (const recording of library.below('ollama-chat').filter(({ kind }) => kind === 'json')) {
    it(`${recording.name}: the last event is the same (seed ${seed})`, async () => {
      const request = requestTo(server.baseUrl, { protocol: 'ollama' })
      replay = { headers: { 'content-type': 'application/json' }, pieces: [recording.bytes] }
      const whole = await outcomeOf(adapter, { ...request, stream: false })
      const stream = Buffer.concat(streamOf(recording.documents[0] as unknown as Answer, random).map(line))
      replay = { headers: ndjson, pieces: cutRandomly(stream, random) }
      const streamed = await outcomeOf(adapter, request)
      expect(whole.finished).to.not.equal(undefined)
      expect(streamed.finished).to.deep.equal(whole.finished)
    })
  }
})

/** The stream that the server would send for an answer, in pieces of random length. */
function streamOf({ message, ...rest }: Answer, random: () => number): readonly JsonObject[] {
  const part = (members: JsonObject): JsonObject => ({
    model: String(rest['model']),
    message: { role: 'assistant', ...members },
    done: false,
  })
  return [
    ...piecesOf(message.thinking ?? '', random).map((thinking) => part({ content: '', thinking })),
    ...piecesOf(message.content, random).map((content) => part({ content })),
    ...(message.tool_calls ?? []).map((call) => part({ content: '', tool_calls: [call] })),
    { ...(rest as JsonObject), message: { role: 'assistant', content: '' } },
  ]
}

function piecesOf(text: string, random: () => number): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const length = 1 + Math.floor(random() * 12)
    pieces.push(text.slice(start, start + length))
    start += length
  }
  return pieces
}
