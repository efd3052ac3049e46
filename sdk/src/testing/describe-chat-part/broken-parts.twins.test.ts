import { expect } from 'chai'
import type { ChatPart, ChatPartPlace } from '../../contracts/chat-part/chat-part.js'
import type { JsonValue } from '../../core/json.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeChatPart } from './index.js'

type Notes = Map<string, JsonValue>
const keyOf = ({ userId, chatId }: ChatPartPlace): string => `${userId}/${chatId}`

const plainPart = (notes: Notes, isBroken: () => boolean = () => false): ChatPart => ({
  specVersion: 1,
  id: 'notes',
  title: 'Notes',
  async erase(chat) {
    if (isBroken()) throw new Error('The store is broken.')
    notes.delete(keyOf(chat))
  },
  async export(chat) {
    if (isBroken()) throw new Error('The store is broken.')
    return structuredClone(notes.get(keyOf(chat)))
  },
  async import(chat, data) {
    if (isBroken()) throw new Error('The store is broken.')
    if (!Array.isArray(data)) throw new Error('Expected a list of notes.')
    notes.set(keyOf(chat), structuredClone(data))
  },
})

/** Runs the suite against a modified part; returns the titles of the failed tests. */
async function failing(
  change: (notes: Notes, part: ChatPart, isBroken: () => boolean) => Partial<ChatPart>,
  note: JsonValue = ['Buy milk'],
): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeChatPart({
    name: 'plain',
    runner,
    abortLimitMs: 50,
    badData: ['text', { notes: 1 }],
    create() {
      const notes: Notes = new Map()
      let callsLeft = Number.POSITIVE_INFINITY
      const isBroken = () => {
        callsLeft -= 1
        return callsLeft < 0
      }
      const part = plainPart(notes, isBroken)
      return {
        part: { ...part, ...change(notes, part, isBroken) },
        fill: async (chat) => void notes.set(keyOf(chat), note),
        isKept: async (chat) => notes.has(keyOf(chat)),
        fillMuch: async (chat) =>
          void notes.set(
            keyOf(chat),
            Array.from({ length: 300 }, (_, index) => `Note ${index}`),
          ),
        state: (chat) => notes.get(keyOf(chat)) ?? null,
        breakStore(afterCalls) {
          callsLeft = afterCalls
        },
      }
    },
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('chat part plain › ', ''))
}

const erases = 'erases its data of a chat, and nothing of another'
const again = 'can erase again, and without data'
const aborted = 'erases the rest after an aborted call'
const nothing = 'exports nothing without data'
const plain = 'exports plain data without the ids of chat and user, and changes nothing'
const imports = 'imports its export, for another chat of another user'
const refuses = 'refuses data that it cannot import, and keeps nothing of it'
let exported = 0

