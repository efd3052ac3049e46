import { strict as assert } from 'node:assert'
import type { MemoryKind, MemoryRecord } from '../../contracts/memory-backend/memory-record.js'
import { memoryTextDigest } from '../../contracts/memory-backend/text-digest.js'
import { hostileTexts } from './remembering.js'
import { ada, assistant, each, garden } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

const at = (minute: number): string => new Date(Date.UTC(2025, 3, 1, 12, minute)).toISOString()

/** A record of another back end. */
export function foreignRecord(id: string, record: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    ...{ format: 1, id, scope: { kind: 'user' }, kind: 'note', text: `The text of ${id}`, pinned: false, fadesAt: null },
    ...{ createdAt: at(0), updatedAt: at(1), evidence: [], details: { elsewhere: { weight: 0.5, of: ['x', { y: null }] } } },
    ...record,
  }
}

/** One record of each kind, with all that a record may have. */
const foreignRecords: readonly MemoryRecord[] = [
  foreignRecord('page-1', { kind: 'summary', title: 'Biscuit the dog', text: 'Biscuit is a dog.\n\nHe fears thunder.' }),
  foreignRecord('statement-1', { kind: 'statement', pageId: 'page-1', text: 'Biscuit is afraid of thunder', validFrom: at(-60 * 24 * 90) }),
  foreignRecord('statement-2', {
    kind: 'statement',
    pageId: 'page-1',
    text: 'Biscuit is a puppy',
    validFrom: at(-60 * 24 * 900),
    validTo: at(-60 * 24 * 90),
  }),
  foreignRecord('playbook-1', {
    kind: 'playbook',
    title: 'Bathing the dog',
    whenToUse: 'When he smells',
    text: '1. Warm water\n2. No radio',
  }),
  foreignRecord('note-1', { pinned: true, evidence: [{ chatId: 'chat-1', messageId: 'message-1' }, { chatId: 'chat-2' }] }),
  foreignRecord('note-2', { scope: { kind: 'agent', agentId: assistant } }),
  foreignRecord('note-3', { scope: { kind: 'space', spaceId: garden } }),
  foreignRecord('note-5', { origin: 'tool', digests: ['b'.repeat(64)] }),
  foreignRecord('note-6', { corrected: true, digests: ['c'.repeat(64)] }),
  foreignRecord('note-4', { forgotten: true, text: '', digests: ['d'.repeat(64)] }),
  ...hostileTexts.map((text, index) => foreignRecord(`hostile-${index}/../${[...text].slice(0, 20).join('')}`, { text })),
]

/** Records in the order of their ids, without what the back end may add or reckon itself. */
const comparable = (records: readonly MemoryRecord[], backend: string): readonly unknown[] =>
  [...records]
    .map(({ fadesAt: _, digests: __, details = {}, ...record }) => {
      const { [backend]: ___, ...others } = details
      return { ...record, details: others }
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))

const hasAll = (digests: readonly string[] = [], wanted: readonly string[]): boolean => wanted.every((digest) => digests.includes(digest))

