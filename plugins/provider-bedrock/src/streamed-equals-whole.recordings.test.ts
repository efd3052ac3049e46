import {
  createRandom,
  cutRandomly,
  outcomeOf,
  type Recording,
  type Replay,
  type ReplayServer,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { framesOf } from './test-support/encode-frame.js'
import { converseRecordings, openProviderRecordings } from './test-support/recordings.js'

type Fields = Readonly<Record<string, unknown>>
interface Answer extends Fields {
  readonly output: { readonly message: { readonly content: readonly Fields[] } }
  readonly stopReason: string
}

describe('an answer in one piece and the same answer streamed', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answers = converseRecordings(openProviderRecordings(process.env['FIXTURES_DIR'])).filter(
    ({ kind, status }) => kind === 'json' && status < 300,
  )
  it('are there', () => expect(answers.length).to.be.greaterThan(8))

  /**
   * The last event of a recorded answer, in one piece and as the stream that the vendor would have
   * sent.
   */
  const both = async (answer: Answer) => {
    replay = { headers: { 'content-type': 'application/json' }, pieces: [Buffer.from(JSON.stringify(answer))] }
    const whole = await outcomeOf(adapter, converseRequest(server.baseUrl, { stream: false }))
    const pieces = cutRandomly(framesOf(streamOf(answer, random)), random)
    replay = { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces }
    const streamed = await outcomeOf(adapter, converseRequest(server.baseUrl))
    expect(whole.finished).to.not.equal(undefined)
    expect(streamed.finished).to.deep.equal(whole.finished)
    return streamed
  }

  for (const recording of answers) {
    it(`${recording.name}: the last event is the same (seed ${seed})`, () => both(answerOf(recording)))
  }

  it(`every kind of block: redacted reasoning, citations, an image, what the vendor's own tools did (seed ${seed})`, async () => {
    const { finished } = await both({
      output: {
        message: {
          content: [
            { reasoningContent: { redactedContent: 'ciphertext+/AAAA' } },
            {
              citationsContent: {
                content: [{ text: 'It is so.' }],
                citations: [{ title: 'A book', location: { web: { url: 'https://example.org/' } } }],
              },
            },
            { toolUse: { toolUseId: 's1', name: 'nova_grounding', input: { query: 'x' }, type: 'server_tool_use' } },
            { toolResult: { toolUseId: 's1', content: [{ text: 'found' }], type: 'nova_grounding_result' } },
            { image: { format: 'jpeg', source: { bytes: '/9j/4AAQ' } } },
            { text: '' },
            { toolUse: { toolUseId: 't1', name: 'look', input: { deep: [1, { ключ: '👋 \\ " \n' }] } } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      trace: { promptRouter: { invokedModelId: 'm' } },
      additionalModelResponseFields: { delta: { stop_sequence: null } },
    })
    expect(finished?.content).to.deep.equal([
      {
        type: 'reasoning',
        text: '',
        opaque: { vendor: 'bedrock-converse:custom:model-1', data: { redactedContent: 'ciphertext+/AAAA' } },
      },
      { type: 'text', text: 'It is so.' },
      { type: 'image', media_type: 'image/jpeg', data: '/9j/4AAQ' },
      { type: 'tool_call', call_id: 't1', provider_call_id: 't1', name: 'look', arguments: { deep: [1, { ключ: '👋 \\ " \n' }] } },
    ])
    expect(finished?.metadata).to.deep.equal({
      trace: { promptRouter: { invokedModelId: 'm' } },
      additionalModelResponseFields: { delta: { stop_sequence: null } },
      citations: [{ title: 'A book', location: { web: { url: 'https://example.org/' } } }],
    })
  })
})

const answerOf = (recording: Recording): Answer => recording.documents[0] as unknown as Answer

/** The events of the stream that a vendor would send for an answer, in pieces of random length. */
function streamOf(
  { output, stopReason, usage, metrics, trace, additionalModelResponseFields }: Answer,
  random: () => number,
): readonly Fields[] {
  const events: Fields[] = [{ messageStart: { role: 'assistant' } }]
  for (const [contentBlockIndex, block] of output.message.content.entries()) {
    const start = (value: unknown): number => events.push({ contentBlockStart: { contentBlockIndex, start: value } })
    const delta = (value: unknown): number => events.push({ contentBlockDelta: { contentBlockIndex, delta: value } })
    addBlock(block, { start, delta, random })
    events.push({ contentBlockStop: { contentBlockIndex } })
  }
  return [
    ...events,
    { messageStop: { stopReason, ...(additionalModelResponseFields !== undefined && { additionalModelResponseFields }) } },
    { metadata: { usage, ...(metrics !== undefined && { metrics }), ...(trace !== undefined && { trace }) } },
  ]
}

interface Sink {
  start(value: unknown): void
  delta(value: unknown): void
  random(): number
}

function addBlock(block: Fields, { start, delta, random }: Sink): void {
  const [reasoning, call, cited] = [block['reasoningContent'], block['toolUse'], block['citationsContent']] as readonly (
    | Fields
    | undefined
  )[]
  const image = block['image'] as (Fields & { readonly source: unknown }) | undefined
  if (reasoning) {
    const { text, signature } = (reasoning['reasoningText'] ?? {}) as { readonly text?: string; readonly signature?: string }
    for (const piece of piecesOf(text ?? '', random)) delta({ reasoningContent: { text: piece } })
    if (signature !== undefined) delta({ reasoningContent: { signature } })
    if (reasoning['redactedContent'] !== undefined) delta({ reasoningContent: reasoning })
  } else if (call) {
    const { input, ...head } = call
    start({ toolUse: head })
    for (const piece of piecesOf(JSON.stringify(input), random)) delta({ toolUse: { input: piece } })
  } else if (cited) {
    for (const piece of cited['content'] as readonly Fields[]) delta({ text: piece['text'] })
    for (const citation of cited['citations'] as readonly Fields[]) delta({ citation })
  } else if (block['toolResult'] !== undefined) {
    start({ toolResult: { toolUseId: 's1' } })
    delta({ toolResult: [{ text: 'found' }] })
  } else if (image) {
    start({ image: { format: image['format'] } })
    delta({ image: { source: image.source } })
  } else for (const piece of piecesOf(block['text'] as string, random)) delta({ text: piece })
}

function piecesOf(text: string, random: () => number): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const length = 1 + Math.floor(random() * 12)
    pieces.push(text.slice(start, start + length))
    start += length
  }
  return pieces
}
