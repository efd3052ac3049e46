import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import {
  type CallOutcome,
  chunkingsOfRun,
  describeRecordedAnswers,
  eventDocuments,
  type Recording,
  seedOfRun,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createGeminiAdapter } from './adapter.js'
import { geminiRequest } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { geminiRecordings, openProviderRecordings } from './test-support/recordings.js'

const client = createModelClient()
after(() => client.close())

describeRecordedAnswers({
  name: 'gemini, generate content',
  create: () => createGeminiAdapter(client),
  recordings: geminiRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])),
  request: (baseUrl, { kind }) => geminiRequest(baseUrl, { stream: kind !== 'json' }),
  seed: seedOfRun(process.env['SEED']),
  chunkings: chunkingsOfRun(process.env['CHUNKINGS']),
  everyByteUpTo: 1_500,
  check,
  completeFrom: (recording) => (recording.kind === 'json' || isFailing(recording) ? undefined : endOfStream(recording)),
})

function isFailing({ name }: Recording): boolean {
  return name.includes('midstream-error')
}

function check(outcome: CallOutcome, recording: Recording): void {
  if (isFailing(recording)) {
    expect(outcome.text).to.equal('Partial ans')
    expect(outcome.error?.details).to.include({ failure: 'overloaded', retryable: true, httpStatus: 503, providerCode: 'unavailable' })
  } else if (recording.status >= 300) checkRefused(outcome, recording)
  else checkWhole(outcome, recording)
}

function checkWhole({ finished, error, text, reasoning }: CallOutcome, recording: Recording): void {
  const expected = expectationOf(recording.documents)
  expect(error?.message).to.equal(undefined)
  const content = finished?.content ?? []
  expect(text).to.equal(expected.text)
  expect(reasoning).to.equal(expected.reasoning)
  expect(content.map((part) => (part.type === 'text' ? part.text : '')).join('')).to.equal(expected.text)
  const calls = content.filter((part) => part.type === 'tool_call')
  expect(calls.map((call) => ({ name: call.name, arguments: call.arguments }))).to.deep.equal(expected.calls)
  expect(new Set(calls.map((call) => call.provider_call_id)).size).to.equal(calls.length)
  expect(content.flatMap(signatureOf)).to.deep.equal(expected.signatures)
  expect(finished?.raw_stop_reason).to.equal(expected.finish ?? 'STOP')
  expect(finished?.stop_reason).to.equal(calls.length > 0 ? 'tool_calls' : 'stop')
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output, reasoning_tokens: thought } = finished?.usage ?? {}
  expect({ input, cached, output, reasoning: thought }).to.deep.equal(expected.usage)
}

function signatureOf(part: ContentPart): readonly string[] {
  const data = 'opaque' in part ? (part.opaque?.data as { readonly thoughtSignature?: string } | undefined) : undefined
  return data?.thoughtSignature === undefined ? [] : [data.thoughtSignature]
}

function checkRefused({ events, error }: CallOutcome, recording: Recording): void {
  const body = recording.documents[0] as { readonly error: { readonly message: string } }
  expect(events).to.deep.equal([])
  expect(error?.details).to.include({ failure: 'rate_limited', retryable: true, retryAfterMs: 34_400, reason: body.error.message })
}

/** The first offset at which the chunk with the reason is complete, found by a simple scan. */
function endOfStream(recording: Recording): number {
  const text = new TextDecoder('latin1').decode(recording.bytes)
  for (const { 0: end, index } of text.matchAll(/\r?\n\r?\n/g)) {
    const documents = eventDocuments(text.slice(0, index + end.length))
    if (expectationOf(documents).finish !== undefined) return index + end.length
  }
  throw new Error(`${recording.name} has no end.`)
}
