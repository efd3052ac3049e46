import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type OpenAiKernel, startOpenAiKernel } from './support/openai-kernel.js'

type Json = Readonly<Record<string, unknown>>

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const images = [{ type: 'image_url', index: 0, image_url: { url: `data:image/png;base64,${png}` } }]
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }

async function* paints(): AsyncGenerator<ModelEvent> {
  yield { type: 'response.started' }
  yield { type: 'text.delta', part: 0, text: 'Here.' }
  const content = [
    { type: 'text' as const, text: 'Here.' },
    { type: 'image' as const, media_type: 'image/png', data: png },
  ]
  yield { type: 'response.finished', content, stop_reason: 'stop', usage }
}

describe('pictures that a model made, for clients of /v1', () => {
  let openai: OpenAiKernel
  let handle: string

  before(async () => {
    openai = await startOpenAiKernel()
    openai.answer(() => paints())
    const { body } = await openai.ada.request('GET', `/api/agents/${openai.ada.agentId}`)
    handle = `agent/${String(body['handle'])}`
  })
  after(() => openai?.close())

  const ask = async (path: string, body: Json): Promise<Response> => {
    const answer = await fetch(`${openai.agents.kernel.url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${openai.ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).to.equal(200)
    return answer
  }
  const streamed = async (answer: Response): Promise<readonly Json[]> =>
    (await answer.text()).split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Json] : []))
  const messages = [{ role: 'user', content: 'Paint a dot.' }]
  const firstChoice = (body: Json): Json => (body['choices'] as readonly Json[])[0] ?? {}

  for (const [what, model] of [
    ['a model', () => 'primary'],
    ['an agent', () => handle],
  ] as const) {
    it(`are in images of the message of ${what}`, async () => {
      const body = (await (await ask('chat/completions', { model: model(), messages })).json()) as Json
      expect(firstChoice(body)['message']).to.deep.include({ content: 'Here.', images })
    })

    it(`are in images of a chunk before the last one, of ${what}`, async () => {
      const chunks = await streamed(await ask('chat/completions', { model: model(), messages, stream: true }))
      const deltas = chunks.map((chunk) => firstChoice(chunk)['delta'] as Json)
      expect(deltas.filter((delta) => 'images' in delta)).to.deep.equal([{ images }])
      expect('images' in (deltas.at(-2) ?? {})).to.equal(true)
    })

    it(`are items of the response of ${what}`, async () => {
      const body = (await (await ask('responses', { model: model(), input: 'Paint a dot.' })).json()) as Json
      const [, item] = body['output'] as readonly Json[]
      expect(item).to.include({ type: 'image_generation_call', status: 'completed', result: png, output_format: 'png' })
      const events = await streamed(await ask('responses', { model: model(), input: 'Paint a dot.', stream: true }))
      const done = events.filter(({ type }) => type === 'response.output_item.done').map((event) => event['item'] as Json)
      expect(done.map(({ type }) => type)).to.deep.equal(['message', 'image_generation_call'])
    })
  }

  it('stay in an answer that is to be JSON, which is given as it came', async () => {
    const text = JSON.stringify({ markdown: `![dot](data:image/png;base64,${png})` })
    openai.answer(async function* () {
      yield { type: 'response.started' }
      yield { type: 'text.delta', part: 0, text }
      yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
    })
    const format = { type: 'json_schema', json_schema: { name: 'dot', schema: { type: 'object' } } }
    for (const stream of [false, true]) {
      const answer = await ask('chat/completions', { model: 'primary', messages, response_format: format, stream })
      const given = stream
        ? (await streamed(answer)).map((chunk) => (firstChoice(chunk)['delta'] as Json | undefined)?.['content'] ?? '').join('')
        : (firstChoice((await answer.json()) as Json)['message'] as Json)['content']
      expect(given).to.equal(text)
    }
    openai.answer(() => paints())
  })

  it('may be sent back with the answer', async () => {
    const assistant = { role: 'assistant', content: 'Here.', images }
    await ask('chat/completions', { model: 'primary', messages: [...messages, assistant, { role: 'user', content: 'Bigger.' }] })
    const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: png, output_format: 'png' }
    const input = [{ role: 'user', content: 'Paint.' }, item, { role: 'user', content: 'Bigger.' }]
    await ask('responses', { model: 'primary', input })
  })
})
