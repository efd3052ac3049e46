import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { type Script, setScript } from '../agents/support/scripted-plugin.js'

const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 5, reasoning_tokens: 2 }
const weather = {
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
}

/** Reasoning, text, and a call. */
async function* everything(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'reasoning.delta', part: 0, text: 'Let me ' }
  yield { type: 'reasoning.delta', part: 0, text: 'look.' }
  yield { type: 'text.delta', part: 1, text: 'I ' }
  yield { type: 'text.delta', part: 1, text: 'look.' }
  yield { type: 'tool_call.started', part: 2, provider_call_id: 'call-1', name: 'weather' }
  yield { type: 'tool_call.delta', part: 2, arguments_text: '{"place":' }
  yield { type: 'tool_call.delta', part: 2, arguments_text: '"Oslo"}' }
  yield {
    type: 'response.finished',
    content: [
      { type: 'reasoning', text: 'Let me look.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', call_id: 'call-1', provider_call_id: 'call-1', name: 'weather', arguments: { place: 'Oslo' } },
    ],
    stop_reason: 'tool_calls',
    usage,
  }
}

async function* cut(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'text.delta', part: 0, text: 'Half an ' }
  throw failure('truncated')
}

const failure = (kind: 'truncated' | 'rate_limited' | 'bad_request' | 'authentication', retryAfterMs?: number) =>
  providerError.create({
    failure: kind,
    retryable: false,
    connection: 'upstream',
    model: 'm',
    reason: `It was ${kind}.`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })

