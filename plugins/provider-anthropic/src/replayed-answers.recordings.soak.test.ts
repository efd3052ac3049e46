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
import { createAnthropicAdapter } from './adapter.js'
import { messagesRequest } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { messagesRecordings, openProviderRecordings } from './test-support/recordings.js'

const client = createModelClient()
after(() => client.close())

/** Streams without a complete answer, and the failure that they end with. */
const failing: Readonly<Record<string, string>> = {
  'anthropic-messages/constructed--midstream-overloaded': 'overloaded',
  'anthropic-messages/vercel--spliced-message-start': 'invalid_response',
}
const stopReasons: Readonly<Record<string, string>> = { end_turn: 'stop', tool_use: 'tool_calls', refusal: 'refusal' }

describeRecordedAnswers({
  name: 'anthropic, messages',
  create: () => createAnthropicAdapter(client),
  recordings: messagesRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])),
  request: (baseUrl, { kind }) => messagesRequest(baseUrl, { stream: kind !== 'json' }),
  seed: seedOfRun(process.env['SEED']),
  chunkings: chunkingsOfRun(process.env['CHUNKINGS']),
  everyByteUpTo: 1_500,
  check,
  completeFrom: (recording) => (failing[recording.name] || recording.kind === 'json' ? undefined : endOfStream(recording)),
})

function check(outcome: CallOutcome, recording: Recording): void {
  const failure = failing[recording.name]
  if (recording.truncated) checkTruncated(outcome, recording)
  else if (recording.status >= 300) checkRefused(outcome, recording)
  else if (failure !== undefined) checkFailed(outcome, failure)
  else checkWhole(outcome, recording)
}

function checkWhole(outcome: CallOutcome, recording: Recording): void {
  const expected = expectationOf(recording.documents)
  const { finished, error, text, reasoning } = outcome
  expect(error?.message).to.equal(undefined)
  const content = finished?.content ?? []
  expect(text).to.equal(expected.text)
  expect(reasoning).to.equal(expected.reasoning)
  expect(content.map((part) => (part.type === 'text' ? part.text : '')).join('')).to.equal(expected.text)
  const calls = content.filter((part) => part.type === 'tool_call')
  expect(calls.map((call) => ({ id: call.provider_call_id, name: call.name, arguments: call.arguments }))).to.deep.equal(expected.calls)
  const opaque = content.flatMap((part) => (part.type === 'reasoning' ? [part.opaque?.data] : []))
  expect(opaque).to.deep.equal(expected.opaque)
  const finish = expected.finish ?? ''
  expect(finished?.raw_stop_reason).to.equal(finish)
  expect(finished?.stop_reason).to.equal(stopReasons[finish])
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output, reasoning_tokens: thought } = finished?.usage ?? {}
  expect({ input, cached, output, reasoning: thought }).to.deep.equal(expected.usage)
}

function checkTruncated({ finished, error, text }: CallOutcome, recording: Recording): void {
  expect(finished).to.equal(undefined)
  expect(error?.details).to.include({ failure: 'truncated', retryable: true })
  const documents = recording.documents as readonly { readonly delta?: { readonly text?: string } }[]
  expect(text).to.equal(documents.map(({ delta }) => delta?.text ?? '').join(''))
}

function checkRefused({ events, error }: CallOutcome, recording: Recording): void {
  const body = recording.documents[0] as { readonly error: { readonly type: string; readonly message: string } }
  expect(events).to.deep.equal([])
  expect(error?.details).to.include({ httpStatus: recording.status, providerCode: body.error.type, reason: body.error.message })
}

function checkFailed({ finished, error }: CallOutcome, failure: string): void {
  expect(finished).to.equal(undefined)
  expect(error?.details).to.include({ failure, retryable: true })
}

/** The first offset at which the last event of the message is complete, found by a simple scan. */
function endOfStream(recording: Recording): number {
  const text = new TextDecoder('latin1').decode(recording.bytes)
  for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', end + 1)) {
    const documents = eventDocuments(text.slice(0, end + 2)) as readonly { readonly type?: string }[]
    if (documents.at(-1)?.type === 'message_stop') return end + 2
  }
  throw new Error(`${recording.name} has no end.`)
}
