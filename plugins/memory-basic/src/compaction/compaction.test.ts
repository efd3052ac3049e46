import { once } from 'node:events'
import type { MemoryItem, MemoryRecord, MemoryScope } from '@agent-service/sdk/contracts/memory-backend'
import type { InferenceEvent, InferenceRequest } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { memoryCollection, userCollection, vectorCollection } from '../store/collections.js'
import { type BasicBench, type BasicOptions, startBasic } from '../test-support/basic-bench.js'

const { signal } = new AbortController()
const userId = 'user-1'
const hour = 3_600_000
const user: MemoryScope = { kind: 'user' }
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0, estimated: true } as const

type Answer = (request: InferenceRequest) => unknown

/** The notes that a request gives to the model. */
function notesOf({ messages }: InferenceRequest): readonly { readonly number: number; readonly text: string }[] {
  const [part] = messages.at(-1)?.content ?? []
  return JSON.parse(part?.type === 'text' ? part.text : '[]')
}

/** Merges all notes into their first sentences. */
const mergeAll: Answer = (request) => {
  const notes = notesOf(request)
  return { memories: [{ text: notes.map(({ text }) => text.split('.')[0]).join('. '), from: notes.map(({ number }) => number) }] }
}

/** The plugin with a model that answers by a function; each call is recorded before it is answered. */
async function start({ settings, groups = ['primary'] }: BasicOptions & { readonly groups?: readonly string[] } = {}) {
  const requests: InferenceRequest[] = []
  let answer: Answer = mergeAll
  let during: (() => Promise<unknown>) | undefined
  const bench = await startBasic({
    settings: { basic_compaction_token_threshold: 100, ...settings },
    inference: {
      groups: () => groups.map((name) => ({ name, provider: 'p', model: 'm', context_window: 128_000 })),
      async *infer(request, options): AsyncGenerator<InferenceEvent> {
        requests.push(request)
        await during?.()
        options.signal.throwIfAborted()
        const value = answer(request)
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        yield { type: 'response.finished', content: [{ type: 'text', text }], stop_reason: 'stop', usage }
      },
    },
  })
  let keys = 0
  return {
    ...bench,
    requests,
    answers: (next: Answer) => {
      answer = next
    },
    meanwhile: (work: (() => Promise<unknown>) | undefined) => {
      during = work
    },
    async say(
      text: string,
      { scope = user, chatId, of = userId }: { readonly scope?: MemoryScope; readonly chatId?: string; readonly of?: string } = {},
    ) {
      keys += 1
      const evidence = chatId === undefined ? {} : { evidence: { chatId } }
      const { id } = await bench.backend.remember({ userId: of, scope, text, key: `${keys}`, ...evidence }, { signal })
      await bench.clock.advance(1_000)
      return id
    },
    async sweep(afterMs = 2 * hour) {
      await bench.clock.advance(afterMs)
      return bench.backend.sweep?.({ signal })
    },
  }
}

const texts = async ({ backend }: BasicBench, of = userId): Promise<readonly string[]> =>
  (await items({ backend }, of)).map(({ text }) => text).sort()
const items = async ({ backend }: Pick<BasicBench, 'backend'>, of = userId): Promise<readonly MemoryItem[]> =>
  (await backend.list({ userId: of }, { limit: 100, signal })).items

const long = (subject: string): string => `${subject} likes oolong tea. ${'It is said that this went on for years and years. '.repeat(5)}`
const short = (...subjects: readonly string[]): string => subjects.map((subject) => `${subject} likes oolong tea`).join('. ')

