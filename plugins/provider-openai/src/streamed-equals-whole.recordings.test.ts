import {
  bytesOf,
  createRandom,
  cutRandomly,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  seedOfRun,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { completionsRecordings, openProviderRecordings } from './test-support/recordings.js'

type Fields = Readonly<Record<string, unknown>>
interface Answer extends Fields {
  readonly choices: readonly { readonly message: Fields; readonly finish_reason: string }[]
}

describe('an answer in one piece and the same answer streamed', () => {
  const seed = seedOfRun(process.env['SEED'])
  const random = createRandom(seed)
  const adapter = createTestAdapter()
  const library = openProviderRecordings(process.env['FIXTURES_DIR'])
  let replay: Replay = { pieces: [] }
  let server: ReplayServer

  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const answers = completionsRecordings(library).filter(({ kind, status }) => kind === 'json' && status < 300)

  for (const recording of answers) {
    it(`${recording.name}: the last event is the same (seed ${seed})`, async () => {
      const answer = recording.documents[0] as Answer
      replay = { headers: { 'content-type': 'application/json' }, pieces: [recording.bytes] }
      const whole = await outcomeOf(adapter, requestTo(server.baseUrl, { stream: false }))
      replay = { pieces: cutRandomly(bytesOf(streamOf(answer, random)), random) }
      const streamed = await outcomeOf(adapter, requestTo(server.baseUrl))
      expect(whole.finished).to.not.equal(undefined)
      expect(streamed.finished).to.deep.equal(whole.finished)
    })
  }
})

/** The stream that a vendor would send for an answer, in pieces of random length. */
function streamOf(answer: Answer, random: () => number): string {
  const { choices, usage, ...root } = answer
  const choice = choices[0]
  if (!choice) throw new Error('The recording has no choice.')
  const { message, ...rest } = choice
  const { content, tool_calls: calls, reasoning, reasoning_content: reasoningContent, reasoning_details: details, ...others } = message
  const deltas: Fields[] = [others]
  for (const piece of piecesOf(reasoningContent, random)) deltas.push({ reasoning_content: piece })
  for (const piece of piecesOf(reasoning, random)) deltas.push({ reasoning: piece })
  if (details !== undefined) deltas.push({ reasoning_details: details })
  if (Array.isArray(content)) deltas.push(...content.map((part) => ({ content: [part] })))
  for (const piece of piecesOf(content, random)) deltas.push({ content: piece })
  for (const [index, call] of ((calls as readonly Fields[] | null | undefined) ?? []).entries()) {
    const { name, arguments: text } = call['function'] as { readonly name: string; readonly arguments: string }
    deltas.push({ tool_calls: [{ index, id: call['id'], type: 'function', function: { name, arguments: '' } }] })
    for (const piece of piecesOf(text, random)) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const chunks = [
    ...deltas.map((delta) => ({ ...root, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...root, choices: [{ ...rest, delta: {} }] },
    { ...root, choices: [], usage },
  ]
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

function piecesOf(text: unknown, random: () => number): readonly string[] {
  if (typeof text !== 'string') return []
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const length = 1 + Math.floor(random() * 12)
    pieces.push(text.slice(start, start + length))
    start += length
  }
  return pieces
}
