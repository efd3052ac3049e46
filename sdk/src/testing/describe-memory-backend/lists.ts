import { strict as assert } from 'node:assert'
import type { MemoryItem } from '../../contracts/memory-backend/memory-record.js'
import { assertMembers } from '../settle-within.js'
import { foreignRecord } from './moves.js'
import { ada, assistant, bob, garden } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'
import { hostileIds } from './users.js'

const itemMembers: readonly (keyof MemoryItem)[] = [
  ...(['id', 'scope', 'kind', 'title', 'whenToUse', 'pageId', 'text', 'pinned', 'createdAt', 'updatedAt'] as const),
  ...(['validFrom', 'validTo', 'fadesAt', 'evidence', 'origin'] as const),
]

/** What people see and change. */
export function describeLists({ it }: MemorySuite): void {
  it('lists each memory once, page by page, those changed last first', async ({ backend, signal, remember, listAll, advance }) => {
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) ids.push(await remember(`Elm ${index}`))
    await backend.change(ids[2] ?? '', { text: 'Elm 2, changed' }, { userId: ada, signal })
    await advance(5)
    const expected = [2, 6, 5, 4, 3, 1, 0].map((index) => ids[index])
    for (const limit of [1, 3, 7, 100])
      assert.deepEqual(
        (await listAll({}, { limit })).map(({ id }) => id),
        expected,
        `with pages of ${limit}`,
      )
  })

  it('goes on with its list while memories come and go', async ({ backend, signal, remember }) => {
    const ids: string[] = []
    for (let index = 0; index < 8; index += 1) ids.push(await remember(`Ash ${index}`))
    const first = await backend.list({ userId: ada }, { limit: 3, signal })
    await remember('Ash, later')
    await backend.forget(ids[4] ?? '', { userId: ada, signal })
    const seen = first.items.map(({ id }) => id)
    let cursor = first.nextCursor
    for (let pages = 0; cursor !== undefined && pages < 20; pages += 1) {
      const page = await backend.list({ userId: ada }, { limit: 3, cursor, signal })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.equal(new Set(seen).size, seen.length, 'a memory is listed twice')
    for (const index of [0, 1, 2, 3, 5, 6, 7]) assert.ok(seen.includes(ids[index] ?? ''), `memory ${index} is left out`)
  })

  it('refuses cursors that it did not give', async ({ backend, signal, remember }) => {
    await remember('Beech')
    for (const cursor of ['', 'nonsense', '0', '-1', '[]', '{}', 'null', '💥', 'x'.repeat(5_000)]) {
      const error = await backend.list({ userId: ada }, { limit: 3, cursor, signal }).catch((reason: unknown) => reason)
      assert.equal((error as { readonly code?: string }).code, 'cursor_invalid', `the cursor “${cursor.slice(0, 20)}”`)
    }
  })

  it('lists only the kinds and the page that are asked for', async ({ remember, listAll }) => {
    const id = await remember('Pine')
    const [item] = await listAll()
    const others = (['note', 'statement', 'playbook', 'summary'] as const).filter((kind) => kind !== item?.kind)
    assert.deepEqual(
      (await listAll({}, { kinds: item ? [item.kind] : [] })).map((each) => each.id),
      [id],
    )
    assert.deepEqual(await listAll({}, { kinds: others }), [])
    assert.deepEqual(await listAll({}, { pageId: 'no-such-page' }), [])
  })

  it('gives one memory by its id to those who see it, and no forgotten one', async ({ backend, signal, remember, listAll }) => {
    const own = await remember('Larch: of the assistant', { scope: { kind: 'agent', agentId: assistant } })
    const gone = await remember('Larch: forgotten')
    const [item] = (await listAll()).filter(({ id }) => id === own)
    for (const reader of [{ userId: ada }, { userId: ada, agentId: assistant }])
      assert.deepEqual(await backend.get(own, reader, { signal }), item, 'it is not the item of the list')
    await backend.forget(gone, { userId: ada, signal })
    for (const [id, reader] of [
      [own, { userId: ada, agentId: 'agent-other' }],
      [own, { userId: bob }],
      [gone, { userId: ada }],
      ...hostileIds.map((hostile) => [hostile, { userId: ada }] as const),
    ] as const)
      assert.equal(await backend.get(id, reader, { signal }), undefined, `“${id.slice(0, 20)}” for ${JSON.stringify(reader)}`)
  })

  it('lists and finds those of one memory, however many others there are', async ({ remember, listAll, find }) => {
    const scopes = [
      { kind: 'agent', agentId: assistant },
      { kind: 'agent', agentId: 'agent-other' },
      { kind: 'space', spaceId: garden },
      { kind: 'space', spaceId: 'space-other' },
    ] as const
    for (const scope of scopes) await remember(`Fir, told in a ${scope.kind}: ${JSON.stringify(scope)}`, { scope })
    for (let index = 0; index < 30; index += 1) await remember(`Fir ${index}`)
    for (const [scope, expected] of [
      ...scopes.map((each) => [each, 1] as const),
      [{ kind: 'agent' }, 2],
      [{ kind: 'space' }, 2],
      [{ kind: 'user' }, 30],
    ] as const) {
      const of = JSON.stringify(scope)
      const listed = await listAll({}, { scope, limit: 5 })
      assert.equal(listed.length, expected, `the list of ${of}`)
      assert.ok(
        listed.every((item) => item.scope.kind === scope.kind),
        `the list of ${of} has others`,
      )
      assert.equal((await find('fir', { scope, limit: 5 })).length, Math.min(expected, 5), `the search in ${of}`)
    }
    assert.deepEqual(
      await listAll({ agentId: 'agent-new' }, { scope: { kind: 'agent' } }),
      [],
      'a filter shows what the reader does not see',
    )
  })

  it('changes the text and the pin of a memory, each by itself', async ({ backend, signal, remember, listAll, advance, restarted }) => {
    const id = await remember('Her name is Ana', { evidence: { chatId: 'chat-1' } })
    const [before] = await listAll()
    await advance(1_000)
    const pinned = await backend.change(id, { pinned: true }, { userId: ada, signal })
    assert.deepEqual([pinned?.text, pinned?.pinned], ['Her name is Ana', true])
    const corrected = await backend.change(id, { text: 'Her name is Anna' }, { userId: ada, signal })
    assert.deepEqual([corrected?.text, corrected?.pinned, corrected?.createdAt], ['Her name is Anna', true, before?.createdAt])
    assert.ok((corrected?.updatedAt ?? '') > (before?.updatedAt ?? ''), 'the time of the change stays')
    assert.deepEqual(await listAll(), [corrected])
    assert.deepEqual((await (await restarted()).list({ userId: ada }, { limit: 3, signal })).items, [corrected])
    const loose = await backend.change(id, { pinned: false }, { userId: ada, signal })
    assert.deepEqual([loose?.text, loose?.pinned], ['Her name is Anna', false])
  })

  it('gives answers with nothing in them but what the contract has, which stay as they were given', async (bench) => {
    const { backend, signal, remember, listAll, exported, take } = bench
    const id = await remember('Rowan: of the assistant', { evidence: { chatId: 'chat-1' } })
    await take([foreignRecord('rowan', { text: 'Rowan: of another back end', digests: ['e'.repeat(64)] })])
    const answers = async (): Promise<readonly MemoryItem[]> => [
      ...(await listAll()),
      ...(await backend.search({ userId: ada, text: 'rowan', limit: 9 }, { signal })).map(({ item }) => item),
      (await backend.get(id, { userId: ada }, { signal })) ?? assert.fail('the memory is missing'),
      (await backend.change(id, { pinned: false }, { userId: ada, signal })) ?? assert.fail('the memory is missing'),
    ]
    const items = await answers()
    for (const item of items) assertMembers(item, itemMembers, 'the memory')
    const given = [...items, ...(await exported())]
    const copy = structuredClone(given)
    await backend.change(id, { text: 'Rowan: changed', pinned: true }, { userId: ada, signal })
    await backend.forget('rowan', { userId: ada, signal })
    await Promise.all([listAll(), exported()])
    assert.deepEqual(given, copy, 'an answer has changed with the memories')
  })

  it('loses none of two changes at a time', async ({ backend, signal, remember, listAll }) => {
    const id = await remember('Spruce')
    await Promise.all([
      backend.change(id, { pinned: true }, { userId: ada, signal }),
      backend.change(id, { text: 'Silver spruce' }, { userId: ada, signal }),
    ])
    const [item] = await listAll()
    assert.deepEqual([item?.text, item?.pinned], ['Silver spruce', true])
  })
}
