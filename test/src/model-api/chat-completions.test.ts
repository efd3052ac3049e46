import { expect } from 'chai'
import { cut, errorOf, everything, failure, type OpenAiKernel, startOpenAiKernel, weather } from './support/openai-kernel.js'

describe('chat completions of the official client', () => {
  let openai: OpenAiKernel

  before(async () => {
    openai = await startOpenAiKernel()
  })
  after(() => openai?.close())

  it('lists model groups', async () => {
    const models = (await openai.client.models.list()).data.filter(({ id }) => !id.startsWith('agent/'))
    expect(models.map(({ id, object, owned_by: owner }) => [id, object, owner])).to.deep.equal([['primary', 'model', 'upstream']])
  })

  it('in one piece: text, reasoning, calls, usage', async () => {
    openai.answer(everything)
    const completion = await openai.client.chat.completions.create({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }] })
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

  it('streamed, assembled by the client, are the same', async () => {
    openai.answer(everything)
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const whole = await openai.client.chat.completions.create({ model: 'primary', messages })
    const stream = openai.client.chat.completions.stream({ model: 'primary', messages, stream_options: { include_usage: true } })
    const streamed = await stream.finalChatCompletion()
    expect(streamed.choices[0]?.message.content).to.equal(whole.choices[0]?.message.content)
    expect(streamed.choices[0]?.finish_reason).to.equal('tool_calls')
    expect(streamed.choices[0]?.message.tool_calls?.map((call) => 'function' in call && call.function.arguments)).to.deep.equal([
      '{"place":"Oslo"}',
    ])
    expect(streamed.usage).to.deep.equal(whole.usage)
  })

  it('pass the whole conversation, tools and settings to the model', async () => {
    openai.answer(everything)
    await openai.client.chat.completions.create({
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
    const { messages, tools, toolChoice, responseSchema, settings } = openai.asked()
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

  it('end with an error if the stream is interrupted, never as if they were complete', async () => {
    openai.answer(cut)
    const seen: string[] = []
    const stream = await openai.client.chat.completions.create({
      model: 'primary',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const error = await errorOf(
      (async () => {
        for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '')
      })(),
    )
    expect(seen.join('')).to.equal('Half an ')
    expect(error.code).to.equal('upstream_unavailable')
    const raw = await fetch(`${openai.agents.kernel.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${openai.ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'primary', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    const text = await raw.text()
    expect(text)
      .to.not.contain('[DONE]')
      .and.not.match(/"finish_reason":"/)
    expect(text.trim().split('\n').at(-1)).to.match(/^data: \{"error":\{"message":/)
  })

  it('have an error status if they fail before any output, streamed too', async () => {
    for (const stream of [false, true]) {
      openai.answer(async function* () {
        yield { type: 'response.started' }
        throw failure('rate_limited', 20)
      })
      const limited = await errorOf(
        openai.client.chat.completions.create({ model: 'primary', stream, messages: [{ role: 'user', content: 'Hi' }] }),
      )
      expect([limited.status, limited.code]).to.deep.equal([429, 'upstream_rate_limited'])
      expect(limited.message).to.contain('It was rate_limited.')
      openai.answer(async function* () {
        yield { type: 'response.started' }
        throw failure('bad_request')
      })
      const refused = await errorOf(
        openai.client.chat.completions.create({ model: 'primary', stream, messages: [{ role: 'user', content: 'Hi' }] }),
      )
      expect([refused.status, refused.code, refused.type]).to.deep.equal([400, 'upstream_rejected', 'invalid_request_error'])
    }
  })

  it('are counted for the caller', async () => {
    openai.answer(everything)
    const before = Number(((await openai.ada.request('GET', '/api/usage')).body['items'] as { calls: number }[])[0]?.calls)
    await openai.client.chat.completions.create({ model: 'primary', messages: [{ role: 'user', content: 'Hi' }] })
    const after = Number(((await openai.ada.request('GET', '/api/usage')).body['items'] as { calls: number }[])[0]?.calls)
    expect(after).to.equal(before + 1)
  })

  it('cancel the model call when the client disconnects', async () => {
    let leave: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      leave = resolve
    })
    openai.answer(async function* (_request, signal) {
      yield { type: 'response.started' }
      yield { type: 'text.delta', part: 0, text: 'Hi' }
      signal.addEventListener('abort', leave, { once: true })
      await gone
      throw signal.reason
    })
    const stream = await openai.client.chat.completions.create({
      model: 'primary',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'Hi') break
    await gone
  })

  describe('report, in the shape that clients expect,', () => {
    const hello = { messages: [{ role: 'user' as const, content: 'Hi' }] }
    it('an unknown model', async () => {
      const error = await errorOf(openai.client.chat.completions.create({ model: 'gpt-nobody', ...hello }))
      expect([error.status, error.code, error.type]).to.deep.equal([404, 'model_not_found', 'invalid_request_error'])
      expect(error.message).to.contain('primary')
    })
    it('an invalid key, or one without permission', async () => {
      const unknown = await errorOf(openai.clientWith('sk-nobody').chat.completions.create({ model: 'primary', ...hello }))
      expect([unknown.status, unknown.code, unknown.type]).to.deep.equal([401, 'unauthenticated', 'authentication_error'])
      const reader = openai.clientWith(await openai.tokenWith(['read']))
      const forbidden = await errorOf(reader.models.list() as unknown as Promise<unknown>)
      expect([forbidden.status, forbidden.code]).to.deep.equal([403, 'forbidden'])
    })
    it('what is wrong with the request, and where', async () => {
      const table: readonly (readonly [object, number, RegExp])[] = [
        [{ ...hello, n: 2 }, 400, /n must be 1/],
        [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }, 400, /messages\[0\]\.content\[0\]/],
        [{ messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }, 400, /messages\[0\]\.tool_call_id/],
        [{ messages: [{ role: 'robot', content: 'Hi' }] }, 400, /messages\[0\]\.role/],
        [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }] }] }, 400, /data URI/],
        [{ ...hello, tools: [{ type: 'web_search' }] }, 400, /tools\[0\]/],
        [{ ...hello, tool_choice: 'sometimes' }, 400, /tool_choice/],
        [{ ...hello, response_format: { type: 'xml' } }, 400, /response_format/],
        [{ ...hello, temperature: 'hot' }, 400, /temperature must be/],
        [{ messages: [] }, 400, /messages must/],
      ]
      for (const [body, status, message] of table) {
        const error = await errorOf(openai.client.chat.completions.create({ model: 'primary', ...body } as never) as Promise<unknown>)
        expect(error.status, JSON.stringify(body)).to.equal(status)
        expect(error.message).to.match(message)
      }
    })
  })
})