/** How memories move from one back end to another. */
export function describeMoves({ it }: MemorySuite): void {
  it('exports everything in an order that stays, and takes its own export in', async ({
    backend,
    signal,
    remember,
    exported,
    listAll,
    another,
  }) => {
    const ids: string[] = []
    for (const scope of [{ kind: 'user' }, { kind: 'agent', agentId: assistant }, { kind: 'space', spaceId: garden }] as const)
      for (const text of ['Fig', 'Plum\nwith two lines']) ids.push(await remember(text, { scope, evidence: { chatId: 'chat-1' } }))
    await backend.change(ids[0] ?? '', { pinned: true, text: 'Fig, corrected' }, { userId: ada, signal })
    await backend.forget(ids[1] ?? '', { userId: ada, signal })
    const records = await exported()
    assert.deepEqual([...records.map(({ id }) => id)].sort(), [...ids].sort())
    assert.deepEqual(await exported(), records, 'a second export is another one')
    const other = await another()
    await other.take(records)
    assert.deepEqual(await other.exported(), records)
    assert.deepEqual(await other.listAll(), await listAll())
    assert.deepEqual([...(await other.find('fig corrected'))].slice(0, 1), ['Fig, corrected'])
  })

  it('gives records of another back end back as they were, details and all', async ({ backend, take, exported, listAll, find }) => {
    await take(foreignRecords)
    const given = await exported()
    assert.deepEqual(comparable(given, backend.id), comparable(foreignRecords, backend.id))
    for (const { id, digests = [] } of foreignRecords)
      assert.ok(hasAll(given.find((record) => record.id === id)?.digests, digests), `digests of ${id} are lost`)
    const listed = await listAll()
    assert.ok(!listed.some(({ id }) => id === 'note-4'), 'a forgotten one is listed')
    assert.ok(
      listed.some(({ id, pinned }) => id === 'note-1' && pinned),
      'the pin is lost',
    )
    assert.equal((await find('afraid of thunder', { limit: 1 })).length, 1, 'an imported one is not found')
    for (const kind of ['note', 'statement', 'summary', 'playbook'] satisfies MemoryKind[])
      assert.ok(
        (await listAll({}, { kinds: [kind] })).every((item) => item.kind === kind),
        `the list of kind ${kind} has others`,
      )
  })

  it('keeps digests of what a person has forgotten or corrected, also of where it was learnt', async (bench) => {
    const { backend, signal, remember, take, exported } = bench
    const learnt = 'e'.repeat(64)
    await take([foreignRecord('learnt', { text: 'Lives in Graz.', digests: [learnt] })])
    for (const [id, text] of [
      ['learnt', 'Lives in Graz.'],
      [await remember('Likes tea.'), 'Likes tea.'],
    ] as const) {
      await backend.change(id, { text: `Not any more: ${text}` }, { userId: ada, signal })
      const changed = (await exported()).find((record) => record.id === id)
      assert.equal(changed?.corrected, true, 'it is not known as corrected')
      await backend.forget(id, { userId: ada, signal })
      const wanted = [memoryTextDigest(text), memoryTextDigest(`Not any more: ${text}`), ...(id === 'learnt' ? [learnt] : [])]
      const left = (await exported()).find((record) => record.id === id)
      assert.deepEqual([left?.forgotten, hasAll(left?.digests, wanted)], [true, true], 'a digest is missing')
      assert.equal(left?.details?.['elsewhere'], undefined, 'details of another back end may repeat its words')
    }
  })

  it('keeps foreign details when a memory is changed', async ({ backend, signal, take, exported }) => {
    const record = foreignRecord('note-1')
    await take([record])
    await backend.change('note-1', { pinned: true }, { userId: ada, signal })
    const [changed] = await exported()
    assert.deepEqual([changed?.pinned, changed?.details?.['elsewhere']], [true, record.details?.['elsewhere']])
  })

  it('changes nothing when the same records come again', async ({ take, exported, listAll, prompt }) => {
    await take(foreignRecords)
    const before = [await exported(), await listAll(), await prompt()]
    await take(foreignRecords)
    await take(await exported())
    assert.deepEqual([await exported(), await listAll(), await prompt()], before)
  })

  it('takes a newer record in place of an older one, also a forgotten one, and never the other way', async ({ take, texts, find }) => {
    const older = foreignRecord('note-1', { text: 'Quince: older' })
    const newer = foreignRecord('note-1', { text: 'Quince: newer', updatedAt: at(2) })
    await take([older])
    assert.equal((await find('older')).length, 1)
    await take([newer])
    await take([older])
    assert.deepEqual([await texts(), await find('older')], [['Quince: newer'], []])
    await take([foreignRecord('note-1', { text: '', forgotten: true, updatedAt: at(3) })])
    await take([newer])
    assert.deepEqual([await texts(), await find('quince')], [[], []])
  })

  it('is as if nothing had happened when a cut import is repeated', async ({ backend, signal, take, exported }) => {
    const cut = new Error('the line is cut')
    async function* broken() {
      yield* foreignRecords.slice(0, 9)
      throw cut
    }
    const failure = await backend.import(ada, broken(), { signal }).catch((reason: unknown) => reason)
    assert.equal(failure, cut)
    await take(foreignRecords)
    assert.deepEqual(comparable(await exported(), backend.id), comparable(foreignRecords, backend.id))
  })

  it('ends an import that is aborted, with the reason', async ({ backend, take, exported }) => {
    const controller = new AbortController()
    const reason = new Error('aborted by the suite')
    async function* abortedOnTheWay() {
      yield* foreignRecords.slice(0, 3)
      controller.abort(reason)
      yield* foreignRecords.slice(3)
    }
    const failure = await backend.import(ada, abortedOnTheWay(), { signal: controller.signal }).catch((error: unknown) => error)
    assert.equal(failure, reason)
    await take(foreignRecords)
    assert.deepEqual(comparable(await exported(), backend.id), comparable(foreignRecords, backend.id))
  })

  it('exports what stays, also when memories come and go meanwhile', async ({ backend, signal, remember }) => {
    const ids: string[] = []
    for (let index = 0; index < 8; index += 1) ids.push(await remember(`Hornbeam ${index}`))
    const seen: string[] = []
    for await (const { id } of backend.export(ada, { signal })) {
      if (seen.length === 0) {
        await remember('Hornbeam, later')
        for (const gone of [id, ids[6] ?? '']) await backend.forget(gone, { userId: ada, signal })
      }
      seen.push(id)
    }
    assert.equal(new Set(seen).size, seen.length, 'a memory is exported twice')
    for (const index of [0, 1, 2, 3, 4, 5, 7]) assert.ok(seen.includes(ids[index] ?? ''), `memory ${index} is left out`)
  })

  it('takes memories in while others are remembered', async ({ backend, signal, texts }) => {
    const records = Array.from({ length: 40 }, (_, index) => foreignRecord(`moved-${index}`))
    const said = Array.from({ length: 10 }, (_, index) => `Said meanwhile: ${index}`)
    const scope = { kind: 'user' } as const
    await Promise.all([
      backend.import(ada, each(records), { signal }),
      ...said.map((text, index) => backend.remember({ userId: ada, scope, text, key: `meanwhile-${index}` }, { signal })),
    ])
    assert.deepEqual(await texts(), [...records.map(({ text }) => text), ...said].sort())
  })

  it('keeps thousands of memories', async ({ take, listAll, find, prompt, exported }) => {
    const records = Array.from({ length: 2_000 }, (_, index) =>
      foreignRecord(`many-${index}`, { text: `Tree ${index} is a ${'tall '.repeat(index % 5)}tree` }),
    )
    await take(records)
    assert.equal((await listAll()).length, records.length)
    assert.equal((await exported()).length, records.length)
    assert.equal((await find('1234', { limit: 1 }))[0], records[1_234]?.text)
    assert.notEqual(await prompt({ maxTokens: 500 }), '')
  })
}
