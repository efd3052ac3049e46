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
import { callDelta, callEnd, callStart, citation, contentDelta, contentEnd, contentStart, event, planDelta } from './test-support/wire.js'

interface Answer {
  readonly id: string
  readonly message: {
    readonly content?: readonly { readonly type: 'text' | 'thinking'; readonly text?: string; readonly thinking?: string }[]
    readonly tool_plan?: string
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
    readonly citations?: readonly JsonObject[]
  }
  readonly finish_reason: string
  readonly usage: JsonObject
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

  for (const recording of library.below('cohere-v2-chat').filter(({ kind }) => kind === 'json')) {
    it(`${recording.name}: the last event is the same (seed ${seed})`, async () => {
      const request = requestTo(server.baseUrl, { protocol: 'cohere-chat' })
      replay = { headers: { 'content-type': 'application/json' }, pieces: [recording.bytes] }
      const whole = await outcomeOf(adapter, { ...request, stream: false })
      replay = { pieces: cutRandomly(Buffer.concat(streamOf(recording.documents[0] as unknown as Answer, random)), random) }
      const streamed = await outcomeOf(adapter, request)
      expect(whole.finished).to.not.equal(undefined)
      expect(streamed.finished).to.deep.equal(whole.finished)
    })
  }
})

/** The stream that the vendor would send for an answer, in pieces of random length. */
function streamOf({ id, message, finish_reason, usage }: Answer, random: () => number): readonly Uint8Array[] {
  const contents = (message.content ?? []).flatMap(({ type, text, thinking }, index) => [
    contentStart(index, { type, [type]: '' }),
    ...piecesOf(text ?? thinking ?? '', random).map((piece) => contentDelta(index, { [type]: piece })),
    contentEnd(index),
  ])
  const calls = (message.tool_calls ?? []).flatMap((call, index) => [
    callStart(index, call.id, call.function.name),
    ...piecesOf(call.function.arguments, random).map((piece) => callDelta(index, piece)),
    callEnd(index),
  ])
  return [
    { id, type: 'message-start', delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } } },
    ...piecesOf(message.tool_plan ?? '', random).map(planDelta),
    ...contents,
    ...calls,
    ...(message.citations ?? []).map((each, index) => citation(index, each)),
    { type: 'message-end', delta: { finish_reason, usage } },
  ].map(event)
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
