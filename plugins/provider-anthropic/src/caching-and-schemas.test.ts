import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { buildRequestBody } from './messages/build-request.js'
import { readQuirks } from './messages/quirks.js'
import { createTestAdapter, messagesRequest } from './test-support/adapter.js'
import { callBlock, message, messageEnd, messageStart, streamOf, textBlock } from './test-support/wire.js'

const bodyOf = (changes: Partial<ModelRequest>, quirks: JsonObject = {}): JsonObject =>
  buildRequestBody(messagesRequest('http://127.0.0.1', { stream: false, ...changes }), { quirks: readQuirks(quirks), oneSampling: false })

const long = 'word '.repeat(1_000)
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const system = (text: string): ModelMessage => ({ role: 'system', content: [{ type: 'text', text }] })
const tool = (description: string) => ({ name: 'get_time', description, parameters: { type: 'object' } })
const count = (body: JsonObject): number => JSON.stringify(body).split('"cache_control"').length - 1

describe('prompt caching', () => {
  it('marks the prefix before a trailing system text, which changes with each call', () => {
    const body = bodyOf({ messages: [system(long), user('One'), system('It is raining.')] })
    const [message] = body['messages'] as readonly { readonly content: readonly JsonObject[] }[]
    expect(message?.content).to.deep.equal([
      { type: 'text', text: 'One', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: '<system>\nIt is raining.\n</system>' },
    ])
  })

  it('marks the last tool, the end of the system prompt and the last message of the user', () => {
    const body = bodyOf({
      messages: [
        system('Be brief.'),
        system('Be kind.'),
        user('One'),
        { role: 'assistant', content: [{ type: 'text', text: 'A' }] },
        user('Two'),
      ],
      tools: [tool('x'), tool(long)],
    })
    const mark = { cache_control: { type: 'ephemeral' } }
    expect((body['tools'] as readonly JsonObject[]).map((entry) => entry['cache_control'])).to.deep.equal([undefined, mark.cache_control])
    expect(body['system']).to.deep.equal([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.', ...mark },
    ])
    expect((body['messages'] as readonly JsonObject[]).at(-1)).to.deep.equal({
      role: 'user',
      content: [{ type: 'text', text: 'Two', ...mark }],
    })
    expect(count(body)).to.equal(3)
  })

  it('does not mark a prefix that is too short for any cache', () => {
    expect(count(bodyOf({ messages: [system('Be brief.'), user('One')], tools: [tool('x')] }))).to.equal(0)
    expect(count(bodyOf({ messages: [system('Be brief.'), user(long)], tools: [tool('x')] }))).to.equal(1)
    expect(count(bodyOf({ messages: [system(long), user('One')], tools: [tool('x')] }))).to.equal(2)
  })

  it('is left out for a brand that does not support it', () => {
    expect(count(bodyOf({ messages: [system(long), user(long)], tools: [tool(long)] }, { prompt_caching: false }))).to.equal(0)
  })

  it('keeps the bytes of the prefix the same from one call to the next', () => {
    const first = JSON.stringify(bodyOf({ messages: [system(long), user('One')], tools: [tool('x')] }))
    const second = JSON.stringify(
      bodyOf({
        messages: [system(long), user('One'), { role: 'assistant', content: [{ type: 'text', text: 'A' }] }, user('Two')],
        tools: [tool('x')],
      }),
    )
    const untilMessages = (body: string): string => body.slice(0, body.indexOf('"messages"'))
    expect(untilMessages(second)).to.equal(untilMessages(first))
  })
})

const schema = {
  type: 'object',
  properties: {
    age: { type: 'integer', minimum: 0, description: 'In years.' },
    tags: { type: 'array', items: { type: 'object', properties: { minimum: { type: 'string' } } }, maxItems: 3 },
  },
  required: ['age'],
}
const quirks = { structured_output_tool_models: '^model-1$' }

describe('an answer by a schema', () => {
  it('uses the vendor’s format, with closed objects and without limits that it refuses', () => {
    const body = bodyOf({ responseSchema: { name: 'person', schema } })
    expect(body['output_config']).to.deep.equal({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            age: { type: 'integer', description: 'In years. {minimum: 0}' },
            tags: {
              type: 'array',
              items: { type: 'object', properties: { minimum: { type: 'string' } }, additionalProperties: false },
              description: '{maxItems: 3}',
            },
          },
          required: ['age'],
          additionalProperties: false,
        },
      },
    })
    expect(body).to.not.have.any.keys('tools', 'tool_choice')
  })

  it('becomes a required tool for models without that format', () => {
    const body = bodyOf({ responseSchema: { name: 'person', schema } }, quirks)
    expect(body).to.not.have.property('output_config')
    expect((body['tools'] as readonly JsonObject[])[0]).to.deep.include({ name: 'person', input_schema: schema })
    expect(body['tool_choice']).to.deep.equal({ type: 'tool', name: 'person' })
    const beside = bodyOf({ responseSchema: { name: 'get_time', schema }, tools: [tool('x')] }, quirks)
    expect((beside['tools'] as readonly JsonObject[]).map(({ name }) => name)).to.deep.equal(['get_time', 'get_time_answer'])
    expect(beside['tool_choice']).to.deep.equal({ type: 'any' })
    expect(bodyOf({ model: 'model-2', responseSchema: { name: 'person', schema } }, quirks)).to.have.property('output_config')
  })

  describe('that comes through a tool', () => {
    const adapter = createTestAdapter()
    let replay: Replay = { pieces: [] }
    let server: ReplayServer
    before(async () => {
      server = await startReplayServer(() => replay)
    })
    after(() => server.close())
    const answer = (stream: boolean) =>
      outcomeOf(adapter, messagesRequest(server.baseUrl, { stream, quirks, responseSchema: { name: 'person', schema } }))

    it('is text, the same streamed or not, without the text beside the call', async () => {
      replay = {
        pieces: [
          streamOf(
            messageStart(),
            ...textBlock(0, 'I answer.'),
            ...callBlock(1, 'toolu_1', 'person', '{"age": ', '30}'),
            ...messageEnd('tool_use'),
          ),
        ],
      }
      const streamed = await answer(true)
      const content = [
        { type: 'text', text: 'I answer.' },
        { type: 'tool_use', id: 'toolu_1', name: 'person', input: { age: 30 } },
      ]
      replay = { headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(message(content, 'tool_use')))] }
      const whole = await answer(false)
      expect(streamed.finished).to.deep.include({ content: [{ type: 'text', text: '{"age":30}' }], stop_reason: 'stop' })
      expect(streamed.text).to.equal('{"age":30}')
      expect({ ...streamed.finished, raw_usage: null }).to.deep.equal({ ...whole.finished, raw_usage: null })
      expect(streamed.events.map(({ type }) => type)).to.deep.equal(['response.started', 'text.delta', 'response.finished'])
    })

    it('is the plain text if the model did not call it', async () => {
      replay = { pieces: [streamOf(messageStart(), ...textBlock(0, 'I ', 'cannot.'), ...messageEnd('end_turn'))] }
      const { text, finished } = await answer(true)
      expect(text).to.equal('I cannot.')
      expect(finished?.content).to.deep.equal([{ type: 'text', text: 'I cannot.' }])
    })
  })
})
