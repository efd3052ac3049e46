import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@agent-service/sdk'
import { type CallOutcome, describeRecordedAnswers, openRecordings, type Recording, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'

const folder = fileURLToPath(new URL('../../../../test/fixtures/providers/responses/', import.meta.url))
const expectations = JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')) as Readonly<Record<string, JsonObject>>

describeRecordedAnswers({
  name: 'responses, recordings of our own',
  create: createTestAdapter,
  recordings: openRecordings(folder)
    .below('.')
    .filter(({ name }) => name !== 'expected'),
  request: (baseUrl) => requestTo(baseUrl, { protocol: 'responses' }),
  seed: seedOfRun(process.env['SEED']),
  chunkings: 20,
  everyByteUpTo: 1_500,
  check,
  completeFrom: ({ name, bytes }) =>
    expectations[name]?.['stop_reason'] !== undefined && name !== 'text-whole' ? bytes.length : undefined,
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
