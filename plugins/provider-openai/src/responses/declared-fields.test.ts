import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from '../test-support/adapter.js'
import { messageItem, wholeResponse } from '../test-support/responses-wire.js'

const tool = { name: 'get_time', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }
const schema = { name: 'zone', schema: { type: 'object', properties: {} } }

describe('fields that a responses request declares', () => {
  const adapter = createTestAdapter()
  const json = (status: number, body: JsonObject): Replay => ({
    status,
    headers: { 'content-type': 'application/json' },
    pieces: [bytesOf(JSON.stringify(body))],
  })
  const good = json(200, wholeResponse([messageItem('Hello')]))
  let answer: (body: JsonObject) => Replay = () => good
  let server: ReplayServer
  beforeEach(async () => {
    answer = () => good
    server = await startReplayServer(({ body }) => answer(JSON.parse(body) as JsonObject))
  })
  afterEach(() => server.close())

  const request = (changes: Partial<ModelRequest>): ModelRequest => requestTo(server.baseUrl, { protocol: 'responses', ...changes })
  const sent = async (changes: Partial<ModelRequest>): Promise<JsonObject> => {
    const { error } = await outcomeOf(adapter, request(changes))
    if (error) throw error
    return JSON.parse(server.seen.at(-1)?.body ?? '{}') as JsonObject
  }

  it('are sent under the names of the protocol', async () => {
    const image = { type: 'image', media_type: 'image/png', data: 'AAAA', detail: 'original' } as const
    const body = await sent({
      messages: [{ role: 'user', content: [image] }],
      tools: [
        { ...tool, strict: true },
        { ...tool, name: 'other' },
      ],
      parallelToolCalls: false,
      logprobs: { top: 3 },
      responseSchema: { ...schema, strict: true, description: 'A zone.' },
    })
    expect(body).to.deep.include({ parallel_tool_calls: false, top_logprobs: 3 })
    expect(body['include']).to.include('message.output_text.logprobs')
    expect((body['tools'] as readonly JsonObject[]).map(({ strict }) => strict)).to.deep.equal([true, false])
    expect(body['text']).to.deep.equal({ format: { type: 'json_schema', ...schema, description: 'A zone.', strict: true } })
    expect(body).to.have.nested.property('input[0].content[0].detail', 'original')
    expect((await sent({ jsonObject: true }))['text']).to.deep.equal({ format: { type: 'json_object' } })
    expect((await sent({ responseSchema: { ...schema, strict: false } }))['text']).to.have.nested.property('format.strict', false)
  })

  it('are never left out because a server refuses them', async () => {
    const words = "Unsupported parameter: 'text.format.strict' is not supported with this model."
    const isStrict = (body: JsonObject): boolean => JSON.stringify(body['text'] ?? null).includes('"strict"')
    answer = (body) => (isStrict(body) ? json(400, { error: { message: words, param: 'text.format.strict' } }) : good)
    expect((await outcomeOf(adapter, request({ responseSchema: schema }))).error).to.equal(undefined)
    const insisting = request({ responseSchema: { ...schema, strict: true } })
    expect((await outcomeOf(adapter, insisting)).error?.details).to.include({ failure: 'bad_request' })
  })

  it('are refused before the call where a signed-in account rules them out', async () => {
    for (const changes of [{ logprobs: { top: 0 } }, { settings: { temperature: 0.5 }, required: ['temperature'] }]) {
      const made = request(changes)
      const { error } = await outcomeOf(adapter, { ...made, connection: { ...made.connection, accountId: 'account-1' } })
      expect(error?.details).to.include({ failure: 'bad_request' })
      expect(error?.message).to.contain('Leave it out, or use an API key')
    }
    expect(server.seen).to.deep.equal([])
  })
})