describe('compaction of notes', () => {
  it('puts shorter texts in the place of long ones, with all that they come from', async () => {
    const bench = await start()
    await bench.say(long('Ada'), { chatId: 'chat-1' })
    await bench.say(long('Bob'), { chatId: 'chat-2' })
    expect(await bench.sweep()).to.deep.equal({ users: 1, more: false })
    const [item, ...others] = await items(bench)
    expect(others).to.deep.equal([])
    expect(item).to.deep.include({
      text: short('Ada', 'Bob'),
      kind: 'summary',
      scope: user,
      evidence: [{ chatId: 'chat-1' }, { chatId: 'chat-2' }],
    })
    const found = await bench.backend.search({ userId, text: 'oolong', limit: 9 }, { signal })
    expect(found.map((hit) => hit.item)).to.deep.equal([item])
    expect(await bench.backend.promptText({ userId, agentId: 'a', maxTokens: 100 }, { signal })).to.equal(`- ${short('Ada', 'Bob')}`)
    const [request] = bench.requests
    expect(request?.attribution).to.deep.equal({ userId, purpose: 'memory' })
    expect(request?.tools).to.deep.equal([])
  })

  it('waits for the interval, and leaves alone what is short', async () => {
    const bench = await start()
    await bench.say(long('Ada'))
    await bench.say(long('Bob'))
    await bench.say('Short.', { of: 'user-2' })
    expect(await bench.sweep(hour)).to.deep.equal({ users: 0, more: false })
    expect(await bench.sweep(hour)).to.deep.equal({ users: 2, more: false })
    expect(bench.requests).to.have.length(1)
    expect(await bench.sweep(24 * hour)).to.deep.equal({ users: 1, more: false })
    expect(await bench.sweep(24 * hour)).to.deep.equal({ users: 0, more: false })
  })

  it('does so for spaces and agents, each by its interval and by itself', async () => {
    const bench = await start()
    for (const name of ['Ada', 'Bob']) {
      await bench.say(long(name), { scope: { kind: 'space', spaceId: 'garden' } })
      await bench.say(long(name), { scope: { kind: 'agent', agentId: 'agent-1' } })
      await bench.say(`${name}.`)
    }
    await bench.sweep(hour)
    expect(bench.requests.map((request) => notesOf(request).length)).to.deep.equal([2])
    await bench.sweep(hour)
    expect(bench.requests.map((request) => notesOf(request).length)).to.deep.equal([2, 2])
    const kinds = (await items(bench)).filter(({ kind }) => kind === 'summary').map(({ scope }) => scope.kind)
    expect(kinds.sort()).to.deep.equal(['agent', 'space'])
    expect(await texts(bench)).to.include.members(['Ada.', 'Bob.'])
  })

  it('keeps what arrives meanwhile, and what a person changes or forgets meanwhile', async () => {
    const bench = await start()
    const ids = [await bench.say(long('Ada')), await bench.say(long('Bob')), await bench.say(long('Cy'))]
    bench.answers((request) => {
      const [one, two, three] = notesOf(request)
      return {
        memories: [
          { text: short('Ada'), from: [one?.number] },
          { text: short('Bob'), from: [two?.number] },
          { text: short('Cy'), from: [three?.number] },
        ],
      }
    })
    bench.meanwhile(async () => {
      await bench.say('Dora came later.')
      await bench.backend.change(ids[0] ?? '', { text: 'Ada likes coffee.' }, { userId, signal })
      await bench.backend.forget(ids[1] ?? '', { userId, signal })
    })
    await bench.sweep()
    expect(await texts(bench)).to.deep.equal(['Ada likes coffee.', short('Cy'), 'Dora came later.'])
  })

  it('gives a model nothing that a person pinned or corrected, or that another back end made', async () => {
    const bench = await start()
    const [pinned, corrected] = [await bench.say(long('Ada')), await bench.say(long('Bob'))]
    await bench.backend.change(pinned, { pinned: true }, { userId, signal })
    await bench.backend.change(corrected, { text: long('Bobby') }, { userId, signal })
    const times = { createdAt: '2025-01-01T00:00:00.000Z', updatedAt: '2025-01-01T00:00:00.000Z', fadesAt: null }
    const record = { format: 1, id: 'other', scope: user, kind: 'note', text: long('Eve'), pinned: false, evidence: [], ...times } as const
    async function* records() {
      yield { ...record, details: { pkm: { weight: 1 } } }
    }
    await bench.backend.import(userId, records(), { signal })
    await bench.say(long('Cy'))
    await bench.say(long('Dora'))
    await bench.sweep()
    expect(bench.requests.map((request) => notesOf(request).map(({ text }) => text))).to.deep.equal([[long('Cy'), long('Dora')]])
    expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bobby'), short('Cy', 'Dora'), long('Eve')])
  })

  const refused: readonly (readonly [what: string, answer: Answer])[] = [
    ['an empty one', () => ''],
    ['prose', () => 'I have shortened the notes for you.'],
    ['another form', () => ({ memories: 'none' })],
    ['a list of texts', () => [{ text: 'x', from: [1] }]],
    ['an empty text', () => ({ memories: [{ text: ' ', from: [1, 2] }] })],
    ['notes that do not exist', () => ({ memories: [{ text: 'Ada likes oolong tea', from: [1, 99] }] })],
    ['a note in two texts', () => ({ memories: [1, 2].map((number) => ({ text: 'Ada likes oolong tea', from: [1, number] })) })],
    ['no notes', () => ({ memories: [{ text: 'Ada likes oolong tea', from: [] }] })],
    ['a longer text', () => ({ memories: [{ text: `${long('Ada')} ${long('Bob')} ${'tea '.repeat(50)}`, from: [1, 2] }] })],
    ['another story', () => ({ memories: [{ text: 'The administrator trusts everything that Mallory says', from: [1, 2] }] })],
    [
      'a number of its own',
      () => ({ memories: [{ text: 'Ada likes oolong tea. It is said that this went on for 12 years', from: [1, 2] }] }),
    ],
    [
      'an address of its own',
      () => ({ memories: [{ text: 'Ada likes oolong tea. It is said years and years: https://evil.example/tea', from: [1, 2] }] }),
    ],
  ]
  for (const [what, answer] of refused)
    it(`changes nothing by an answer with ${what}`, async () => {
      const bench = await start()
      await bench.say(long('Ada'))
      await bench.say(long('Bob'))
      bench.answers(answer)
      await bench.sweep()
      expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bob')])
      expect(await bench.backend.revisions?.(userId, { signal })).to.deep.equal([])
      expect(bench.context.lines.map(({ message }) => message)).to.deep.equal(['A compaction of memories is not used.'])
      expect(JSON.stringify(bench.context.lines)).to.not.include('oolong')
    })

  it('takes an answer in a fence, and leaves notes alone that it does not name', async () => {
    const bench = await start()
    for (const name of ['Ada', 'Bob', 'Cy']) await bench.say(long(name))
    bench.answers(() => `\`\`\`json\n${JSON.stringify({ memories: [{ text: short('Ada', 'Cy'), from: [1, 3] }] })}\n\`\`\``)
    await bench.sweep()
    expect(await texts(bench)).to.deep.equal([short('Ada', 'Cy'), long('Bob')])
  })

  it('asks again an interval after a failure, but not about notes that it could do nothing with', async () => {
    const bench = await start()
    await bench.say(long('Ada'))
    await bench.say(long('Bob'))
    bench.answers(() => {
      throw new Error('overloaded')
    })
    await bench.sweep()
    expect(bench.context.lines.map(({ level }) => level)).to.deep.equal(['warn'])
    bench.answers(() => ({ memories: [] }))
    await bench.sweep()
    for (let times = 0; times < 3; times += 1) await bench.sweep()
    expect(bench.requests).to.have.length(2)
    expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bob')])
    bench.answers(mergeAll)
    await bench.say('Cy. And more.')
    await bench.sweep()
    expect(await texts(bench)).to.deep.equal([`${short('Ada', 'Bob')}. Cy`])
  })

  it('goes on behind notes that it could do nothing with, and rests at the end', async () => {
    const bench = await start()
    const at = (index: number): string => new Date(Date.UTC(2025, 0, 1, 0, 0, index)).toISOString()
    async function* records() {
      for (let index = 0; index < 450; index += 1)
        yield {
          ...({ format: 1, id: `note-${index}`, scope: user, kind: 'note', text: `Fact ${index}`, pinned: false } as const),
          ...{ createdAt: at(index), updatedAt: at(index), fadesAt: null, evidence: [] },
        }
    }
    await bench.backend.import(userId, records(), { signal })
    bench.answers(() => ({ memories: [] }))
    for (let count = 0; count < 5; count += 1) await bench.sweep()
    const firsts = bench.requests.map((request) => notesOf(request)[0]?.text)
    expect(firsts).to.deep.equal(['Fact 0', 'Fact 200', 'Fact 400'])
  })

  it('leaves nothing of a user who is erased meanwhile', async () => {
    for (const answer of [mergeAll, (() => 'no') satisfies Answer]) {
      const bench = await start()
      await bench.say(long('Ada'))
      await bench.say(long('Bob'))
      bench.answers(answer)
      bench.meanwhile(() => bench.backend.erase(userId, { signal }))
      await bench.sweep()
      for (const collection of [memoryCollection, userCollection, vectorCollection] as const)
        expect((await bench.database.collection(collection as typeof userCollection).query({ index: 'by_user' })).items).to.deep.equal([])
    }
  })

  it('loses nothing when the process ends in the middle, and goes on later', async () => {
    const bench = await start()
    await bench.say(long('Ada'))
    await bench.say(long('Bob'))
    const controller = new AbortController()
    bench.meanwhile(async () => {
      controller.abort(new Error('killed'))
    })
    await bench.clock.advance(2 * hour)
    const failure = await bench.backend.sweep?.({ signal: controller.signal }).catch((error: unknown) => error)
    expect(failure).to.equal(controller.signal.reason)
    bench.meanwhile(undefined)
    const backend = await bench.reopen()
    expect(await texts({ ...bench, backend })).to.deep.equal([long('Ada'), long('Bob')])
    await bench.clock.advance(2 * hour)
    await backend.sweep?.({ signal })
    expect(await texts({ ...bench, backend })).to.deep.equal([short('Ada', 'Bob')])
  })

  it('ends a call that takes too long', async () => {
    const bench = await start()
    await bench.say(long('Ada'))
    await bench.say(long('Bob'))
    const waits = new EventTarget()
    bench.meanwhile(() => {
      waits.dispatchEvent(new Event('asked'))
      return new Promise(() => undefined)
    })
    const asked = once(waits, 'asked')
    const swept = bench.sweep()
    await asked
    await bench.clock.advance(180_000)
    expect(await swept).to.deep.equal({ users: 1, more: false })
    expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bob')])
  })

  it('lets users take turns, those who have waited longest first', async () => {
    const bench = await start()
    const agents = ['1', '2', '3'].map((id): MemoryScope => ({ kind: 'agent', agentId: id }))
    for (const scope of agents) for (const name of ['Ada', 'Bob']) await bench.say(long(name), { scope, of: 'greedy' })
    for (const name of ['Ada', 'Bob']) await bench.say(long(name), { of: 'modest' })
    await bench.sweep()
    const payers = bench.requests.map(({ attribution }) => attribution?.userId)
    expect(payers).to.have.length(4)
    expect(payers.slice(0, 2).sort()).to.deep.equal(['greedy', 'modest'])
  })
})

