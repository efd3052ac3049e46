import { type CallOutcome, chunkingsOfRun, describeRecordedAnswers, type Recording, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { openProviderRecordings } from './test-support/recordings.js'

const stopReasons: Readonly<Record<string, string>> = { COMPLETE: 'stop', MAX_TOKENS: 'length', TOOL_CALL: 'tool_calls' }

describeRecordedAnswers({
  name: 'cohere-v2-chat',
  create: createTestAdapter,
  recordings: openProviderRecordings(process.env['FIXTURES_DIR']).below('cohere-v2-chat'),
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'cohere-chat' }),
  seed: seedOfRun(process.env['SEED']),
  chunkings: chunkingsOfRun(process.env['CHUNKINGS']),
  check,
  completeFrom,
})

function check(outcome: CallOutcome, recording: Recording): void {
  const { finished, error, text, reasoning } = outcome
  const expected = expectationOf(recording.documents)
  expect({ text, reasoning }).to.deep.equal({ text: expected.text, reasoning: expected.reasoning })
  if (recording.truncated) {
    expect(finished).to.equal(undefined)
    expect(error?.details['failure']).to.equal('truncated')
    return
  }
  expect(error?.message).to.equal(undefined)
  const calls = (finished?.content ?? []).filter((part) => part.type === 'tool_call')
  expect(calls.map((call) => ({ id: call.provider_call_id, name: call.name, arguments: call.arguments }))).to.deep.equal(expected.calls)
  expect(finished?.stop_reason).to.equal(stopReasons[expected.finish])
  expect(finished?.raw_stop_reason).to.equal(expected.finish)
  const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = finished?.usage ?? {}
  expect({ input: input_tokens, cached: cached_input_tokens, output: output_tokens, reasoning: reasoning_tokens }).to.deep.equal(
    expected.usage,
  )
  const citations = (finished?.metadata?.['citations'] ?? []) as readonly unknown[]
  expect(citations).to.have.length(expected.citations)
}

/** The offset at which the event `message-end` is complete, found by a simple search. */
function completeFrom({ kind, bytes }: Recording): number | undefined {
  if (kind !== 'sse') return undefined
  const text = Buffer.from(bytes).toString('latin1')
  return text.indexOf('\n\n', text.indexOf('"message-end"')) + 2
}
