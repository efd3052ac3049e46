import type { JsonObject } from '@agent-service/sdk'
import type { Replay } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = { type: 'image', media_type: 'image/png', data: png }
const text = (words: string) => ({ type: 'text', text: words })
const url = `data:image/png;base64,${png}`

const events = (...documents: readonly JsonObject[]): Replay => ({
  headers: { 'content-type': 'text/event-stream' },
  pieces: [Buffer.from(documents.map((document) => `data: ${JSON.stringify(document)}\n\n`).join(''))],
})
const json = (document: JsonObject): Replay => ({
  headers: { 'content-type': 'application/json' },
  pieces: [Buffer.from(JSON.stringify(document))],
})
const deltas = (...given: readonly JsonObject[]): Replay =>
  events(
    ...[...given, {}].map((delta, index) => ({ choices: [{ index: 0, delta, finish_reason: index === given.length ? 'stop' : null }] })),
  )
const message = (content: JsonObject): Replay => json({ choices: [{ index: 0, message: content, finish_reason: 'stop' }] })
const output = (...items: readonly JsonObject[]): JsonObject => ({ id: 'resp_1', status: 'completed', error: null, output: [...items] })
const generated = {
  type: 'image_generation_call',
  id: 'ig_1',
  status: 'completed',
  result: png,
  output_format: 'png',
  revised_prompt: 'A dot.',
}
const said = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Here.' }] }
const image = (address: string): JsonObject => ({ type: 'image_url', index: 0, image_url: { url: address } })

const link = '\n\n[Picture](https://example.org/a%20dot.png)\n\n'

/** By the name of the case: the protocol, the answer, and what becomes of it. */
const cases: Readonly<Record<string, readonly [family: string, replay: Replay, content: readonly object[]]>> = {
  'delta-images': ['completions', deltas({ content: 'Here: ' }, { content: '', images: [image(url)] }), [text('Here: '), picture]],
  'repeated-images': ['completions', deltas({ images: [image(url)] }, { images: [image(url)] }), [picture]],
  'message-images': ['completions', message({ content: 'Here', images: [image(url)] }), [text('Here'), picture]],
  'routed-images': ['huggingface', deltas({ images: [image(url)] }), [picture]],
  'content-parts': ['completions', message({ content: [{ type: 'text', text: 'Here' }, image(url)] }), [text('Here'), picture]],
  'output-image': ['completions', message({ content: [{ type: 'output_image', image_url: url }] }), [picture]],
  'in-markdown': [
    'completions',
    deltas({ content: '![dot](data:image/png;ba' }, { content: `se64,${png}) Done` }),
    [picture, text(' Done')],
  ],
  'at-an-address': ['completions', message({ content: null, images: [image('https://example.org/a dot.png')] }), [text(link)]],
  'wrong-type': ['completions', message({ content: null, images: [image(url.replace('png', 'jpeg'))] }), [picture]],
  'responses-whole': ['responses', json(output(generated, said)), [picture, text('Here.')]],
  'responses-stream': [
    'responses',
    events(
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'image_generation_call', id: 'ig_1', status: 'in_progress' } },
      { type: 'response.image_generation_call.partial_image', output_index: 0, partial_image_index: 0, partial_image_b64: 'AAAA' },
      { type: 'response.output_item.done', output_index: 0, item: generated },
      { type: 'response.output_item.done', output_index: 1, item: said },
      { type: 'response.completed', response: output(generated, said) },
    ),
    [picture, text('Here.')],
  ],
  'responses-parts': [
    'responses',
    json(
      output({
        ...said,
        content: [
          { type: 'output_text', text: 'Here.' },
          { type: 'output_image', image_url: url },
        ],
      }),
    ),
    [text('Here.'), picture],
  ],
}

const broken: Readonly<Record<string, Replay>> = {
  'broken-data': message({ content: null, images: [image('data:image/png;base64,????')] }),
  'no-picture': message({ content: null, images: [image('data:image/png;base64,PGI+')] }),
  'odd-address': message({ content: null, images: [image('blob:x')] }),
  'no-address': message({ content: null, images: [{ type: 'image_url' }] }),
}

const caseOf = (name: string, family: string, replay: Replay): MatrixCase => ({
  name,
  family,
  retries: 0,
  replays: () => [replay],
  fallback: false,
})

describe('pictures in the answer of a model', function () {
  this.timeout(60_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel([
      ...Object.entries(cases).map(([name, [family, replay]]) => caseOf(name, family, replay)),
      caseOf('again', 'responses', json(output(generated, said))),
      ...Object.entries(broken).map(([name, replay]) => caseOf(name, 'completions', replay)),
    ])
  })
  after(() => matrix?.close())

  for (const [name, [, , content]] of Object.entries(cases)) {
    it(`are parts of the message (${name})`, async () => {
      const { end, messages } = await matrix.ask(name)
      expect(end.name).to.equal('run.completed')
      expect(messages.at(-1)?.['content']).to.deep.equal(content)
    })
  }

  for (const name of Object.keys(broken)) {
    it(`become a sentence if they cannot be shown (${name})`, async () => {
      const { end, messages } = await matrix.ask(name)
      expect(end.name).to.equal('run.completed')
      const content = messages.at(-1)?.['content'] as readonly { readonly type: string; readonly text?: string }[] | undefined
      expect(content?.map(({ type }) => type)).to.deep.equal(['text'])
      expect(content?.[0]?.text).to.contain('The model made a picture that cannot be shown')
    })
  }

  it('that the tool of the vendor made go back as its item, with the data', async () => {
    const { chatId } = await matrix.ask('again')
    const stream = await matrix.person.stream()
    const { body } = await matrix.person.request('POST', `/api/chats/${chatId}/messages`, { content: 'Bigger.' })
    await stream.until((event) => event.data['run_id'] === (body['run'] as { readonly id: string }).id && event.name === 'run.completed')
    stream.close()
    const last = matrix.upstream.seen.filter(({ url }) => url.includes('/first/again/')).at(-1)
    const asked = JSON.parse(last?.body ?? '{}') as { readonly input?: readonly JsonObject[] }
    expect(asked.input?.find(({ type }) => type === 'image_generation_call')).to.include({ result: png, output_format: 'png' })
  })
})
