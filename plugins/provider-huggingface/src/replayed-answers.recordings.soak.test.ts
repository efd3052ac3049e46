import {
  type CallOutcome,
  chunkingsOfRun,
  createRandom,
  describeRecordedAnswers,
  type Recording,
  requestTo,
  seedOfRun,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { openProviderRecordings } from './test-support/recordings.js'
import { streamedRecording } from './test-support/streamed-recording.js'

const seed = seedOfRun(process.env['SEED'])
const random = createRandom(seed)
const recordings = openProviderRecordings(process.env['FIXTURES_DIR']).below('openai-compat/huggingface')

describeRecordedAnswers({
  name: 'huggingface',
  create: createTestAdapter,
  recordings: recordings.flatMap((recording) => [recording, streamedRecording(recording, random)]),
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'huggingface' }),
  seed,
  chunkings: chunkingsOfRun(process.env['CHUNKINGS']),
  check,
  completeFrom,
})

function check({ finished, error, text, reasoning }: CallOutcome, recording: Recording): void {
  const expected = expectationOf(recording.documents[0])
  expect(error?.message).to.equal(undefined)
  expect({ text, reasoning }).to.deep.equal({ text: expected.text, reasoning: expected.reasoning })
  const calls = (finished?.content ?? []).filter((part) => part.type === 'tool_call')
  expect(calls.map((call) => ({ id: call.provider_call_id, name: call.name, arguments: call.arguments }))).to.deep.equal(expected.calls)
  expect(finished?.stop_reason).to.equal(expected.finish)
  expect(finished?.raw_stop_reason).to.equal(expected.finish)
  expect(finished?.usage).to.deep.equal({
    input_tokens: expected.input,
    cached_input_tokens: 0,
    output_tokens: expected.output,
    reasoning_tokens: 0,
  })
}

/** The offset at which the event with the finish reason is complete, found by a simple search. */
function completeFrom({ kind, bytes }: Recording): number | undefined {
  if (kind !== 'sse') return undefined
  const text = Buffer.from(bytes).toString('latin1')
  return text.indexOf('\n\n', text.indexOf('"finish_reason":"')) + 2
}
