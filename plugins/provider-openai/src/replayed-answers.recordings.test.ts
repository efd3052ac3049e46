import {
  createRandom,
  cutRandomly,
  outcomeOf,
  type Recording,
  type ReplayServer,
  requestTo,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { completionsRecordings, openProviderRecordings } from './test-support/recordings.js'

const stopReasons: Readonly<Record<string, string>> = { eos: 'stop', function_call: 'tool_calls' }

describe('recorded answers, replayed at random chunk borders', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  const recordings = completionsRecordings(library).filter((recording) => !recording.truncated)
  let current: Recording | undefined
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => ({
      status: current?.status ?? 500,
      headers: { 'content-type': current?.kind === 'json' ? 'application/json' : 'text/event-stream' },
      pieces: cutRandomly(current?.bytes ?? new Uint8Array(), random),
    }))
  })
  after(() => server.close())

  const replay = (recording: Recording) => {
    current = recording
    return outcomeOf(adapter, requestTo(server.baseUrl))
  }

  it('are there', () => {
    expect(recordings.length).to.be.greaterThan(60)
  })

  for (const recording of recordings.filter(({ status }) => status < 300)) {
    it(`${recording.name} (seed ${seed})`, async () => {
      const expected = expectationOf(recording.documents)
      const { finished, error, text, reasoning } = await replay(recording)
      expect(error?.message).to.equal(undefined)
      const content = finished?.content ?? []
      const calls = content.filter((part) => part.type === 'tool_call')
      expect(text).to.equal(expected.text)
      expect(reasoning).to.equal(expected.reasoning)
      expect(content.filter((part) => part.type === 'text').map((part) => part.text)).to.deep.equal(text === '' ? [] : [expected.text])
      expect(calls.map((call) => ({ name: call.name, arguments: call.arguments }))).to.deep.equal(
        expected.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
      )
      for (const [position, call] of expected.calls.entries())
        if (call.id !== undefined) expect(calls[position]?.provider_call_id).to.equal(call.id)
      const finish = expected.finish ?? 'stop'
      const refused = JSON.stringify(recording.documents).includes('"refusal":"')
      const wanted = refused ? 'refusal' : expected.calls.length > 0 ? 'tool_calls' : (stopReasons[finish] ?? finish)
      expect(finished?.stop_reason).to.equal(wanted)
      expect(finished?.raw_stop_reason).to.equal(finish)
      if (expected.usage) {
        const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = finished?.usage ?? {}
        expect({ input: input_tokens, cached: cached_input_tokens, output: output_tokens, reasoning: reasoning_tokens }).to.deep.equal(
          expected.usage,
        )
        expect(finished?.usage.estimated).to.equal(undefined)
      } else expect(finished?.usage.estimated).to.equal(true)
    })
  }

  for (const recording of recordings.filter(({ status }) => status >= 300)) {
    it(`${recording.name} is an error that shows the vendor's words`, async () => {
      const { error, events } = await replay(recording)
      expect(events).to.deep.equal([])
      expect(error?.code).to.equal('provider_error')
      expect(error?.details['httpStatus']).to.equal(recording.status)
      const message = (recording.documents[0] as { readonly error: { readonly message: string } }).error.message
      expect(error?.details['reason']).to.contain(message.slice(0, 40))
      expect(error?.details['retryable']).to.equal(false)
    })
  }
})
