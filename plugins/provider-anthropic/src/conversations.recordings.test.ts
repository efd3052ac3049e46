import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { outcomeOf, type Recording, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, messagesRequest } from './test-support/adapter.js'
import { requestOf } from './test-support/recorded-requests.js'
import { messagesRecordings, openProviderRecordings } from './test-support/recordings.js'
import { message } from './test-support/wire.js'

type Blocks = readonly JsonObject[]
const asBlocks = (content: JsonValue | undefined): JsonValue =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? null)

/** Intended differences from what the recorded client sent, each with its reason. */
const differences: readonly { readonly why: string; readonly change: (body: JsonObject) => JsonObject }[] = [
  {
    why: 'A single text may be a string; here it is always a list with one block, which can carry a cache mark.',
    change: (body) => ({
      ...body,
      messages: (body['messages'] as Blocks).map((entry) => ({
        ...entry,
        content: (asBlocks(entry['content']) as Blocks).map((block) =>
          block['type'] === 'tool_result' ? { ...block, content: asBlocks(block['content']) } : block,
        ),
      })),
    }),
  },
  {
    why: 'The protocol answers in one piece by default; “stream: false” is not sent.',
    change: ({ stream, ...body }) => (stream === true ? { ...body, stream } : body),
  },
  {
    why: 'The format of the answer has moved from the beta member output_format to output_config.format.',
    change: ({ output_format: format, ...body }) => (format === undefined ? body : { ...body, output_config: { format } }),
  },
]

const asSent = (body: JsonObject): JsonObject => differences.reduce((changed, { change }) => change(changed), body)

describe('recorded conversations, messages', () => {
  const adapter = createTestAdapter()
  const recordings = messagesRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answered: Replay = {
    headers: { 'content-type': 'application/json' },
    pieces: [Buffer.from(JSON.stringify(message([], 'end_turn')))],
  }
  const sentFor = async (request: Parameters<typeof outcomeOf>[1]): Promise<JsonObject> => {
    replay = answered
    expect((await outcomeOf(adapter, request)).error).to.equal(undefined)
    return JSON.parse(server.seen.at(-1)?.body ?? '') as JsonObject
  }
  const recorded = recordings.filter(
    (recording): recording is Recording & { readonly request: JsonObject } => recording.request !== undefined,
  )

  it('are there', () => {
    expect(recorded.length).to.be.greaterThan(10)
  })

  for (const recording of recorded) {
    it(`${recording.name}: the request equals the recorded one`, async () => {
      expect(await sentFor(requestOf(server.baseUrl, recording.request))).to.deep.equal(asSent(recording.request))
    })
  }

  for (const next of recorded) {
    const first = recordings.find(({ name }) => name === next.name.replace(/\.1$/, '.0') && name !== next.name)
    if (!first?.request) continue
    it(`${next.name}: the decoded previous answer goes back as the vendor sent it`, async () => {
      replay = { headers: { 'content-type': first.contentType }, pieces: [first.bytes] }
      const { finished } = await outcomeOf(
        adapter,
        messagesRequest(server.baseUrl, { model: String(next.request['model']), stream: first.kind !== 'json' }),
      )
      const answers = [finished?.content ?? []]
      expect(await sentFor(requestOf(server.baseUrl, next.request, answers))).to.deep.equal(asSent(next.request))
    })
  }

  for (const recording of recordings.filter(({ name, kind, status }) => kind === 'json' && status < 300 && !name.includes('refusal'))) {
    it(`${recording.name}: its blocks go back byte for byte`, async () => {
      const { content, model } = recording.documents[0] as { readonly content: Blocks; readonly model: string }
      replay = { headers: { 'content-type': 'application/json' }, pieces: [recording.bytes] }
      const { finished } = await outcomeOf(adapter, messagesRequest(server.baseUrl, { model, stream: false }))
      const user = { role: 'user', content: [{ type: 'text', text: 'And then?' }] } as const
      const body = await sentFor(
        messagesRequest(server.baseUrl, {
          model,
          stream: false,
          messages: [user, { role: 'assistant', content: finished?.content ?? [] }, user],
        }),
      )
      const sent = (body['messages'] as Blocks).find(({ role }) => role === 'assistant')?.['content'] ?? []
      // A call by the model itself names no caller.
      expect(sent).to.deep.equal(content.map(({ caller: _, ...block }) => block))
    })
  }
})

describe('recorded refusals, messages', () => {
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  const failures: Readonly<Record<string, JsonObject>> = {
    'raises-appropriate-auth-error': { failure: 'authentication', retryable: false, httpStatus: 401 },
    'handles-context-length-exceeded-errors': { failure: 'context_overflow', retryable: false, httpStatus: 400 },
  }
  const refusals = library.below('errors').filter(({ name }) => name.includes('anthropic-claude'))
  it('are there', () => {
    expect(refusals).to.have.length(2)
  })
  for (const recording of refusals) {
    it(recording.name, async () => {
      const server = await startReplayServer(() => ({
        status: recording.status,
        headers: { ...recording.headers, 'content-type': recording.contentType },
        pieces: [recording.bytes],
      }))
      const { error } = await outcomeOf(adapter, messagesRequest(server.baseUrl))
      await server.close()
      const expected = Object.entries(failures).find(([part]) => recording.name.includes(part))?.[1]
      expect(expected).to.not.equal(undefined)
      expect(error?.details).to.include(expected ?? {})
    })
  }
})