const faults: readonly (readonly [string, (notes: Notes, part: ChatPart) => Partial<ChatPart>, readonly string[]])[] = [
  [
    'an export of all chats of the user',
    (notes) => ({
      export: async ({ userId }) => structuredClone([...notes].find(([key]) => key.startsWith(`${userId}/`))?.[1]),
    }),
    ['exports nothing of another chat'],
  ],
  [
    'an import that goes on after its abort',
    (notes, part) => ({
      async import(chat, data, options) {
        if (!options.signal.aborted) await part.import(chat, data, options)
        await new Promise((resolve) => setImmediate(resolve))
        if (options.signal.aborted) setImmediate(() => void notes.set(keyOf(chat), data))
      },
    }),
    ['leaves nothing of an import that was aborted and undone'],
  ],
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  ['an id that cannot be one', () => ({ id: 'My notes' }), [soundTitle]],
  ['a title of several lines', () => ({ title: 'One\ntwo' }), [soundTitle]],
  ['a time limit beyond the longest', () => ({ timeoutMs: 3_600_000 }), [soundTitle]],
  ['an erasure of nothing', () => ({ erase: async () => undefined }), [erases, again, aborted, imports]],
  ['an erasure of everything', (notes) => ({ erase: async () => notes.clear() }), [erases, imports]],
  [
    'an erasure that fails the second time',
    (notes) => ({
      erase: async (chat) => {
        if (!notes.delete(keyOf(chat))) throw new Error('There is nothing.')
      },
    }),
    [again, aborted, refuses],
  ],
  [
    'an erasure that continues after its abort',
    (_, part) => ({
      erase: (chat, options) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve(part.erase(chat, options)), 5)
          options.signal.addEventListener('abort', () => clearTimeout(timer))
        }),
    }),
    [aborted],
  ],
  ['an export without data that is not empty', (notes) => ({ export: async (chat) => notes.get(keyOf(chat)) ?? [] }), [nothing]],
  ['an export that is empty', () => ({ export: async () => undefined }), [plain, imports]],
  [
    'an export with the id of its user',
    (notes) => ({ export: async (chat) => (notes.has(keyOf(chat)) ? [chat.userId] : undefined) }),
    [plain, imports],
  ],
  [
    'an export that is not plain data',
    (notes) => ({ export: async (chat) => (notes.has(keyOf(chat)) ? [new Date(0) as never] : undefined) }),
    [plain],
  ],
  [
    'an export that is never the same',
    (notes) => ({
      export: async (chat) => {
        exported += 1
        return notes.has(keyOf(chat)) ? [exported] : undefined
      },
    }),
    [plain, imports],
  ],
  [
    'an export that deletes',
    (notes) => ({
      export: async (chat) => {
        const note = notes.get(keyOf(chat))
        notes.delete(keyOf(chat))
        return note
      },
    }),
    [plain, imports],
  ],
  ['an import of nothing', () => ({ import: async () => undefined }), [imports, refuses]],
  ['an import of anything', (notes) => ({ import: async (chat, data) => void notes.set(keyOf(chat), data) }), [refuses]],
  [
    'an import that changes what it was given',
    (_, part) => ({
      import: async (chat, data, options) => {
        await part.import(chat, data, options)
        if (Array.isArray(data)) (data as JsonValue[]).push('more')
      },
    }),
    [imports],
  ],
]

const much = 'erases, exports and imports much data of a chat whole'
const byHand = 'takes or refuses data that were changed by hand, for no other chat, and can be undone'
const listOf = (data: JsonValue | undefined): JsonValue[] => (Array.isArray(data) ? (data as JsonValue[]) : [])

