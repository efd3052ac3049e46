import { expect } from 'chai'
import type OpenAI from 'openai'
import { cut, errorOf, everything, type OpenAiKernel, startOpenAiKernel, weather } from './support/openai-kernel.js'

describe('responses of the official client', () => {
  let openai: OpenAiKernel

  before(async () => {
    openai = await startOpenAiKernel()
  })
  after(() => openai?.close())

  it('in one piece: text, reasoning, calls, usage', async () => {
    openai.answer(everything)
    const response = await openai.client.responses.create({ model: 'primary', input: 'Hi', instructions: 'Be brief.' })
    expect(response.output_text).to.equal('I look.')
    expect(response.output.map(({ type }) => type)).to.deep.equal(['reasoning', 'message', 'function_call'])
    expect(response.output[2]).to.deep.include({ call_id: 'call-1', name: 'weather', arguments: '{"place":"Oslo"}', status: 'completed' })
    expect(response.usage).to.deep.include({ input_tokens: 10, output_tokens: 5, total_tokens: 15 })
    expect(openai.asked().messages[0]).to.deep.equal({ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] })
  })

  it('streamed, assembled by the client, are the same', async () => {
    openai.answer(everything)
    const whole = await openai.client.responses.create({ model: 'primary', input: 'Hi' })
    const stream = openai.client.responses.stream({ model: 'primary', input: 'Hi' })
    const streamed = await stream.finalResponse()
    const plain = ({ output }: { readonly output: readonly object[] }) =>
      output.map((item) => JSON.parse(JSON.stringify({ ...item, id: '', parsed_arguments: undefined })) as object)
    expect(streamed.output_text).to.equal(whole.output_text)
    expect(plain(streamed).map((item) => (item as { type: string }).type)).to.deep.equal(['reasoning', 'message', 'function_call'])
    expect(streamed.usage).to.deep.equal(whole.usage)
  })

  it('continue a conversation with their items', async () => {
    openai.answer(everything)
    const first = await openai.client.responses.create({ model: 'primary', input: 'Hi' })
    await openai.client.responses.create({
      model: 'primary',
      input: [
        { role: 'user', content: 'Hi' },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: 'call-1', output: 'rain' },
      ],
      tools: [{ type: 'function', strict: false, ...weather }],
    })
    expect(openai.asked().messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool'])
    expect(openai.asked().messages[1]?.content.map(({ type }) => type)).to.deep.equal(['reasoning', 'text', 'tool_call'])
    expect(openai.asked().tools).to.deep.equal([{ ...weather, strict: false }])
  })

  it('end with response.failed if the stream is interrupted', async () => {
    openai.answer(cut)
    const types: string[] = []
    const stream = await openai.client.responses.create({ model: 'primary', input: 'Hi', stream: true })
    for await (const event of stream) types.push(event.type)
    expect(types.at(-1)).to.equal('response.failed')
    expect(types).to.not.include('response.completed')
  })

  it('are not stored, so a previous response is refused', async () => {
    const kept = await errorOf(openai.client.responses.create({ model: 'primary', input: 'Hi', previous_response_id: 'resp_1' }))
    expect([kept.status, kept.code]).to.deep.equal([400, 'unsupported_parameter'])
  })
})
