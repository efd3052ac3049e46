import {
  eventDocuments,
  outcomeOf,
  type Recording,
  type Replay,
  type ReplayServer,
  requestTo,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { expectationOf } from './test-support/expectation.js'
import { openProviderRecordings } from './test-support/recordings.js'

/** Streams that are cut at every byte: text, a reasoning answer with content parts, and calls. */
const cutEverywhere = [
  'openai-compat/mistral/vercel--mistral-text.chunks.txt',
  'openai-compat/mistral/vercel--mistral-incremental-tool-call.chunks.txt',
  'openai-compat/groq/vercel--groq-tool-call.chunks.txt',
  'openai-chat/vercel--anthropic-fallback-tool-call.sse',
]

describe('recorded answers that are cut', () => {
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  const replays = new Map<string, Replay>()
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(
      ({ body }) => replays.get((JSON.parse(body) as { readonly model: string }).model) ?? { status: 500, pieces: [] },
    )
  })
  after(() => server.close())

  const outcome = (name: string, replay: Replay) => {
    replays.set(name, replay)
    return outcomeOf(adapter, requestTo(server.baseUrl, { model: name }))
  }

  const truncated = library.below('openai-chat').filter((recording) => recording.truncated)
  it('has recordings of dropped connections', () => {
    expect(truncated.length).to.be.greaterThan(1)
  })

  for (const recording of truncated) {
    for (const end of ['end', 'destroy'] as const) {
      it(`${recording.name}, connection ${end === 'end' ? 'closed' : 'reset'}: fails as truncated and keeps the partial text`, async () => {
        const { error, finished, text } = await outcome(`${recording.name} ${end}`, {
          pieces: [recording.bytes],
          ...(end === 'destroy' && { end }),
        })
        expect(finished).to.equal(undefined)
        expect(error?.details['failure']).to.equal('truncated')
        expect(error?.details['retryable']).to.equal(true)
        // An open call is not complete JSON, so only the text is compared.
        const documents = recording.documents as readonly {
          readonly choices: readonly { readonly delta?: { readonly content?: string } }[]
        }[]
        expect(text).to.equal(documents.map((document) => document.choices[0]?.delta?.content ?? '').join(''))
      })
    }
  }

  for (const path of cutEverywhere) {
    it(`${path}, cut at every byte: never complete before the finish reason, never with half a tool call`, async function () {
      this.timeout(120_000)
      const recording = library.at(path)
      const whole = expectationOf(recording.documents)
      const wholeFrom = finishOffset(recording)
      const offsets = Array.from({ length: recording.bytes.length + 1 }, (_, offset) => offset)
      const check = async (offset: number): Promise<void> => {
        const end = offset % 2 === 0 ? ({ end: 'destroy' } as const) : {}
        const { error, finished, text } = await outcome(`${path} ${offset}`, { pieces: [recording.bytes.subarray(0, offset)], ...end })
        replays.delete(`${path} ${offset}`)
        if (offset < wholeFrom) {
          expect(finished, `an answer although cut at byte ${offset} of ${recording.bytes.length}`).to.equal(undefined)
          expect(error?.details['failure'], `at byte ${offset}`).to.equal('truncated')
          expect(whole.text.startsWith(text), `the text at byte ${offset}`).to.equal(true)
        } else {
          expect(error?.message, `at byte ${offset}`).to.equal(undefined)
          expect(finished?.content.filter((part) => part.type === 'tool_call').map((call) => call.arguments)).to.deep.equal(
            whole.calls.map((call) => call.arguments),
          )
          expect(text).to.equal(whole.text)
        }
      }
      for (let start = 0; start < offsets.length; start += 16) await Promise.all(offsets.slice(start, start + 16).map(check))
      expect(wholeFrom).to.be.lessThan(recording.bytes.length)
    })
  }
})

/**
 * The first offset at which the event with the finish reason is complete, found by a simple scan
 * from the start.
 */
function finishOffset(recording: Recording): number {
  const text = new TextDecoder('latin1').decode(recording.bytes)
  for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', end + 1)) {
    const documents = eventDocuments(text.slice(0, end + 2)) as readonly {
      readonly choices?: readonly { readonly finish_reason?: string | null }[]
    }[]
    if (documents.some((document) => typeof document.choices?.[0]?.finish_reason === 'string')) return end + 2
  }
  throw new Error(`${recording.name} has no finish reason.`)
}
