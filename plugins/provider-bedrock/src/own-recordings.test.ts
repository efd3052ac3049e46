import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@agent-service/sdk'
import { type CallOutcome, describeRecordedAnswers, openRecordings, type Recording, seedOfRun } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { decodeFrames } from './test-support/decode-frames.js'

const folder = fileURLToPath(new URL('../../../test/fixtures/providers/amazon-bedrock-converse/', import.meta.url))
const expectations = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as Readonly<Record<string, JsonObject>>

describeRecordedAnswers({
  name: 'bedrock, recordings of our own',
  create: () => createTestAdapter(),
  recordings: openRecordings(folder)
    .below('.')
    .filter(({ name }) => name !== 'expected'),
  request: (baseUrl) => converseRequest(baseUrl),
  seed: seedOfRun(process.env['SEED']),
  chunkings: 20,
  check,
  completeFrom: ({ name, bytes }) =>
    name === 'text' || name === 'tool-call' ? decodeFrames(bytes).find(({ event }) => event === 'messageStop')?.end : undefined,
})

function check({ text, reasoning, finished, error }: CallOutcome, { name }: Recording): void {
  const expected = expectations[name]
  if (!expected) throw new Error(`${name} has no expectation.`)
  const content = finished?.content ?? []
  expect({
    text,
    reasoning,
    tool_calls: content.flatMap((part) => (part.type === 'tool_call' ? [{ name: part.name, arguments: part.arguments }] : [])),
    opaque: content.flatMap((part) => (part.type === 'reasoning' && part.opaque ? [part.opaque.data] : [])),
    stop_reason: finished?.stop_reason,
    usage: finished?.usage,
    failure: error?.details['failure'],
    retryable: error?.details['retryable'],
    retry_after_ms: error?.details['retryAfterMs'],
  }).to.deep.equal({
    text: '',
    reasoning: '',
    tool_calls: [],
    opaque: [],
    stop_reason: undefined,
    usage: undefined,
    failure: undefined,
    retryable: undefined,
    retry_after_ms: undefined,
    ...expected,
  })
}
