import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { defineUserData, type HandOverOptions, type UserData } from '../../contracts/user-data/index.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { createMemoryDatabase } from '../memory-database/index.js'
import { describeUserData } from './index.js'

interface Note {
  readonly user: string
  readonly text: string
  readonly hidden?: true
}

type Change = (notes: Note[], data: UserData) => Partial<UserData>

const of = (notes: readonly Note[], userId: string): readonly Note[] => notes.filter(({ user }) => user === userId)
const seen = (notes: readonly Note[], userId: string): readonly Note[] => of(notes, userId).filter(({ hidden }) => !hidden)

/** Removes a note; in a turn of its own, as a database would. */
async function remove(notes: Note[], note: Note): Promise<void> {
  await nextTurn()
  const place = notes.indexOf(note)
  if (place >= 0) notes.splice(place, 1)
}

const plain = (notes: Note[]): UserData =>
  defineUserData({
    id: 'notes',
    collections: [],
    async *export(userId) {
      for (const { text } of seen(notes, userId)) yield { path: `${text}.json`, json: { text } }
    },
    async erase(userId, { signal }) {
      for (const note of of(notes, userId)) {
        signal.throwIfAborted()
        await remove(notes, note)
      }
    },
    size: async (userId) => ({
      records: seen(notes, userId).length,
      bytes: seen(notes, userId)
        .map(({ text }) => text)
        .join('').length,
    }),
  })

const handing =
  (change: (notes: Note[], userId: string, options: HandOverOptions, plainly: () => Promise<number>) => Promise<number>): Change =>
  (notes) => ({
    async handOver(userId, options) {
      const count = await change(notes, userId, options, async () => {
        const own = seen(notes, userId)
        for (const { text } of own) await options.setAside({ path: `${text}.json`, json: { text } })
        for (const note of own) await remove(notes, note)
        return own.length
      })
      return [{ what: 'notes', count, outcome: 'set_aside' }]
    },
  })

