import {
  type CallOutcome,
  describeRecordedAnswers,
  outcomeOf,
  type Recording,
  requestTo,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { openProviderRecordings } from '../test-support/recordings.js'
import { responsesExpectationOf } from '../test-support/responses-expectation.js'
import { brokenRecording, responsesRecordings } from '../test-support/responses-recordings.js'

const stopReasons: Readonly<Record<string, string>> = { completed: 'stop', max_output_tokens: 'length', content_filter: 'content_filter' }

const library = openProviderRecordings(process.env['FIXTURES_DIR'])
const recordings = responsesRecordings(library)
const isFailure = ({ documents }: Recording): boolean => /"type":"(error|response\.failed)"|^\[\{"error":\{/.test(JSON.stringify(documents))
const answers = recordings.filter((recording) => recording.status < 300 && !isFailure(recording))

describe('recordings of the responses protocol', () => {
  it('are those of four vendors', () => {
    expect(answers.length).to.be.greaterThan(30)
    for (const place of ['openai-responses', 'xai-responses', 'azure-openai', 'copilot'])
      expect(answers.map(({ name }) => name).join()).to.contain(place)
  })

  const adapter = createTestAdapter()
  it('of errors end with that error', async () => {
    const failing = recordings.filter((recording) => recording.status < 300 && isFailure(recording))
    expect(failing.map(({ name }) => name)).to.deep.equal(['openai-responses/vercel--openai-error.1'])
    for (const { bytes } of failing) {
      const { error, finished } = await replayed(adapter, bytes)
      expect(finished).to.equal(undefined)
      expect(error?.details).to.include({ failure: 'quota_exceeded', retryable: false, providerCode: 'insufficient_quota' })
    }
  })

  it('with invalid JSON in an event fail without a call', async () => {
    const { error, events } = await replayed(adapter, library.at(brokenRecording).bytes)
    expect(error?.details).to.include({ failure: 'invalid_response', retryable: true })
    expect(events).to.deep.equal([])
  })
})

async function replayed(adapter: ReturnType<typeof createTestAdapter>, bytes: Uint8Array): Promise<CallOutcome> {
  const server = await startReplayServer(() => ({ pieces: [bytes] }))
  try {
    return await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'responses' }))
  } finally {
    await server.close()
  }
}

describeRecordedAnswers({
  name: 'responses',
  create: createTestAdapter,
  recordings: answers,
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'responses' }),
  seed: seedOfRun(process.env['SEED']),
  // 200 chunkings and every byte are in decoded-directly.recordings.soak.test.ts, without the network.
  chunkings: 10,
  everyByteUpTo: 0,
  check,
  completeFrom,
})

function check(outcome: CallOutcome, recording: Recording): void {
  const { finished, error, text, reasoning } = outcome
  const expected = responsesExpectationOf(recording.documents)
  expect({ text, reasoning }).to.deep.equal({ text: expected.text, reasoning: expected.reasoning })
  if (recording.truncated) {
    expect(finished).to.equal(undefined)
    expect(error?.details['failure']).to.equal('truncated')
    return
  }
  expect(error?.message).to.equal(undefined)
  const content = finished?.content ?? []
  const calls = content.filter((part) => part.type === 'tool_call')
  expect(calls.map((call) => ({ id: call.provider_call_id, name: call.name, arguments: call.arguments }))).to.deep.equal(expected.calls)
  const joined = (type: 'text' | 'reasoning'): string => content.map((part) => (part.type === type ? part.text : '')).join('')
  expect({ text: joined('text'), reasoning: joined('reasoning') }).to.deep.equal({ text, reasoning })
  const kept = content.flatMap((part) => (part.type !== 'text' && part.type !== 'image' && part.opaque ? [part.opaque.data] : []))
  expect(JSON.stringify(kept)).to.equal(JSON.stringify(expected.opaque))
  expect(finished?.raw_stop_reason).to.equal(expected.finish)
  expect(finished?.stop_reason).to.equal(expected.calls.length > 0 ? 'tool_calls' : stopReasons[expected.finish])
  const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = finished?.usage ?? {}
  expect({ input: input_tokens, cached: cached_input_tokens, output: output_tokens, reasoning: reasoning_tokens }).to.deep.equal(
    expected.usage,
  )
}

/** The offset at which the last event is complete, found by a simple search. */
function completeFrom({ kind, bytes }: Recording): number | undefined {
  if (kind !== 'sse' || bytes.length > 12_000) return undefined
  const text = Buffer.from(bytes).toString('latin1')
  const last = Math.max(...['completed', 'incomplete'].map((word) => text.lastIndexOf(`"type":"response.${word}"`)))
  return last < 0 ? undefined : text.indexOf('\n\n', last) + 2
}
