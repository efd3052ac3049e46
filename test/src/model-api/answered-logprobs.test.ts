import { expect } from 'chai'
import OpenAI from 'openai'
import { type FieldsKernel, startFieldsKernel } from './support/fields-kernel.js'

const chatTokens = [
  { token: 'Hello, ', logprob: -0.5 },
  { token: 'world', logprob: -1.5 },
]
const plain = (list: readonly { readonly token: string; readonly logprob: number }[] | null | undefined) =>
  (list ?? []).map(({ token, logprob }) => ({ token, logprob }))

describe('log probabilities of the official client', function () {
  this.timeout(30_000)
  let fields: FieldsKernel
  let client: OpenAI

  before(async () => {
    fields = await startFieldsKernel()
    client = new OpenAI({ baseURL: `${fields.kernel.url}/v1`, apiKey: fields.person.token, maxRetries: 0 })
  })
  after(() => fields?.close())

  const messages = [{ role: 'user' as const, content: 'Hi' }]
  for (const model of ['completions', 'responses']) {
    it(`come with a chat completion, in one piece and streamed (${model})`, async () => {
      const asked = { model, messages, logprobs: true, top_logprobs: 1 }
      const whole = await client.chat.completions.create(asked)
      const content = whole.choices[0]?.logprobs?.content
      expect(plain(content)).to.deep.equal(chatTokens)
      expect(content?.[0]).to.deep.include({
        bytes: [...Buffer.from('Hello, ')],
        top_logprobs: [{ token: 'Hello, ?', logprob: -2, bytes: null }],
      })
      const seen: { readonly token: string; readonly logprob: number }[] = []
      let text = ''
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? ''
        seen.push(...(chunk.choices[0]?.logprobs?.content ?? []))
      }
      expect(text).to.equal('Hello, world')
      expect(plain(seen)).to.deep.equal(chatTokens)
    })

    it(`come with a response, in one piece and streamed (${model})`, async () => {
      const asked = { model, input: 'Hi', include: ['message.output_text.logprobs' as const], top_logprobs: 1 }
      const partOf = (response: OpenAI.Responses.Response) => {
        const [item] = response.output
        const [part] = item?.type === 'message' ? item.content : []
        return part?.type === 'output_text' ? part : undefined
      }
      const whole = await client.responses.create(asked)
      expect(plain(partOf(whole)?.logprobs)).to.deep.equal(chatTokens)
      expect(whole.top_logprobs).to.equal(1)
      const deltas: { readonly token: string; readonly logprob: number }[] = []
      let final: OpenAI.Responses.Response | undefined
      for await (const event of await client.responses.create({ ...asked, stream: true })) {
        if (event.type === 'response.output_text.delta') deltas.push(...event.logprobs)
        if (event.type === 'response.completed') final = event.response
      }
      expect(plain(deltas)).to.deep.equal(chatTokens)
      expect(final && partOf(final)?.logprobs).to.deep.equal(partOf(whole)?.logprobs)
    })
  }

  it('are absent unless they were asked for', async () => {
    const chat = await client.chat.completions.create({ model: 'completions', messages })
    expect(chat.choices[0]?.logprobs).to.equal(null)
    const response = await client.responses.create({ model: 'responses', input: 'Hi' })
    expect(JSON.stringify(response.output)).to.contain('"logprobs":[]')
  })

  it('need logprobs: true beside top_logprobs of a chat completion', async () => {
    expect(await fields.refusal('chat', 'completions', { top_logprobs: 2 })).to.include({ status: 400, param: 'top_logprobs' })
  })

  it('come with repeated metadata and the limit of calls of a response', async () => {
    const tools = [{ type: 'function' as const, name: 'f', parameters: {}, strict: null }]
    const response = await client.responses.create({
      ...{ model: 'responses', input: 'Hi', tools },
      ...{ parallel_tool_calls: false, metadata: { topic: 'x' } },
    })
    expect(response).to.deep.include({ parallel_tool_calls: false, metadata: { topic: 'x' } })
  })
})
