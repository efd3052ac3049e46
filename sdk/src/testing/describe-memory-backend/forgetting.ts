import { strict as assert } from 'node:assert'
import { ada } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

/** What is forgotten. */
export function describeForgetting({ it }: MemorySuite): void {
  it('forgets a memory everywhere, once', async ({ backend, signal, remember, find, prompt, texts, restarted }) => {
    const id = await remember('Rowan: to be forgotten')
    await remember('Rowan: stays')
    assert.equal((await find('rowan')).length, 2)
    assert.equal(await backend.forget(id, { userId: ada, signal }), true)
    assert.equal(await backend.forget(id, { userId: ada, signal }), false, 'it is forgotten twice')
    assert.equal(await backend.change(id, { pinned: true }, { userId: ada, signal }), undefined, 'a forgotten one can be changed')
    assert.deepEqual([await texts(), await find('rowan')], [['Rowan: stays'], ['Rowan: stays']])
    assert.doesNotMatch(await prompt(), /to be forgotten/)
    const { items } = await (await restarted()).list({ userId: ada }, { limit: 10, signal })
    assert.equal(items.length, 1, 'it is back after a restart')
  })

  it('keeps of a forgotten memory that it is forgotten, and nothing that it says', async ({ backend, signal, remember, exported }) => {
    const id = await remember('Hazel: embarrassing', { evidence: { chatId: 'chat-1' } })
    await backend.forget(id, { userId: ada, signal })
    const [record] = (await exported()).filter((each) => each.id === id)
    assert.deepEqual([record?.forgotten, record?.text], [true, ''])
    assert.doesNotMatch(JSON.stringify(await exported()), /embarrassing/)
  })

  it('brings none back that is forgotten while it is changed', async ({ backend, signal, remember, find, texts, restarted }) => {
    for (let index = 0; index < 5; index += 1) {
      const id = await remember(`Aspen ${index}`)
      const [forgotten] = await Promise.all([
        index % 2 === 0 ? backend.forget(id, { userId: ada, signal }) : undefined,
        backend.change(id, { text: `Aspen ${index}, changed` }, { userId: ada, signal }),
        index % 2 === 0 ? undefined : backend.forget(id, { userId: ada, signal }),
      ])
      assert.notEqual(forgotten, false, 'it was there, and is not forgotten')
    }
    assert.deepEqual([await texts(), await find('aspen')], [[], []])
    assert.deepEqual((await (await restarted()).list({ userId: ada }, { limit: 10, signal })).items, [], 'it is back after a restart')
  })

  it('does not remember it again for a repeated key or by a sweep, but does when it is said again', async (bench) => {
    const { backend, signal, remember, texts, sweepAll, advance } = bench
    const id = await remember('Alder: said once', { key: 'call-1' })
    await backend.forget(id, { userId: ada, signal })
    assert.equal(await remember('Alder: said once', { key: 'call-1' }), id, 'the repeated key gives another id')
    await advance(60_000)
    await sweepAll()
    assert.deepEqual(await texts(), [])
    await remember('Alder: said once', { key: 'call-2' })
    assert.deepEqual(await texts(), ['Alder: said once'])
  })
}