describe('the model of a compaction', () => {
  const groupOf = async (
    options: Parameters<typeof start>[0],
    prepare: (bench: Awaited<ReturnType<typeof start>>) => void,
    scope: MemoryScope = user,
  ) => {
    const bench = await start(options)
    prepare(bench)
    await bench.say(long('Ada'), { scope, chatId: 'chat-1' })
    await bench.say(long('Bob'), { scope, chatId: 'chat-2' })
    await bench.sweep()
    expect(bench.requests).to.have.length(1)
    return bench.requests[0]?.group
  }
  const chat = {
    title: null,
    spaceId: null,
    hidden: false,
    active: false,
    updatedAt: '2026-01-01T00:00:00.000Z',
    guests: false,
    messageCount: 0,
    items: [],
  }
  const withAgents = (bench: Awaited<ReturnType<typeof start>>): void => {
    bench.chats.put(userId, 'chat-1', { ...chat, agentId: 'first' })
    bench.chats.put(userId, 'chat-2', { ...chat, agentId: 'second' })
    const details = bench.agents.details
    Object.assign(bench.agents, {
      details: async (of: string, id: string) => {
        const [some] = await bench.agents.list(of)
        const found = some && (await details(of, some.id))
        return found && { ...found, id, modelGroup: `group-of-${id}` }
      },
    })
  }

  it('is that of the settings where it is defined', async () => {
    expect(await groupOf({ groups: ['primary', 'memory'] }, withAgents)).to.equal('memory')
    expect(await groupOf({ groups: ['primary', 'small'], settings: { model_group: 'small' } }, withAgents)).to.equal('small')
  })

  it('is otherwise that of the agent whose memory it is, or who wrote last', async () => {
    expect(await groupOf({}, withAgents, { kind: 'agent', agentId: 'gardener' })).to.equal('group-of-gardener')
    expect(await groupOf({}, withAgents)).to.equal('group-of-second')
    expect(await groupOf({}, withAgents, { kind: 'space', spaceId: 'garden' })).to.equal('group-of-second')
  })

  it('is “primary” where no agent is known', async () => {
    expect(await groupOf({}, () => undefined)).to.equal('primary')
  })
})

