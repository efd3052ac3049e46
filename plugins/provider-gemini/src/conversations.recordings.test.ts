import type { JsonObject } from '@agent-service/sdk'
import { outcomeOf, type Recording, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, geminiRequest } from './test-support/adapter.js'
import { modelOf, requestOf } from './test-support/recorded-requests.js'
import { geminiRecordings, openProviderRecordings } from './test-support/recordings.js'
import { chunk } from './test-support/wire.js'

type Objects = readonly JsonObject[]
const eachPart = (body: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject => ({
  ...body,
  contents: (body['contents'] as Objects).map((content) => ({ ...content, parts: (content['parts'] as Objects).map(change) })),
})

/** Intended differences from what the recorded client sent, each with its reason. */
const differences: readonly { readonly why: string; readonly change: (body: JsonObject) => JsonObject }[] = [
  {
    why: 'A result goes under “output”, as the vendor documents; the recorded client used another object.',
    change: (body) =>
      eachPart(body, (part) => {
        const given = part['functionResponse'] as { readonly name: string; readonly response: { readonly content: Objects } } | undefined
        if (!given) return part
        const output = given.response.content.map(({ text }) => text).join('\n')
        return { functionResponse: { name: given.name, response: { output } } }
      }),
  },
  {
    why: 'Settings that are not set are not sent.',
    change: ({ generationConfig, ...body }) =>
      Object.keys(generationConfig ?? {}).length === 0 ? body : { ...body, generationConfig: generationConfig ?? {} },
  },
  {
    why: 'A tool without arguments has no schema: some models refuse an object without members.',
    change: ({ tools, ...body }) =>
      tools === undefined
        ? body
        : {
            ...body,
            tools: (tools as Objects).map((group) => ({
              functionDeclarations: (group['functionDeclarations'] as Objects).map(({ parameters, ...tool }) =>
                Object.keys((parameters as JsonObject)['properties'] as JsonObject).length === 0
                  ? tool
                  : { ...tool, parameters: parameters ?? {} },
              ),
            })),
          },
  },
]
const asSent = (body: JsonObject): JsonObject => differences.reduce((changed, { change }) => change(changed), body)

describe('recorded conversations, generate content', () => {
  const adapter = createTestAdapter()
  const recordings = geminiRecordings(openProviderRecordings(process.env['FIXTURES_DIR']))
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answered: Replay = {
    headers: { 'content-type': 'application/json' },
    pieces: [Buffer.from(JSON.stringify(chunk([], { finishReason: 'STOP' })))],
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
    expect(recorded.length).to.be.greaterThan(8)
  })

  for (const recording of recorded) {
    it(`${recording.name}: the request equals the recorded one`, async () => {
      expect(await sentFor(requestOf(server.baseUrl, recording, recording.request))).to.deep.equal(asSent(recording.request))
    })
  }

  for (const next of recorded) {
    const first = recordings.find(({ name }) => name === next.name.replace(/\.1$/, '.0') && name !== next.name)
    if (!first?.request) continue
    it(`${next.name}: the decoded previous answer goes back as the vendor sent it`, async () => {
      replay = { headers: { 'content-type': first.contentType }, pieces: [first.bytes] }
      const { finished } = await outcomeOf(adapter, geminiRequest(server.baseUrl, { model: modelOf(next), stream: first.kind !== 'json' }))
      const content = finished?.content ?? []
      const id = content.find((part) => part.type === 'tool_call')?.provider_call_id ?? ''
      // The vendor's id goes back with the call and the result; the recorded client had dropped it.
      expect(JSON.stringify(first.documents)).to.contain(`"${id}"`)
      const expected = eachPart(asSent(next.request), (part) =>
        Object.fromEntries(
          Object.entries(part).map(([name, value]) => [name, name.startsWith('function') ? { ...(value as JsonObject), id } : value]),
        ),
      )
      expect(await sentFor(requestOf(server.baseUrl, next, next.request, [content]))).to.deep.equal(expected)
    })
  }

  for (const recording of recordings.filter(({ status, name }) => status < 300 && !name.includes('midstream'))) {
    it(`${recording.name}: its signatures go back on the parts that had them, byte for byte`, async () => {
      const model = modelOf(recording)
      replay = { headers: { 'content-type': recording.contentType }, pieces: [recording.bytes] }
      const { finished } = await outcomeOf(adapter, geminiRequest(server.baseUrl, { model, stream: recording.kind !== 'json' }))
      const user = { role: 'user', content: [{ type: 'text', text: 'And then?' }] } as const
      const body = await sentFor(
        geminiRequest(server.baseUrl, { model, messages: [user, { role: 'assistant', content: finished?.content ?? [] }, user] }),
      )
      const sent = (body['contents'] as Objects).filter(({ role }) => role === 'model').flatMap(({ parts }) => parts as Objects)
      const shape = (parts: Objects): unknown =>
        parts
          .filter((part) => part['thoughtSignature'] !== undefined)
          .map((part) => [part['thoughtSignature'], part['text'] ?? (part['functionCall'] as JsonObject | undefined)?.['name']])
      const given = (recording.documents as readonly { readonly candidates?: Objects }[])
        .flatMap(({ candidates }) => candidates ?? [])
        .flatMap(({ content }) => ((content as JsonObject | undefined)?.['parts'] ?? []) as Objects)
      // Calls of a model that checks signatures need one on the first of each step, and only there.
      expect(shape(sent)).to.deep.equal(shape(given))
    })
  }
})

describe('recorded refusals, generate content', () => {
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  const failures: Readonly<Record<string, JsonObject>> = {
    'error-handling-with-gemini': { failure: 'authentication', retryable: false, httpStatus: 400 },
    // A huge prompt uses up the tokens of a minute before its length is checked.
    'real-error-scenarios-gemini': { failure: 'rate_limited', retryable: true, httpStatus: 429, retryAfterMs: 48_000 },
    'real-error-scenarios-vertexai': { failure: 'context_overflow', retryable: false, httpStatus: 400 },
    'invalid-role': { failure: 'bad_request', retryable: false },
    'invalid-temperature': { failure: 'bad_request', retryable: false },
    'missing-model': { failure: 'model_not_found', retryable: false, httpStatus: 404 },
  }
  const refusals = library.below('errors').filter(({ name }) => /gemini|vertexai/.test(name))
  it('are there', () => {
    expect(refusals).to.have.length(Object.keys(failures).length)
  })
  for (const recording of refusals) {
    it(recording.name, async () => {
      const server = await startReplayServer(() => ({
        status: recording.status,
        headers: { 'content-type': recording.contentType },
        pieces: [recording.bytes],
      }))
      const { error } = await outcomeOf(adapter, geminiRequest(server.baseUrl))
      await server.close()
      const expected = Object.entries(failures).find(([part]) => recording.name.includes(part))?.[1]
      expect(expected).to.not.equal(undefined)
      expect(error?.details).to.include(expected ?? {})
    })
  }
})
