import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { InferenceEvent, InferenceRequest, ModelGroup } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { newChat } from '../store/chats/chat.js'
import { type Message, messageCollection } from '../store/chats/message.js'
import { runCollection } from '../store/runs/run.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { queuedRun } from '../test-support/queued-run.js'
import { createTitleWriter } from './write-title.js'

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const finished = (text: string): InferenceEvent => ({
  ...{ type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage },
})
const group = (name: string, more: Partial<ModelGroup> = {}): ModelGroup => ({
  name,
  provider: 'p',
  model: 'm',
  context_window: 1_000,
  ...more,
})

describe('writing a title', () => {
  const begin = (options: {
    readonly events?: readonly InferenceEvent[]
    readonly groups?: readonly ModelGroup[]
    readonly messages?: readonly (readonly [Message['role'], string])[]
    readonly missing?: boolean
    /** The model group of the run that gave the answer. */
    readonly answeredBy?: string
  }) => {
    const { database, documents } = createMemoryDatabase()
    const messages = options.messages ?? [
      ['user', 'A question'],
      ['assistant', 'An answer'],
    ]
    for (const [sequence, [role, text]] of messages.entries()) {
      documents(messageCollection).set(String(sequence), {
        ...{
          id: String(sequence),
          chat_id: 'c',
          branch_id: 'c',
          user_id: 'u',
          run_id: 'r',
          role,
          status: 'complete',
          sequence,
          created_at: '',
        },
        content: [{ type: 'text', text }],
      })
    }
    documents(runCollection).set('r', queuedRun('r', 'u', { model_group: options.answeredBy ?? 'primary' }))
    const requests: InferenceRequest[] = []
    let taken = 0
    const writer = createTitleWriter({
      database,
      inference: {
        groups: () => options.groups ?? [group('primary'), group('small')],
        async *infer(request) {
          requests.push(request)
          for (const event of options.events ?? [finished('A title')]) {
            taken += 1
            yield event
          }
        },
      },
      resources: {
        list: async () => [],
        async read(path) {
          if (options.missing) throw notFoundError.create({ what: path })
          return 'Write a title.'
        },
      },
    })
    const chat = newChat({ id: 'c', user_id: 'u', agent_id: 'a', title: 'A question', message_count: messages.length }, 'now')
    const order = { attribution: { userId: 'u', runId: 'r' }, lostCalls: [], signal: new AbortController().signal }
    return {
      requests,
      taken: () => taken,
      write: () => writer.write(chat, order).catch((error: unknown) => error),
      asked: () => JSON.stringify(requests[0]?.messages),
    }
  }

  it('asks the group “title” if there is one, else “small”', async () => {
    const both = begin({ groups: [group('small'), group('title', { max_tokens: 20 }), group('primary')] })
    expect(await both.write()).to.equal('A title')
    expect(both.requests[0]).to.deep.include({ group: 'title', tools: [], settings: { max_tokens: 20 } })
    const small = begin({})
    await small.write()
    expect(small.requests[0]).to.deep.include({ group: 'small', settings: { max_tokens: 256 } })
  })

  it('asks the group of the answer without them, or what stands in for it, with a shorter prompt', async () => {
    const messages: readonly (readonly [Message['role'], string])[] = [
      ['user', 'q'.repeat(50_000)],
      ['assistant', 'a'.repeat(50_000)],
    ]
    const own = begin({ groups: [group('primary'), group('deep')], answeredBy: 'deep', messages })
    expect(await own.write()).to.equal('A title')
    expect(own.requests[0]).to.deep.include({ group: 'deep', tools: [], settings: { max_tokens: 256 } })
    expect(own.asked().length).to.be.below(1_500)
    const gone = begin({ groups: [group('primary')], answeredBy: 'deep' })
    await gone.write()
    expect(gone.requests[0]).to.include({ group: 'primary' })
    const none = begin({ groups: [], answeredBy: 'primary' })
    expect(await none.write()).to.have.property('code', 'title_unusable')
    expect(none.requests).to.deep.equal([])
  })

  it('shows the model the first question and its first answer, shortened, and no more', async () => {
    const { write, asked } = begin({
      messages: [
        ['user', 'q'.repeat(50_000)],
        ['assistant', ''],
        ['tool', 'A result'],
        ['assistant', 'An answer'],
        ['user', 'Another question'],
        ['assistant', 'Another answer'],
      ],
    })
    await write()
    expect(asked()).to.include('qqq').and.include('An answer').and.not.include('A result').and.not.include('Another')
    expect(asked().length).to.be.below(3_000)
  })

  it('breaks off at the first repetition of a failed call, which would take minutes', async () => {
    const retrying: InferenceEvent = { type: 'attempt.retrying', attempt: 1, delay_ms: 1_000, failure: 'overloaded', reason: 'busy' }
    const { write, taken } = begin({ events: [retrying, finished('Too late')] })
    expect(await write()).to.have.property('code', 'title_failed')
    expect(taken()).to.equal(1)
    const renewed = begin({ events: [{ ...retrying, delay_ms: 0 }, finished('Renewed')] })
    expect(await renewed.write()).to.equal('Renewed')
  })

  it('fails without an answer, with one that has no words, and without its instructions', async () => {
    expect(await begin({ events: [] }).write()).to.have.property('code', 'title_failed')
    expect(await begin({ events: [finished('“”')] }).write()).to.have.property('code', 'title_unusable')
    const { write, requests } = begin({ missing: true })
    expect(await write()).to.have.property('code', 'title_unusable')
    expect(requests).to.deep.equal([])
  })
})