describe('texts before a compaction', () => {
  const day = 24 * hour
  const compacted = async () => {
    const bench = await start()
    await bench.say(long('Ada'), { chatId: 'chat-1' })
    await bench.say(long('Bob'), { chatId: 'chat-2' })
    await bench.sweep()
    const revisions = (await bench.backend.revisions?.(userId, { signal })) ?? []
    return { bench, revisions, restore: (id = revisions[0]?.id ?? '', of = userId) => bench.backend.restore?.(id, { userId: of, signal }) }
  }

  it('come back in place of what was made of them, and what was said since stays', async () => {
    const { bench, revisions, restore } = await compacted()
    expect(revisions).to.have.length(1)
    expect(revisions[0]).to.deep.include({ scope: user, text: `- ${long('Ada')}\n- ${long('Bob')}` })
    await bench.say('Cy came later.')
    expect(await restore(undefined, 'user-2')).to.equal(false)
    expect(await restore()).to.equal(true)
    expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bob'), 'Cy came later.'])
    expect(await restore()).to.equal(false)
    expect(await bench.backend.revisions?.(userId, { signal })).to.deep.equal([])
  })

  it('come back through later compactions too', async () => {
    const { bench, restore } = await compacted()
    await bench.say(long('Cy'))
    await bench.say(long('Dora'))
    await bench.sweep()
    expect(await items(bench)).to.have.length(1)
    expect(await bench.backend.revisions?.(userId, { signal })).to.have.length(2)
    await restore()
    expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bob'), long('Cy'), long('Dora')])
  })

  it('come back for seven days, then they are gone', async () => {
    const { bench, restore } = await compacted()
    await bench.clock.advance(7 * day - 1)
    expect(await bench.backend.revisions?.(userId, { signal })).to.have.length(1)
    await bench.clock.advance(1)
    expect(await restore()).to.equal(false)
    await bench.backend.sweep?.({ signal })
    expect((await bench.data.size(userId, { signal })).records).to.equal(1)
  })

  it('leave what a person has made of them', async () => {
    const { bench, restore } = await compacted()
    const [made] = await items(bench)
    await bench.backend.change(made?.id ?? '', { text: 'They drink tea.' }, { userId, signal })
    await restore()
    expect(await texts(bench)).to.deep.equal([long('Ada'), long('Bob'), 'They drink tea.'])
  })

  it('are forgotten with what was made of them', async () => {
    const { bench, restore } = await compacted()
    const [made] = await items(bench)
    expect(await bench.backend.forget(made?.id ?? '', { userId, signal })).to.equal(true)
    expect([await bench.backend.revisions?.(userId, { signal }), await restore()]).to.deep.equal([[], false])
    const exported: string[] = []
    for await (const record of bench.backend.export(userId, { signal })) exported.push(record.text)
    expect(exported).to.deep.equal(['', '', ''])
  })

  it('are kept for each text by itself', async () => {
    const bench = await start()
    for (const name of ['Ada', 'Bob', 'Cy', 'Dora']) await bench.say(long(name))
    bench.answers(() => ({
      memories: [
        { text: short('Ada', 'Bob'), from: [1, 2] },
        { text: short('Cy', 'Dora'), from: [3, 4] },
      ],
    }))
    await bench.sweep()
    const made = (await items(bench)).find(({ text }) => text.startsWith('Ada'))
    await bench.backend.forget(made?.id ?? '', { userId, signal })
    const revisions = (await bench.backend.revisions?.(userId, { signal })) ?? []
    expect(revisions.map(({ text }) => text)).to.deep.equal([`- ${long('Cy')}\n- ${long('Dora')}`])
    await bench.backend.restore?.(revisions[0]?.id ?? '', { userId, signal })
    expect(await texts(bench)).to.deep.equal([long('Cy'), long('Dora')])
  })

  it('are taken apart again when a chat that they come from is deleted', async () => {
    const { bench } = await compacted()
    const change = { userId, chatId: 'chat-1', agentId: 'a', spaceId: null, reason: 'deleted', at: '2026-01-02T00:00:00.000Z' } as const
    await bench.backend.chatChanged(change, { signal })
    expect(await texts(bench)).to.deep.equal([long('Bob')])
  })

  it('are not in an export, and an import of it before changes nothing', async () => {
    const bench = await start()
    await bench.say(long('Ada'))
    await bench.say(long('Bob'))
    const before: MemoryRecord[] = []
    for await (const record of bench.backend.export(userId, { signal })) before.push(record)
    await bench.sweep()
    async function* records() {
      yield* before
    }
    await bench.backend.import(userId, records(), { signal })
    expect(await texts(bench)).to.deep.equal([short('Ada', 'Bob')])
  })
})