describe('the official client of the OpenAI protocols', () => {
  let agents: AgentsKernel
  let ada: Person
  let client: OpenAI
  let script: Script

  const tokenWith = async (scopes: readonly string[]): Promise<string> =>
    String((await ada.request('POST', '/api/auth/tokens', { name: scopes.join(' '), scopes })).body['token'])
  const clientWith = (apiKey: string): OpenAI => new OpenAI({ baseURL: `${agents.kernel.url}/v1`, apiKey, maxRetries: 0 })
  const answer = (events: Script['answer']): void => {
    script = setScript({ answer: events })
  }
  const asked = (): ModelRequest => script.requests.at(-1) ?? expect.fail('No model was called.')
  const errorOf = async (promise: Promise<unknown>): Promise<APIError> => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof APIError)) throw error ?? new Error('It succeeded.')
    return error
  }

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    client = clientWith(await tokenWith(['inference']))
  })
  after(() => agents?.close())

  it('lists model groups', async () => {
    const models = await client.models.list()
    expect(models.data.map(({ id, object, owned_by: owner }) => [id, object, owner])).to.deep.equal([['primary', 'model', 'upstream']])
  })

  describe('chat completions', () => {
    it('in one piece: text, reasoning, calls, usage', async () => {
      answer(everything)
      const completion = await client.chat.completions.create({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }] })
      const [choice] = completion.choices
      expect(choice?.finish_reason).to.equal('tool_calls')
      expect(choice?.message).to.deep.include({ role: 'assistant', content: 'I look.', reasoning_content: 'Let me look.' } as object)
      expect(choice?.message.tool_calls).to.deep.equal([
        { id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{"place":"Oslo"}' } },
      ])
      expect(completion.usage).to.deep.include({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })
      expect(completion.usage?.prompt_tokens_details?.cached_tokens).to.equal(4)
      expect(completion.usage?.completion_tokens_details?.reasoning_tokens).to.equal(2)
    })

    it('streamed, put together by the client, are the same', async () => {
      answer(everything)
      const messages = [{ role: 'user' as const, content: 'Hi' }]
      const whole = await client.chat.completions.create({ model: 'primary', messages })
      const stream = client.chat.completions.stream({ model: 'primary', messages, stream_options: { include_usage: true } })
      const streamed = await stream.finalChatCompletion()
      expect(streamed.choices[0]?.message.content).to.equal(whole.choices[0]?.message.content)
      expect(streamed.choices[0]?.finish_reason).to.equal('tool_calls')
      expect(streamed.choices[0]?.message.tool_calls?.map((call) => 'function' in call && call.function.arguments)).to.deep.equal([
        '{"place":"Oslo"}',
      ])
      expect(streamed.usage).to.deep.equal(whole.usage)
    })

    it('give a model the whole conversation, tools and settings', async () => {
      answer(everything)
      await client.chat.completions.create({
        model: 'primary',
        max_completion_tokens: 77,
        temperature: 0.5,
        tools: [{ type: 'function', function: weather }],
        tool_choice: { type: 'function', function: { name: 'weather' } },
        response_format: { type: 'json_schema', json_schema: { name: 'report', schema: { type: 'object' } } },
        messages: [
          { role: 'developer', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
              { type: 'file', file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"place":"Oslo"}' } },
              { id: 'b', type: 'function', function: { name: 'weather', arguments: '{"place":' } },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: 'rain' },
          { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'broken' }] },
        ],
      })
      const { messages, tools, toolChoice, responseSchema, settings } = asked()
      expect(settings).to.deep.equal({ max_tokens: 77, temperature: 0.5 })
      expect(tools).to.deep.equal([weather])
      expect(toolChoice).to.deep.equal({ name: 'weather' })
      expect(responseSchema).to.deep.equal({ name: 'report', schema: { type: 'object' } })
      expect(messages).to.deep.equal([
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', media_type: 'image/png', data: 'AAAA' },
            { type: 'file', name: 'plan.pdf', media_type: 'application/pdf', data: 'BBBB' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'tool_call', call_id: 'a', provider_call_id: 'a', name: 'weather', arguments: { place: 'Oslo' } },
            { type: 'tool_call', call_id: 'b', provider_call_id: 'b', name: 'weather', arguments: {}, invalid_arguments: '{"place":' },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool_result', call_id: 'a', provider_call_id: 'a', name: 'weather', content: [{ type: 'text', text: 'rain' }] },
            { type: 'tool_result', call_id: 'b', provider_call_id: 'b', name: 'weather', content: [{ type: 'text', text: 'broken' }] },
          ],
        },
      ])
    })

    it('whose stream breaks off end with an error, never as if they were complete', async () => {
      answer(cut)
      const seen: string[] = []
      const stream = await client.chat.completions.create({ model: 'primary', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
      const error = await errorOf(
        (async () => {
          for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '')
        })(),
      )
      expect(seen.join('')).to.equal('Half an ')
      expect(error.code).to.equal('upstream_unavailable')
      const raw = await fetch(`${agents.kernel.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'primary', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
      })
      const text = await raw.text()
      expect(text)
        .to.not.contain('[DONE]')
        .and.not.match(/"finish_reason":"/)
      expect(text.trim().split('\n').at(-1)).to.match(/^data: \{"error":\{"message":/)
    })

    it('that fail before anything was shown have a status, streamed too', async () => {
      for (const stream of [false, true]) {
        answer(async function* () {
          yield { type: 'response.started' }
          throw failure('rate_limited', 20)
        })
        const limited = await errorOf(
          client.chat.completions.create({ model: 'primary', stream, messages: [{ role: 'user', content: 'Hi' }] }),
        )
        expect([limited.status, limited.code]).to.deep.equal([429, 'upstream_rate_limited'])
        expect(limited.message).to.contain('It was rate_limited.')
        answer(async function* () {
          yield { type: 'response.started' }
          throw failure('bad_request')
        })
        const refused = await errorOf(
          client.chat.completions.create({ model: 'primary', stream, messages: [{ role: 'user', content: 'Hi' }] }),
        )
        expect([refused.status, refused.code, refused.type]).to.deep.equal([400, 'upstream_rejected', 'invalid_request_error'])
      }
    })

    it('are counted for the caller', async () => {
      answer(everything)
      const before = Number(((await ada.request('GET', '/api/usage')).body['items'] as { calls: number }[])[0]?.calls)
      await client.chat.completions.create({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }] })
      const after = Number(((await ada.request('GET', '/api/usage')).body['items'] as { calls: number }[])[0]?.calls)
      expect(after).to.equal(before + 1)
    })

    it('end the call of the model when the client goes', async () => {
      let leave: () => void = () => undefined
      const gone = new Promise<void>((resolve) => {
        leave = resolve
      })
      answer(async function* (_request, signal) {
        yield { type: 'response.started' }
        yield { type: 'text.delta', part: 0, text: 'Hi' }
        signal.addEventListener('abort', leave, { once: true })
        await gone
        throw signal.reason
      })
      const stream = await client.chat.completions.create({ model: 'primary', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'Hi') break
      await gone
    })
  })

  describe('responses', () => {
    it('in one piece: text, reasoning, calls, usage', async () => {
      answer(everything)
      const response = await client.responses.create({ model: 'primary', input: 'Hi', instructions: 'Be brief.' })
      expect(response.output_text).to.equal('I look.')
      expect(response.output.map(({ type }) => type)).to.deep.equal(['reasoning', 'message', 'function_call'])
      expect(response.output[2]).to.deep.include({ call_id: 'call-1', name: 'weather', arguments: '{"place":"Oslo"}', status: 'completed' })
      expect(response.usage).to.deep.include({ input_tokens: 10, output_tokens: 5, total_tokens: 15 })
      expect(asked().messages[0]).to.deep.equal({ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] })
    })

    it('streamed, put together by the client, are the same', async () => {
      answer(everything)
      const whole = await client.responses.create({ model: 'primary', input: 'Hi' })
      const stream = client.responses.stream({ model: 'primary', input: 'Hi' })
      const streamed = await stream.finalResponse()
      const plain = ({ output }: { readonly output: readonly object[] }) =>
        output.map((item) => JSON.parse(JSON.stringify({ ...item, id: '', parsed_arguments: undefined })) as object)
      expect(streamed.output_text).to.equal(whole.output_text)
      expect(plain(streamed).map((item) => (item as { type: string }).type)).to.deep.equal(['reasoning', 'message', 'function_call'])
      expect(streamed.usage).to.deep.equal(whole.usage)
    })

    it('hold a conversation with the items that they gave', async () => {
      answer(everything)
      const first = await client.responses.create({ model: 'primary', input: 'Hi' })
      await client.responses.create({
        model: 'primary',
        input: [
          { role: 'user', content: 'Hi' },
          ...(first.output as OpenAI.Responses.ResponseInputItem[]),
          { type: 'function_call_output', call_id: 'call-1', output: 'rain' },
        ],
        tools: [{ type: 'function', strict: false, ...weather }],
      })
      expect(asked().messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool'])
      expect(asked().messages[1]?.content.map(({ type }) => type)).to.deep.equal(['reasoning', 'text', 'tool_call'])
      expect(asked().tools).to.deep.equal([weather])
    })

    it('whose stream breaks off end with response.failed', async () => {
      answer(cut)
      const types: string[] = []
      const stream = await client.responses.create({ model: 'primary', input: 'Hi', stream: true })
      for await (const event of stream) types.push(event.type)
      expect(types.at(-1)).to.equal('response.failed')
      expect(types).to.not.include('response.completed')
    })
  })

  describe('is told, in the shape that it looks for,', () => {
    const hello = { messages: [{ role: 'user' as const, content: 'Hi' }] }
    it('that there is no such model', async () => {
      const error = await errorOf(client.chat.completions.create({ model: 'gpt-nobody', ...hello }))
      expect([error.status, error.code, error.type]).to.deep.equal([404, 'model_not_found', 'invalid_request_error'])
      expect(error.message).to.contain('primary')
    })
    it('that its key is no key, or may not do this', async () => {
      const unknown = await errorOf(clientWith('sk-nobody').chat.completions.create({ model: 'primary', ...hello }))
      expect([unknown.status, unknown.code, unknown.type]).to.deep.equal([401, 'unauthenticated', 'authentication_error'])
      const reader = clientWith(await tokenWith(['read']))
      const forbidden = await errorOf(reader.models.list() as unknown as Promise<unknown>)
      expect([forbidden.status, forbidden.code]).to.deep.equal([403, 'forbidden'])
    })
    it('what is wrong with its request, and where', async () => {
      const table: readonly (readonly [object, number, RegExp])[] = [
        [{ ...hello, n: 2 }, 400, /n must be 1/],
        [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }, 400, /messages\[0\]\.content\[0\]/],
        [{ messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }, 400, /messages\[0\]\.tool_call_id/],
        [{ messages: [{ role: 'robot', content: 'Hi' }] }, 400, /messages\[0\]\.role/],
        [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }] }] }, 400, /data URI/],
        [{ ...hello, tools: [{ type: 'web_search' }] }, 400, /tools\[0\]/],
        [{ ...hello, tool_choice: 'sometimes' }, 400, /tool_choice/],
        [{ ...hello, response_format: { type: 'xml' } }, 400, /response_format/],
        [{ ...hello, temperature: 'hot' }, 422, /body/],
        [{ messages: [] }, 422, /body/],
      ]
      for (const [body, status, message] of table) {
        const error = await errorOf(client.chat.completions.create({ model: 'primary', ...body } as never) as Promise<unknown>)
        expect(error.status, JSON.stringify(body)).to.equal(status)
        expect(error.message).to.match(message)
      }
      const kept = await errorOf(client.responses.create({ model: 'primary', input: 'Hi', previous_response_id: 'resp_1' }))
      expect([kept.status, kept.code]).to.deep.equal([400, 'unsupported_parameter'])
    })
  })
})
