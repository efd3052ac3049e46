import { strict as assert } from 'node:assert'
import { foreignRecord } from './moves.js'
import { ada, assistant, bob, garden } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

/** Ids that no back end has given. */
export const hostileIds: readonly string[] = [
  ...['', ' ', '.', '..', '../..', '/', '__proto__', 'constructor', 'null', '*', '%00', "' or '1'='1", '../../../etc/passwd', '💥'],
  ...['a\r\nb: c', 'x'.repeat(1_000), '🧨'.repeat(300)],
]

/** Whose memories are whose. */
export function describeUsers({ it, options: { supports } }: MemorySuite): void {
  it('shows an agent those of its user, its own and its space’s, and a person all of theirs', async ({ remember, find, prompt, texts }) => {
    await remember('Cedar: of the user')
    await remember('Cedar: of the assistant', { scope: { kind: 'agent', agentId: assistant } })
    await remember('Cedar: of another agent', { scope: { kind: 'agent', agentId: 'agent-other' } })
    await remember('Cedar: of the garden', { scope: { kind: 'space', spaceId: garden } })
    await remember('Cedar: of another space', { scope: { kind: 'space', spaceId: 'space-other' } })
    const all = await texts()
    assert.equal(all.length, 5)
    const readers: readonly (readonly [reader: { readonly agentId?: string; readonly spaceId?: string }, expected: readonly string[]])[] = [
      [{}, all],
      [{ agentId: assistant }, ['Cedar: of the assistant', 'Cedar: of the user']],
      [{ agentId: assistant, spaceId: garden }, ['Cedar: of the assistant', 'Cedar: of the garden', 'Cedar: of the user']],
      [{ agentId: 'agent-new' }, ['Cedar: of the user']],
    ]
    for (const [reader, expected] of readers) {
      assert.deepEqual(await texts(reader), expected, `the list for ${JSON.stringify(reader)}`)
      assert.deepEqual([...(await find('cedar', reader))].sort(), expected, `the search for ${JSON.stringify(reader)}`)
      if (reader.agentId === undefined) continue
      const text = await prompt({ ...reader, agentId: reader.agentId })
      for (const each of all) assert.equal(text.includes(each), expected.includes(each), `the prompt for ${JSON.stringify(reader)}`)
    }
  })

  it('never reads, finds or changes anything of another user', async ({
    backend,
    signal,
    remember,
    find,
    prompt,
    texts,
    exported,
    advance,
  }) => {
    const scope = { kind: 'agent', agentId: assistant } as const
    const id = await remember('Walnut: a secret of Ada', { scope, key: 'one', evidence: { chatId: 'chat-1' } })
    await remember('Walnut: of Bob', { userId: bob, scope, key: 'one' })
    assert.deepEqual(await texts({ userId: bob }), ['Walnut: of Bob'])
    assert.deepEqual(await find('walnut secret', { userId: bob, agentId: assistant }), ['Walnut: of Bob'])
    assert.doesNotMatch(await prompt({ userId: bob }), /Ada/)
    assert.doesNotMatch(JSON.stringify(await exported(bob)), /Ada/)
    assert.equal(await backend.change(id, { text: 'Walnut: changed by Carol', pinned: true }, { userId: 'user-carol', signal }), undefined)
    assert.equal(await backend.forget(id, { userId: 'user-carol', signal }), false)
    await backend.chatChanged(
      { userId: bob, chatId: 'chat-1', agentId: assistant, spaceId: null, reason: 'deleted', at: new Date(0).toISOString() },
      { signal },
    )
    await advance(5)
    assert.deepEqual(await texts(), ['Walnut: a secret of Ada'])
  })

  it('keeps memories of two users apart that have the same id, whichever import comes last', async ({ backend, signal, take, texts }) => {
    await take([foreignRecord('same', { text: 'Chestnut: of Ada', updatedAt: '2025-06-01T12:00:00.000Z' })])
    await take([foreignRecord('same', { text: 'Chestnut: of Bob' })], bob)
    const both = async () => [await texts(), await texts({ userId: bob })]
    assert.deepEqual(await both(), [['Chestnut: of Ada'], ['Chestnut: of Bob']])
    assert.equal(await backend.forget('same', { userId: bob, signal }), true)
    assert.deepEqual(await both(), [['Chestnut: of Ada'], []])
  })

  it('has nothing under ids that it did not give', async ({ backend, signal, remember, texts }) => {
    await remember('Stays.')
    for (const id of hostileIds) {
      assert.equal(await backend.change(id, { text: 'Changed.' }, { userId: ada, signal }), undefined, `“${id}” is changed`)
      assert.equal(await backend.forget(id, { userId: ada, signal }), false, `“${id}” is forgotten`)
      if (supports.passes) assert.equal(await backend.retryPass?.(id, { userId: ada, signal }), false)
      if (supports.revisions) assert.equal(await backend.restore?.(id, { userId: ada, signal }), false)
    }
    assert.deepEqual(await texts(), ['Stays.'])
  })

  it('erases everything of a user, and of no other', async ({
    backend,
    signal,
    remember,
    find,
    prompt,
    texts,
    exported,
    sweepAll,
    restarted,
  }) => {
    const forgotten = await remember('Maple: forgotten')
    await remember('Maple: remembered', { key: 'again', evidence: { chatId: 'chat-1' } })
    await backend.forget(forgotten, { userId: ada, signal })
    await remember('Maple: of Bob', { userId: bob })
    await backend.erase(ada, { signal })
    await backend.erase(ada, { signal })
    await backend.erase('user-unknown', { signal })
    await sweepAll()
    assert.deepEqual([await texts(), await find('maple'), await prompt(), await exported()], [[], [], '', []])
    if (supports.passes) assert.deepEqual((await backend.passes?.(ada, { limit: 10, signal }))?.items, [])
    if (supports.revisions) assert.deepEqual(await backend.revisions?.(ada, { signal }), [])
    assert.deepEqual((await (await restarted()).list({ userId: ada }, { limit: 10, signal })).items, [])
    assert.deepEqual(await texts({ userId: bob }), ['Maple: of Bob'])
    await remember('Maple: anew', { key: 'again' })
    assert.deepEqual([await texts(), await find('maple')], [['Maple: anew'], ['Maple: anew']])
  })
}
