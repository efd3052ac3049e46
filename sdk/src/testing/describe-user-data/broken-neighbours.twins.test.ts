import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { defineUserData, type UserData } from '../../contracts/user-data/index.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeUserData, type UserDataSubject } from './index.js'

interface Letter {
  readonly id: string
  readonly user: string
  readonly text: string
  readonly key: string
}

/** Letters in a store that answers a turn later, a page of three at a time. */
interface Letters {
  readonly stored: Letter[]
  page(userId: string, after?: string): Promise<readonly Letter[]>
  remove(id: string): Promise<void>
}

const pageSize = 3
const secretOf = (userId: string): string => `key to the letters of ${userId}`

function createLetters(): Letters {
  const stored: Letter[] = []
  return {
    stored,
    async page(userId, after = '') {
      await nextTurn()
      return stored.filter(({ id, user }) => user === userId && id > after).slice(0, pageSize)
    },
    async remove(id) {
      await nextTurn()
      const index = stored.findIndex((letter) => letter.id === id)
      if (index >= 0) stored.splice(index, 1)
    },
  }
}

async function* lettersOf(letters: Letters, userId: string): AsyncGenerator<Letter> {
  let after: string | undefined
  for (;;) {
    const page = await letters.page(userId, after)
    yield* page
    after = page.at(-1)?.id
    if (after === undefined) return
  }
}

const plain = (letters: Letters): UserData =>
  defineUserData({
    id: 'letters',
    collections: [],
    async *export(userId) {
      for await (const { id, text } of lettersOf(letters, userId)) yield { path: `${id}.json`, json: { text } }
    },
    async erase(userId, { signal }) {
      for await (const { id } of lettersOf(letters, userId)) {
        signal.throwIfAborted()
        await letters.remove(id)
      }
    },
    async size(userId) {
      let records = 0
      for await (const _letter of lettersOf(letters, userId)) records += 1
      return { records, bytes: records * 10 }
    },
    async handOver(userId, { setAside }) {
      let count = 0
      for await (const { id, text } of lettersOf(letters, userId)) {
        await setAside({ path: `${id}.json`, json: { text } })
        await letters.remove(id)
        count += 1
      }
      return [{ what: 'letters', count, outcome: 'set_aside' }]
    },
  })

type Change = (letters: Letters, data: UserData) => Partial<UserData>
type Given = Partial<Pick<UserDataSubject, 'acting' | 'fillMany' | 'secrets' | 'restarted' | 'stored'>>