async function outcome(change: Change, withStored = true) {
  const runner = createCollectingRunner()
  describeUserData({
    name: 'notes',
    runner,
    abortLimitMs: 200,
    create() {
      const notes: Note[] = []
      const data = plain(notes)
      return {
        data: { ...data, ...change(notes, data) },
        async fill(userId) {
          for (const text of ['milk', 'bread', 'salt']) notes.push({ user: userId, text: `${text} of ${userId}` })
        },
        ...(withStored && { stored: (userId: string) => of(notes, userId).map(({ text }) => ({ text })) }),
        acting: 'not applicable',
        fillMany: 'not applicable',
        secrets: [],
        restarted: 'not applicable',
      }
    },
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('user data notes › ', ''))
  return { failed, notes: runner.notes }
}

const apart = 'keeps users apart whose ids begin alike'
const atOnce = 'answers for several users at once as for each alone'
const done = 'has erased everything when it ends without an error, aborted or not'
const every = 'exports every record of the user, and none of another'
const weighs = 'reports the size of one user, whatever others have'
const leaves = 'leaves nothing in the store of what it erases, and everything of others'
const again = 'erases the rest when it is called again after an abort'
const anew = 'erases what a user stores again after an erasure'
const same = 'exports the same again, also after an export that was aborted or left'
const whole = 'hands over what it says: whole copies, nothing of others, and nothing is lost unsaid'
const handsAgain = 'hands over the rest when it is called again after an abort'
const keeps = 'takes nothing away that could not be set aside'

const faults: readonly (readonly [string, Change, readonly string[]])[] = [
  [
    'an export that drops the last record',
    (notes) => ({
      async *export(userId) {
        for (const { text } of seen(notes, userId).slice(0, 2)) yield { path: `${text}.json`, json: { text } }
      },
    }),
    [every],
  ],
  [
    'an export that has records without what is in them',
    (notes) => ({
      async *export(userId) {
        for (const index of seen(notes, userId).keys()) yield { path: `${index}.json`, json: {} }
      },
    }),
    [every],
  ],
  [
    'an export with a record of the next user',
    (notes) => ({
      async *export(userId) {
        const first = notes.findIndex(({ user }) => user === userId)
        if (first >= 0) for (const { text } of notes.slice(first, first + 4)) yield { path: `${text}.json`, json: { text } }
      },
    }),
    [every, apart],
  ],
  [
    'an export that goes on where the last one ended',
    (notes) => {
      let place = 0
      return {
        async *export(userId) {
          for (const { text } of seen(notes, userId).slice(place)) {
            place += 1
            yield { path: `${text}.json`, json: { text } }
          }
          place = 0
        },
      }
    },
    [same, atOnce],
  ],
  [
    'an erasure that hides a record only',
    (notes) => ({
      async erase(userId) {
        const [first, ...others] = of(notes, userId)
        for (const note of others) await remove(notes, note)
        if (first !== undefined) notes.splice(notes.indexOf(first), 1, { ...first, hidden: true })
      },
    }),
    [leaves, again, done],
  ],
  [
    'an erasure that cannot go on after an abort',
    (notes, data) => {
      const begun = new Set<string>()
      return {
        async erase(userId, options) {
          if (begun.has(userId) && of(notes, userId).length > 0) throw new Error('It is being erased.')
          begun.add(userId)
          await data.erase(userId, options)
          begun.delete(userId)
        },
      }
    },
    [again],
  ],
  [
    'an erasure that remembers for good that it was done',
    (_notes, data) => {
      const erased = new Set<string>()
      return {
        async erase(userId, options) {
          if (erased.has(userId)) return
          await data.erase(userId, options)
          erased.add(userId)
        },
      }
    },
    [anew],
  ],
  [
    'a size of all users for a user with data',
    (notes) => ({
      size: async (userId) => (of(notes, userId).length === 0 ? { records: 0, bytes: 0 } : { records: notes.length, bytes: 9 }),
    }),
    [weighs, apart],
  ],
  [
    'copies without what was in them',
    handing(async (notes, userId, { setAside }) => {
      const own = seen(notes, userId)
      for (const index of own.keys()) await setAside({ path: `${index}.json`, json: {} })
      for (const note of own) await remove(notes, note)
      return own.length
    }),
    [whole],
  ],
  [
    'copies of what is of others',
    handing(async (notes, userId, { setAside }, plainly) => {
      if (seen(notes, userId).length > 0)
        for (const { user, text } of notes) if (user !== userId) await setAside({ path: `${text}.json`, json: { text } })
      return plainly()
    }),
    [whole],
  ],
  [
    'a hand-over that goes on without its copies',
    handing(async (notes, userId, { setAside }) => {
      const own = seen(notes, userId)
      for (const { text } of own) await setAside({ path: `${text}.json`, json: { text } }).catch(() => undefined)
      for (const note of own) await remove(notes, note)
      return own.length
    }),
    [keeps],
  ],
  [
    'a hand-over that takes away before it copies',
    handing(async (notes, userId, { setAside }) => {
      const own = seen(notes, userId)
      for (const note of own) await remove(notes, note)
      for (const { text } of own) await setAside({ path: `${text}.json`, json: { text } })
      return own.length
    }),
    [keeps],
  ],
  [
    'a hand-over that cannot go on after an abort',
    (notes) => {
      let begun = false
      const [first] = [handing(async (_notes, _userId, _options, plainly) => plainly())(notes, plain(notes))]
      return {
        async handOver(userId, options) {
          if (begun && seen(notes, userId).length > 0) throw new Error('It has begun.')
          begun = true
          options.signal.throwIfAborted()
          return (await first?.handOver?.(userId, options)) ?? []
        },
      }
    },
    [handsAgain, keeps],
  ],
]

describe('describeUserData, of records', () => {
  it('passes data that keep the contract, and has nothing to say', async () => {
    expect(await outcome(() => ({}))).to.deep.equal({ failed: [], notes: [] })
    expect(await outcome(handing(async (_notes, _userId, _options, plainly) => plainly()))).to.deep.equal({ failed: [], notes: [] })
  })
  it('says what it did not check of data that it cannot see', async () => {
    const { failed, notes } = await outcome(() => ({}), false)
    expect(failed).to.deep.equal([])
    expect(notes).to.deep.equal([
      'user data notes: not checked, because “stored” was not given: the export has every record, and none of another user; the erasure leaves nothing that the export hides',
    ])
    const runner = createCollectingRunner()
    describeUserData({
      name: 'notes',
      runner,
      create: () => ({ data: { ...plain([]), collections: ['notes.notes'] }, fill: async () => undefined }),
    })
    await runner.run()
    expect(runner.notes[0]).to.contain('because “database” was not given')
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect((await outcome(change)).failed).to.deep.equal(titles)
    })
  }

  it('catches an export without a document of its collections, and an erasure that leaves one', async () => {
    const pages = { name: 'notes.pages', version: 1, indexes: {} }
    const index = { name: 'notes.index', version: 1, indexes: {} }
    const runner = createCollectingRunner()
    describeUserData({
      name: 'pages',
      runner,
      create() {
        const database = createMemoryDatabase([pages, index])
        const [first, second] = [database.collection(pages), database.collection(index)]
        const data = defineUserData({
          id: 'notes',
          collections: [pages.name, index.name],
          async *export(userId) {
            if (await first.get(`page-${userId}`)) yield { path: 'pages.json', json: [`page-${userId}`] }
          },
          erase: async (userId) => void (await first.delete(`page-${userId}`)),
          size: async (userId) => ((await first.get(`page-${userId}`)) ? { records: 1, bytes: 9 } : { records: 0, bytes: 0 }),
        })
        const fill = async (userId: string): Promise<void> => {
          await first.put({ id: `page-${userId}`, user_id: userId } as never)
          await second.put({ id: `index-${userId}`, user_id: userId, words: `beans of ${userId}` } as never)
        }
        return { data, fill, database }
      },
    })
    const results = await runner.run()
    const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('user data pages › ', ''))
    expect(failed).to.deep.equal([every, leaves, again, done])
  })
})
