import { strict as assert } from 'node:assert'
import { ada, assistant } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

/** Queries of an attacker, or of a hurried person. */
const hostileQueries: readonly string[] = [
  ...['*', '"', '"a', '(', 'a AND', 'NOT', 'a:b', '.*', '[', '\\', '?', '-', 'NEAR(a b)', '^a', "' OR 1=1 --", '\0', '\n\n', '🧨'],
  ...['a '.repeat(500), 'x'.repeat(1_000), '北'.repeat(1_000), '__proto__', 'constructor'],
]

/** What is found. */
export function describeSearches({ it }: MemorySuite): void {
  it('finds a memory by its words, the best first, and nothing by other words', async ({ remember, find }) => {
    await remember('The dentist is Doctor Okafor in Mill Street.')
    await remember('Drinks green tea in the morning.')
    await remember('The dentist wants to see her again in March.')
    assert.equal((await find('Okafor dentist'))[0], 'The dentist is Doctor Okafor in Mill Street.')
    assert.equal((await find('Okafor dentist')).length, 2)
    assert.deepEqual(await find('TEA'), ['Drinks green tea in the morning.'])
    assert.deepEqual(await find('submarine'), [])
    assert.deepEqual(await find('dentist'), await find('dentist'), 'the same search gives another order')
  })

  it('gives no more than the limit', async ({ remember, find }) => {
    for (let index = 0; index < 12; index += 1) await remember(`Oak number ${index}`)
    for (const limit of [1, 5, 100]) assert.equal((await find('oak', { limit })).length, Math.min(limit, 12))
  })

  it('finds words of every script, in upper and lower case', async ({ remember, find }) => {
    await remember('Über die Brücke wohnt Frau Çelik')
    await remember('Любит чёрный кофе')
    await remember('Της αρέσει η θάλασσα')
    await remember('גרה בחיפה')
    assert.deepEqual(await find('über'), ['Über die Brücke wohnt Frau Çelik'])
    assert.deepEqual(await find('КОФЕ'), ['Любит чёрный кофе'])
    assert.deepEqual(await find('ΑΡΈΣΕΙ'), ['Της αρέσει η θάλασσα'])
    assert.deepEqual(await find('בחיפה'), ['גרה בחיפה'])
  })

  it('finds what the reader sees behind much that the reader does not see', async ({ remember, find }) => {
    await remember('Yew: of the assistant', { scope: { kind: 'agent', agentId: assistant } })
    for (let index = 0; index < 30; index += 1)
      await remember(`Yew: of another agent, ${index}`, { scope: { kind: 'agent', agentId: 'agent-other' } })
    assert.deepEqual(await find('yew', { agentId: assistant, limit: 3 }), ['Yew: of the assistant'])
  })

  it('finds only the kinds that are asked for', async ({ backend, signal, remember, find, listAll }) => {
    await remember('Birch in the yard')
    const [item] = await listAll()
    const others = (['note', 'statement', 'playbook', 'summary'] as const).filter((kind) => kind !== item?.kind)
    assert.deepEqual(await find('birch', { kinds: others }), [])
    assert.deepEqual(await find('birch', { kinds: item ? [item.kind] : [] }), ['Birch in the yard'])
    const hits = await backend.search({ userId: ada, text: 'birch', limit: 3 }, { signal })
    assert.deepEqual(hits[0]?.item, item, 'a hit is not the item of the list')
  })

  it('finds a corrected memory by its new words alone', async ({ backend, signal, remember, find }) => {
    const id = await remember('Lives in Lisbon')
    assert.deepEqual(await find('Lisbon'), ['Lives in Lisbon'])
    await backend.change(id, { text: 'Lives in Porto' }, { userId: ada, signal })
    assert.deepEqual([await find('Lisbon'), await find('Porto')], [[], ['Lives in Porto']])
  })

  it('answers every query, whatever stands in it', async ({ remember, find }) => {
    await remember('An ordinary memory')
    for (const query of hostileQueries) await find(query)
    assert.deepEqual(await find('ordinary'), ['An ordinary memory'])
  })
}
