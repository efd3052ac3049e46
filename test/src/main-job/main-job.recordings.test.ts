import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { type ExpectedAnswer, expectedAnswer } from '../support/expected-answer.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { type Recording, readRecordings } from '../support/recordings.js'
import { type ReplayUpstream, startReplayUpstream } from '../support/replay-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const brands = ['deepseek', 'groq', 'huggingface', 'mistral', 'moonshot', 'openrouter', 'perplexity', 'together', 'xai']
const recordings = [...readRecordings('openai-chat'), ...brands.flatMap((brand) => readRecordings(`openai-compat/${brand}`))]

interface Part {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly arguments?: unknown
}

interface Message {
  readonly id: string
  readonly role: string
  readonly status: string
  readonly content: readonly Part[]
}

describe('the main job on real input', function () {
  this.timeout(60_000)
  const seed = seedOfRun()
  const random = createRandom(seed)
  const closing: Recording = {
    name: 'closing',
    kind: 'whole',
    status: 200,
    contentType: 'application/json',
    truncated: false,
    body: Buffer.from('{"choices":[{"index":0,"message":{"role":"assistant","content":"That was all."},"finish_reason":"stop"}]}'),
  }
  let upstream: ReplayUpstream
  let service: ServiceProcess
  let person: Api
  let stream: EventStream

  before(async () => {
    process.stdout.write(`    SEED=${seed}\n`)
    upstream = await startReplayUpstream(random)
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-main-job-'))
    await writeConfiguration(folder, upstream.url)
    service = await startServiceProcess({ folder, environment: { UPSTREAM_KEY: 'upstream-key-0123456789' } })
    person = await signUp(service.url, 'ada')
    stream = await person.stream()
  })

  after(async () => {
    stream?.close()
    await service?.stop()
    await upstream?.close()
    if (service) await removeFolder(service.folder)
  })

  /** Says something and waits for the end of the run. */
  const converse = async (content: string) => {
    const chat = (await person.request('POST', '/api/chats', {})).body as { readonly id: string }
    const posted = await person.request('POST', `/api/chats/${chat.id}/messages`, { content })
    expect(posted.status).to.equal(202)
    const runId = (posted.body['run'] as { readonly id: string }).id
    const end = await stream.until((event) => event.data['run_id'] === runId && ['run.completed', 'run.failed'].includes(event.name))
    const page = await person.request('GET', `/api/chats/${chat.id}/messages`)
    const run = await person.request('GET', `/api/runs/${runId}`)
    return {
      end,
      messages: page.body['items'] as readonly Message[],
      run: run.body,
      events: stream.events.filter((event) => event.data['run_id'] === runId),
    }
  }

  for (const recording of recordings) {
    it(`brings ${recording.name} to the person who asked`, async () => {
      const expected = expectedAnswer(recording)
      // A refusal is refused again, however the request is mended.
      upstream.answerWith(...(recording.status >= 400 ? [recording, recording, recording] : [recording, closing]))
      const { end, messages, run, events } = await converse('Please answer.')
      const answer = messages.find((message) => message.role === 'assistant')
      const streamed = textFromDeltas(events, answer?.id)

      if (recording.truncated || expected.failed || recording.status >= 400) {
        expect(end.name).to.equal('run.failed')
        expect(run['status']).to.equal('failed')
        expect(answer?.status).to.equal(expected.text === '' ? 'failed' : 'partial')
        expect(textOf(answer)).to.equal(expected.text)
        expect(answer?.content.filter((part) => part.type === 'tool_call') ?? []).to.deep.equal([])
        return
      }
      if (isOnlyReasoning(expected.text)) {
        expect([end.name, (end.data['failure'] as { readonly code: string }).code]).to.deep.equal(['run.failed', 'answer_cut'])
        expect(answer?.content).to.deep.equal([{ type: 'reasoning', text: expected.text.replace(/^<think>\s*/, '') }])
        return
      }
      expect(end.name, JSON.stringify(end.data)).to.equal('run.completed')
      expect(answer?.status).to.equal('complete')
      expect(textOf(answer)).to.equal(expected.text)
      expect(streamed).to.equal(expected.text)
      expect(
        answer?.content.filter((part) => part.type === 'tool_call').map((part) => ({ name: part.name, arguments: part.arguments })),
      ).to.deep.equal(expected.toolCalls)
      const recorded = events.find((event) => event.name === 'usage.recorded')?.data
      expect(recorded?.['stop_reason']).to.be.oneOf(stopReasons(expected))
      const usage = recorded?.['usage'] as { readonly input_tokens: number }
      if (expected.promptTokens !== undefined) expect(usage.input_tokens).to.equal(expected.promptTokens)
    })
  }

  it('never writes the key to its log', () => {
    expect(service.log.join('\n')).not.to.include('upstream-key-0123456789')
  })
})

/** Reasoning that ran into the limit of the output before anything was said. */
const isOnlyReasoning = (text: string): boolean => text.startsWith('<think>') && !text.includes('</think>')

/**
 * The words for a vendor's finish reason. Complete calls are calls, whatever the vendor says; a
 * refusal may be reported as an ordinary stop.
 */
function stopReasons(expected: ExpectedAnswer): readonly string[] {
  if (expected.toolCalls.length > 0) return ['tool_calls']
  if (expected.finishReason === 'length' || expected.finishReason === 'model_length') return ['length']
  if (expected.finishReason === 'content_filter') return ['content_filter']
  return ['stop', 'refusal']
}

const textOf = (message: Message | undefined): string =>
  (message?.content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')

/**
 * Puts a message's text together from its deltas alone, as a client does: each is written at its
 * offset.
 */
function textFromDeltas(
  events: readonly { readonly name: string; readonly data: Record<string, unknown> }[],
  messageId: string | undefined,
): string {
  const parts = new Map<number, string>()
  for (const { name, data } of events) {
    if (name !== 'text.delta' || data['message_id'] !== messageId) continue
    const part = Number(data['part'])
    const text = parts.get(part) ?? ''
    expect(Number(data['offset']), 'an offset beyond the text is a gap').to.be.at.most(text.length)
    parts.set(part, text.slice(0, Number(data['offset'])) + String(data['text']))
  }
  return [...parts.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('')
}
