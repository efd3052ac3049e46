import type { AnswerAssembler } from '@agent-service/sdk/provider-kit'
import {
  type CallOutcome,
  chunkingsOfRun,
  createRandom,
  cutRandomly,
  describeRecordedAnswers,
  outcomeOf,
  type Recording,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createAnswerAssembler } from './converse/assemble-answer.js'
import { createWireNames } from './converse/wire-names.js'
import { createFrameStreamReader } from './event-stream/frame-stream-reader.js'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { decodeFrames } from './test-support/decode-frames.js'
import { expectationOf } from './test-support/expectation.js'
import { converseRecordings, documentsOf, openProviderRecordings } from './test-support/recordings.js'

const timeouts = { connectMs: 30_000, firstTokenMs: 60_000, idleMs: 60_000, totalMs: 60_000 }
const stopReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
}

/** Streams that contain an error, and the failure that they end with. */
const failing: Readonly<Record<string, { readonly failure: string; readonly text: string }>> = {
  'constructed--bad-message-crc': { failure: 'invalid_response', text: '' },
  'constructed--midstream-throttling': { failure: 'rate_limited', text: 'Partial ans' },
}

/** Beyond this size, in bytes, an answer comes over the network at random borders alone. */
const largeFrom = 20_000
const seed = seedOfRun(process.env['SEED'])
const recordings = converseRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])).filter(({ status }) => status < 300)
const isLarge = ({ bytes }: Recording): boolean => bytes.length > largeFrom
const stopOf = (recording: Recording): number | undefined =>
  recording.kind === 'eventstream' ? decodeFrames(recording.bytes).find(({ event }) => event === 'messageStop')?.end : undefined

describeRecordedAnswers({
  name: 'bedrock, Converse',
  create: () => createTestAdapter(),
  recordings: recordings.filter((recording) => !isLarge(recording)),
  seed,
  request: (baseUrl, { kind }) => converseRequest(baseUrl, { stream: kind === 'eventstream', timeouts, model: 'vendor.model-v1:0' }),
  check: checkRecording,
  completeFrom: stopOf,
  // The tests without the network below cover every byte and more chunkings.
  chunkings: 20,
  everyByteUpTo: 700,
})

describe('recorded streams, bedrock, Converse, without the network', () => {
  const streams = recordings.filter((recording) => !recording.truncated && stopOf(recording) !== undefined)
  const adapter = createTestAdapter()
  it('are there', () => expect(streams.filter(isLarge).length).to.be.greaterThan(0))

  for (const recording of streams) {
    const request = converseRequest('http://127.0.0.1/v1', { model: 'vendor.model-v1:0' })
    const assembly = { vendor: 'v', request, names: createWireNames([]), answerTool: undefined }
    const assembled = (pieces: readonly Uint8Array[], look?: (assembler: AnswerAssembler, read: number) => void) => {
      const reader = createFrameStreamReader()
      const assembler = createAnswerAssembler(assembly)
      let read = 0
      for (const piece of pieces) {
        for (const document of reader.feed(piece)) assembler.add(document, [])
        read += piece.length
        look?.(assembler, read)
      }
      reader.end()
      return assembler.finish()
    }

    it(`${recording.name}: byte by byte it is the same, and never stopped before its stop event is complete`, () => {
      const stop = stopOf(recording) ?? Number.NaN
      const single = Array.from(recording.bytes, (_, index) => recording.bytes.subarray(index, index + 1))
      const last = assembled(single, (assembler, read) => {
        if (assembler.stopped !== read >= stop) throw new Error(`stopped: ${assembler.stopped} after ${read} bytes of ${stop}`)
      })
      expect(last).to.deep.equal(assembled([recording.bytes]))
    })

    it(`${recording.name}: at random borders it is the same (seed ${seed})`, () => {
      const random = createRandom(seed)
      const whole = assembled([recording.bytes])
      for (let count = 0; count < chunkingsOfRun(process.env['CHUNKINGS']); count += 1)
        expect(assembled(cutRandomly(recording.bytes, random))).to.deep.equal(whole)
    })

    if (!isLarge(recording)) continue
    it(`${recording.name}: over the network`, async () => {
      const server = await startReplayServer(() => ({
        headers: { 'content-type': recording.contentType },
        pieces: cutRandomly(recording.bytes, createRandom(seed)),
      }))
      try {
        checkRecording(await outcomeOf(adapter, converseRequest(server.baseUrl, { timeouts, model: 'vendor.model-v1:0' })), recording)
      } finally {
        await server.close()
      }
    })
  }
})

function checkRecording({ finished, error, text, reasoning }: CallOutcome, recording: Recording): void {
  const fails = failing[recording.name.split('/').at(-1) ?? '']
  if (fails || recording.truncated) {
    expect(finished).to.equal(undefined)
    expect(error?.details['failure']).to.equal(fails?.failure ?? 'truncated')
    expect(error?.details['retryable']).to.equal(true)
    expect(text).to.equal(fails?.text ?? expectationOf(documentsOf(recording)).text)
    return
  }
  const expected = expectationOf(documentsOf(recording))
  expect(error?.message).to.equal(undefined)
  expect(text).to.equal(expected.text)
  expect(reasoning).to.equal(expected.reasoning)
  const content = finished?.content ?? []
  expect(content.map((part) => (part.type === 'text' ? part.text : '')).join('')).to.equal(expected.text)
  expect(content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')).to.equal(expected.reasoning)
  const calls = content.flatMap((part) => (part.type === 'tool_call' ? [part] : []))
  expect(calls.map((call) => ({ id: call.provider_call_id, name: call.name, arguments: call.arguments }))).to.deep.equal(expected.calls)
  expect(JSON.stringify(content.map((part) => ('opaque' in part ? part.opaque?.data : null)))).to.contain(expected.signature)
  expect(finished?.raw_stop_reason).to.equal(expected.stop)
  expect(finished?.stop_reason).to.equal(stopReasons[expected.stop ?? ''])
  const {
    input_tokens: input,
    cached_input_tokens: cached,
    cache_write_input_tokens: written = 0,
    output_tokens: output,
  } = finished?.usage ?? {}
  expect({ input, cached, written, output }).to.deep.equal(expected.usage)
}