async function outcome(change: Change, given: Given = {}) {
  const runner = createCollectingRunner()
  describeUserData({
    name: 'letters',
    runner,
    abortLimitMs: 500,
    create() {
      const letters = createLetters()
      let count = 0
      const write = (userId: string, texts: readonly string[]): void => {
        for (const text of texts) {
          count += 1
          letters.stored.push({
            id: `letter-${String(count).padStart(3, '0')}`,
            user: userId,
            text: `${text} to ${userId}`,
            key: secretOf(userId),
          })
        }
      }
      const create = (): UserData => {
        const data = plain(letters)
        return { ...data, ...change(letters, data) }
      }
      return {
        data: create(),
        restarted: create,
        fill: async (userId) => write(userId, ['hello', 'goodbye']),
        fillMany: async (userId) =>
          write(
            userId,
            Array.from({ length: 8 }, (_, index) => `number ${index}`),
          ),
        stored: (userId) => letters.stored.filter(({ text }) => text.endsWith(` to ${userId}`)).map(({ text }) => ({ text })),
        secrets: ['user-1', 'user-2'].map(secretOf),
        acting: (userId) => letters.stored.filter(({ user }) => user === userId).map(({ id }) => id),
        ...given,
      }
    },
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('user data letters › ', ''))
  return { failed, notes: runner.notes }
}

const secret = 'exports no secret'
const many = 'exports, counts and erases more than one page of records'
const manyHanded = 'hands over more than one page of records'
const apart = 'keeps users apart whose ids begin alike'
const atOnce = 'answers for several users at once as for each alone'
const done = 'has erased everything when it ends without an error, aborted or not'
const again = 'erases the rest when it is called again after an abort'
const handsAgain = 'hands over the rest when it is called again after an abort'
const acts = 'leaves nothing that acts for the former holder'
const hands = 'hands over, repeatedly, and nothing of others'
const whole = 'hands over what it says: whole copies, nothing of others, and nothing is lost unsaid'

const faults: readonly (readonly [string, Change, readonly string[]])[] = [
  [
    'an export of the first page',
    (letters) => ({
      async *export(userId) {
        for (const { id, text } of await letters.page(userId)) yield { path: `${id}.json`, json: { text } }
      },
    }),
    [many],
  ],
  [
    'an erasure of the first page',
    (letters) => ({
      async erase(userId) {
        for (const { id } of await letters.page(userId)) await letters.remove(id)
      },
    }),
    [many],
  ],
  [
    'a hand-over of the first page',
    (letters) => ({
      async handOver(userId, { setAside }) {
        const page = await letters.page(userId)
        for (const { id, text } of page) {
          await setAside({ path: `${id}.json`, json: { text } })
          await letters.remove(id)
        }
        return [{ what: 'letters', count: page.length, outcome: 'set_aside' }]
      },
    }),
    [manyHanded],
  ],
  [
    'an erasure that takes an id for the beginning of others',
    (letters) => ({
      async erase(userId) {
        for (const { id } of letters.stored.filter(({ user }) => user.startsWith(userId))) await letters.remove(id)
      },
    }),
    [apart],
  ],
  [
    'an export that takes an id for the beginning of others',
    (letters) => ({
      async *export(userId) {
        for (const { id, text } of letters.stored.filter(({ user }) => user.startsWith(userId)))
          yield { path: `${id}.json`, json: { text } }
      },
    }),
    [apart],
  ],
  [
    'exports at once that mix up their users',
    (letters) => {
      let current = ''
      return {
        async *export(userId) {
          current = userId
          await nextTurn()
          for await (const { id, text } of lettersOf(letters, current)) yield { path: `${id}.json`, json: { text } }
        },
      }
    },
    [atOnce],
  ],
  [
    'erasures at once of which one is forgotten',
    (_letters, data) => {
      let running: Promise<void> | undefined
      return {
        async erase(userId, options) {
          running ??= data.erase(userId, options)
          await running.finally(() => {
            running = undefined
          })
        },
      }
    },
    [atOnce],
  ],
  [
    'an erasure that calls an abort its end',
    (letters) => ({
      async erase(userId, { signal }) {
        for await (const { id } of lettersOf(letters, userId)) {
          if (signal.aborted) return
          await letters.remove(id)
        }
      },
    }),
    [done],
  ],
  [
    'an erasure that hides its failure',
    (_letters, data) => ({ erase: (userId, options) => data.erase(userId, options).catch(() => undefined) }),
    [done],
  ],
  [
    'a hand-over that calls an abort its end',
    (letters) => ({
      async handOver(userId, { setAside, signal }) {
        let count = 0
        for await (const { id, text } of lettersOf(letters, userId)) {
          if (signal.aborted) break
          await setAside({ path: `${id}.json`, json: { text } })
          await letters.remove(id)
          count += 1
        }
        return [{ what: 'letters', count, outcome: 'set_aside' }]
      },
    }),
    [handsAgain],
  ],
  [
    'an erasure whose rest only the process finds that began it',
    (letters) => {
      const begun = new Map<string, string[]>()
      return {
        async erase(userId, { signal }) {
          const own = letters.stored.filter(({ user }) => user === userId).map(({ id }) => id)
          const ids = [...(begun.get(userId) ?? []), ...own]
          begun.set(userId, ids)
          for (const [index, letter] of letters.stored.entries())
            if (ids.includes(letter.id)) letters.stored[index] = { ...letter, user: '' }
          for (const id of ids) {
            signal.throwIfAborted()
            await letters.remove(id)
          }
          begun.delete(userId)
        },
      }
    },
    [again],
  ],
  [
    'an export with a key in it',
    (letters) => ({
      async *export(userId) {
        for await (const { id, text, key } of lettersOf(letters, userId)) yield { path: `${id}.json`, json: { text, key } }
      },
    }),
    [secret],
  ],
  [
    'an export with an encoded key in it',
    (letters) => ({
      async *export(userId) {
        for await (const { id, text, key } of lettersOf(letters, userId))
          yield { path: `${id}.json`, json: { text, key: Buffer.from(key).toString('base64') } }
      },
    }),
    [secret],
  ],
  [
    'copies with a key in them',
    (letters) => ({
      async handOver(userId, { setAside }) {
        let count = 0
        for await (const { id, text, key } of lettersOf(letters, userId)) {
          await setAside({ path: `${id}.json`, json: { text, key } })
          await letters.remove(id)
          count += 1
        }
        return [{ what: 'letters', count, outcome: 'set_aside' }]
      },
    }),
    [whole],
  ],
  [
    'a hand-over that leaves the last letter at work',
    (letters) => ({
      async handOver(userId, { setAside }) {
        const own = letters.stored.filter(({ user }) => user === userId).slice(0, -1)
        for (const { id, text } of own) {
          await setAside({ path: `${id}.json`, json: { text } })
          await letters.remove(id)
        }
        return [{ what: 'letters', count: own.length, outcome: 'set_aside' }]
      },
    }),
    [acts],
  ],
  ['a hand-over that says nothing', () => ({ handOver: async () => undefined as never }), [manyHanded, hands, whole, acts, handsAgain]],
]

describe('describeUserData, of users beside each other and of what is aborted', () => {
  it('passes data that keep the contract, and has nothing to say', async () => {
    expect(await outcome(() => ({}))).to.deep.equal({ failed: [], notes: [] })
    const none = {
      fillMany: 'not applicable',
      secrets: [],
      restarted: 'not applicable',
      stored: 'not applicable',
      acting: 'not applicable',
    } as const
    expect(await outcome(() => ({}), none)).to.deep.equal({ failed: [], notes: [] })
  })
  it('says what it did not check', async () => {
    const { failed, notes } = await outcome(() => ({}), {
      acting: undefined,
      fillMany: undefined,
      secrets: undefined,
      restarted: undefined,
    } as unknown as Given)
    expect(failed).to.deep.equal([])
    expect(notes).to.deep.equal([
      'user data letters: not checked, because “acting” was not given: nothing acts for the former holder after a hand-over',
      'user data letters: not checked, because “fillMany” was not given: what one page of a query does not hold is exported, counted, erased and handed over',
      'user data letters: not checked, because “secrets” was not given: no record of an export has a secret',
      'user data letters: not checked, because “restarted” was not given: another process does the rest of an aborted erasure',
    ])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect((await outcome(change)).failed).to.deep.equal(titles)
    })
  }
})
