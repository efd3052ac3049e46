import { type CallOutcome, chunkingsOfRun, describeRecordedAnswers, type Recording, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { openProviderRecordings } from './test-support/recordings.js'

describeRecordedAnswers({
  name: 'ollama-chat',
  create: createTestAdapter,
  recordings: openProviderRecordings(process.env['FIXTURES_DIR']).below('ollama-chat'),
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'ollama' }),
  seed: seedOfRun(process.env['SEED']),
  chunkings: chunkingsOfRun(process.env['CHUNKINGS']),
  check,
  completeFrom,
})

function check(outcome: CallOutcome, recording: Recording): void {
  const { finished, error, text, reasoning } = outcome
  const expected = expectationOf(recording.documents)
  expect({ text, reasoning }).to.deep.equal({ text: expected.text, reasoning: expected.reasoning })
  if (recording.truncated || expected.error !== undefined) {
    expect(finished).to.equal(undefined)
    expect(error?.details['failure']).to.equal(recording.truncated ? 'truncated' : 'overloaded')
    if (expected.error !== undefined) expect(error?.details['reason']).to.equal(expected.error)
    return
  }
  expect(error?.message).to.equal(undefined)
  const calls = (finished?.content ?? []).filter((part) => part.type === 'tool_call')
  expect(calls.map((call) => ({ name: call.name, arguments: call.arguments }))).to.deep.equal(
    expected.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
  )
  for (const [position, { id }] of expected.calls.entries()) if (id !== undefined) expect(calls[position]?.provider_call_id).to.equal(id)
  expect(finished?.stop_reason).to.equal(calls.length > 0 ? 'tool_calls' : expected.finish)
  expect(finished?.raw_stop_reason).to.equal(expected.finish)
  expect(finished?.usage).to.deep.equal({
    input_tokens: expected.input,
    cached_input_tokens: 0,
    output_tokens: expected.output,
    reasoning_tokens: 0,
  })
}

/** The offset at which the line with `done` is complete JSON, with or without a line end. */
function completeFrom({ kind, bytes }: Recording): number | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  const done = text.indexOf('"done":true')
  if (kind !== 'ndjson' || done < 0) return undefined
  const lineEnd = text.indexOf('\n', done)
  return lineEnd < 0 ? bytes.length : lineEnd
}