const further: readonly (readonly [string, Parameters<typeof failing>[0], readonly string[]])[] = [
  [
    'an export of the first chat for every one',
    (notes) => ({ export: async () => structuredClone(notes.get(keyOf({ chatId: 'chat-1', userId: 'user-1' }))) }),
    ['exports nothing of another chat'],
  ],
  [
    'an export of the first page',
    (notes) => ({ export: async (chat) => (notes.has(keyOf(chat)) ? listOf(notes.get(keyOf(chat))).slice(0, 100) : undefined) }),
    [much],
  ],
  [
    'an erasure of the first page',
    (notes) => ({
      async erase(chat) {
        const rest = listOf(notes.get(keyOf(chat))).slice(100)
        if (rest.length === 0) notes.delete(keyOf(chat))
        else notes.set(keyOf(chat), rest)
      },
    }),
    [much],
  ],
  [
    'an import that leaves something out',
    (notes, part) => ({
      export: async (chat) => (notes.has(keyOf(chat)) ? listOf(notes.get(keyOf(chat))).map(() => 'Buy') : undefined),
      import: part.import.bind(part),
    }),
    [imports, much],
  ],
  [
    'an erasure that swallows errors',
    (_, part) => ({ erase: (chat, options) => part.erase(chat, options).catch(() => undefined) }),
    ['says so when its store fails, at once or in between: erase'],
  ],
  [
    'an erasure that passes over what it cannot delete',
    (notes, _, isBroken) => ({
      async erase(chat) {
        if (isBroken()) throw new Error('The store is broken.')
        if (!isBroken()) notes.delete(keyOf(chat))
      },
    }),
    ['says so when its store fails, at once or in between: erase'],
  ],
  [
    'an export that ends where its store does',
    (notes, _, isBroken) => ({
      async export(chat) {
        if (isBroken()) throw new Error('The store is broken.')
        const stored = notes.get(keyOf(chat))
        return stored === undefined ? undefined : listOf(stored).filter(() => !isBroken())
      },
    }),
    ['says so when its store fails, at once or in between: export'],
  ],
  [
    'an export that takes an error for nothing',
    (_, part) => ({ export: (chat, options) => part.export(chat, options).catch(() => undefined) }),
    ['says so when its store fails, at once or in between: export'],
  ],
  [
    'an import that does not wait for its store',
    (_, part, isBroken) => ({
      async import(chat, data, options) {
        if (isBroken()) part.import(chat, data, options).catch(() => undefined)
        else await part.import(chat, data, options)
      },
    }),
    ['says so when its store fails, at once or in between: import'],
  ],
  [
    'imports that share what they import into',
    (notes) => {
      let into = ''
      return {
        async import(chat, data) {
          if (!Array.isArray(data)) throw new Error('Expected a list of notes.')
          into = keyOf(chat)
          await Promise.resolve()
          notes.set(into, structuredClone(data))
        },
      }
    },
    ['imports several chats at once as if each were alone'],
  ],
  [
    'erasures that share what they erase',
    (notes) => {
      let from = ''
      return {
        async erase(chat) {
          from = keyOf(chat)
          await Promise.resolve()
          notes.delete(from)
        },
      }
    },
    ['erases chats at once as if each were alone'],
  ],
  [
    'an import into the chat that the data name',
    (notes, part) => ({
      async import(chat, data, options) {
        const named = (data as { readonly items?: readonly { readonly id: string }[] } | null)?.items?.[0]?.id
        if (named !== undefined) notes.set(keyOf({ chatId: named, userId: 'user-1' }), data)
        else await part.import(chat, data, options)
      },
    }),
    [byHand],
  ],
  [
    'an import that stores odd data elsewhere',
    (notes, part) => ({
      async import(chat, data, options) {
        if (data === null) notes.set(keyOf(chat), [])
        else await part.import(chat, data, options)
      },
      async erase(chat) {
        if (listOf(notes.get(keyOf(chat))).length > 0) notes.delete(keyOf(chat))
      },
    }),
    [byHand],
  ],
  [
    'an export that waits for an abort that has been',
    (_, part) => ({ export: (chat, options) => (options.signal.aborted ? new Promise(() => undefined) : part.export(chat, options)) }),
    ['ends an export that is aborted, and exports again'],
  ],
  [
    'an erasure that waits for an abort that has been',
    (_, part) => ({ erase: (chat, options) => (options.signal.aborted ? new Promise(() => undefined) : part.erase(chat, options)) }),
    [aborted],
  ],
]

describe('describeChatPart', () => {
  for (const [what, change, titles] of further) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
  it('passes a part that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
  it('catches an export that is too large', async () => {
    expect(await failing(() => ({}), ['x'.repeat(5 * 1024 * 1024)])).to.deep.equal([plain])
  })
  it('says what it did not check without data that are bad', () => {
    const runner = createCollectingRunner()
    describeChatPart({
      name: 'plain',
      runner,
      create: () => ({ part: plainPart(new Map()), fill: async () => undefined, isKept: async () => false }),
    })
    return runner
      .run()
      .then(() =>
        expect(runner.notes.map((note) => /“(.*?)”/.exec(note)?.[1])).to.deep.equal(['badData', 'fillMuch', 'state', 'breakStore']),
      )
  })
})
