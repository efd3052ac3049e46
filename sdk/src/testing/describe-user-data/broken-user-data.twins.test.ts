import { expect } from 'chai'
import { defineUserData, type HandOverOptions, type UserData } from '../../contracts/user-data/index.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeUserData } from './index.js'

type Notes = Map<string, readonly string[]>

const plain = (notes: Notes): UserData =>
  defineUserData({
    id: 'notes',
    collections: ['notes.notes'],
    async *export(userId) {
      for (const [index, text] of (notes.get(userId) ?? []).entries()) yield { path: `notes/${index}.json`, json: { text } }
    },
    erase: async (userId) => void notes.delete(userId),
    size: async (userId) => ({ records: notes.get(userId)?.length ?? 0, bytes: (notes.get(userId) ?? []).join('').length }),
  })

async function failing(change: (notes: Notes, data: UserData) => object): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeUserData({
    name: 'notes',
    runner,
    abortLimitMs: 30,
    create() {
      const notes: Notes = new Map()
      const data = plain(notes)
      return { data: { ...data, ...change(notes, data) }, fill: async (userId) => void notes.set(userId, ['one', 'two']) }
    },
  })
  const results = await runner.run({ testLimitMs: 200 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('user data notes › ', ''))
}

const declared = soundTitle
const nothing = 'has no data of a new user'
const exports = 'exports plain records under unique relative paths'
const weighs = 'reports the size of the data'
const erases = 'erases all data of one user, repeatedly, and nothing of others'
const hands = 'hands over, repeatedly, and nothing of others'
const ends = 'ends when it is aborted'
const apart = 'keeps users apart whose ids begin alike'
const atOnce = 'answers for several users at once as for each alone'
const done = 'has erased everything when it ends without an error, aborted or not'
const every = 'exports every record of the user, and none of another'
const same = 'exports the same again, also after an export that was aborted or left'
const again = 'erases the rest when it is called again after an abort'
const anew = 'erases what a user stores again after an erasure'
const whole = 'hands over what it says: whole copies, nothing of others, and nothing is lost unsaid'
const handsAgain = 'hands over the rest when it is called again after an abort'

const faults: readonly (readonly [string, (notes: Notes, data: UserData) => object, readonly string[]])[] = [
  ['an operation without a name', () => ({ shownBy: [''] }), [declared]],
  ['an id that is no word', () => ({ id: 'My notes' }), [declared]],
  ['an unknown member', () => ({ remove: () => undefined }), [declared]],
  [
    'an export of all users',
    (notes) => ({
      async *export() {
        for (const [user, texts] of notes)
          for (const [index, text] of texts.entries()) yield { path: `${user}/${index}.json`, json: { text } }
      },
    }),
    [nothing, every, erases, again, apart],
  ],
  [
    'paths that lead out',
    (notes) => ({
      async *export(userId: string) {
        for (const [index, text] of (notes.get(userId) ?? []).entries()) yield { path: `../${index}.json`, json: { text } }
      },
    }),
    [exports],
  ],
  [
    'one path twice',
    (notes) => ({
      async *export(userId: string) {
        for (const text of notes.get(userId) ?? []) yield { path: 'note.json', json: { text } }
      },
    }),
    [exports],
  ],
  ['an invalid size', () => ({ size: async () => ({ records: 0, bytes: 0 }) }), [weighs]],
  ['an erasure of all users', (notes) => ({ erase: async () => notes.clear() }), [erases, again, apart]],
  [
    'an erasure that works once',
    (notes) => ({
      erase: async (userId: string) => {
        if (!notes.delete(userId)) throw new Error('there is nothing')
      },
    }),
    [nothing, erases, again],
  ],
  [
    'an erasure that leaves something',
    (notes) => ({ erase: async (userId: string) => void (notes.has(userId) && notes.set(userId, ['one'])) }),
    [erases, again, done, anew, atOnce],
  ],
  [
    'an export that continues after its abort',
    (_notes, data) => ({
      async *export(userId: string, options: { readonly signal: AbortSignal }) {
        yield* data.export(userId, options)
        if (options.signal.aborted) await new Promise<void>(() => undefined)
      },
    }),
    [same, ends],
  ],
  [
    'a hand-over that leaves what it says to take away',
    (notes) => ({
      handOver: async (userId: string) => [{ what: 'notes', count: notes.get(userId)?.length ?? 0, outcome: 'ended' }],
    }),
    [hands, handsAgain],
  ],
  [
    'a hand-over of all users',
    (notes) => ({
      async handOver() {
        notes.clear()
        return []
      },
    }),
    [hands],
  ],
  [
    'a copy that was not kept',
    (notes) => ({
      async handOver(userId: string) {
        const count = notes.get(userId)?.length ?? 0
        notes.delete(userId)
        return [{ what: 'notes', count, outcome: 'set_aside' }]
      },
    }),
    [hands, whole],
  ],
  [
    'a hand-over in words that the contract does not have',
    () => ({ handOver: async () => [{ what: 'notes', count: 0, outcome: 'lost' }] }),
    [hands, whole, handsAgain],
  ],
]

describe('describeUserData', () => {
  it('passes data that keep the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
    const withHandOver = (notes: Notes) => ({
      async handOver(userId: string, { setAside }: HandOverOptions) {
        const texts = notes.get(userId) ?? []
        for (const [index, text] of texts.entries()) await setAside({ path: `notes/${index}.json`, json: { text } })
        notes.delete(userId)
        return [{ what: 'notes', count: texts.length, outcome: 'set_aside' }]
      },
    })
    expect(await failing(withHandOver)).to.deep.equal([])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.deep.equal(titles)
    })
  }
})
