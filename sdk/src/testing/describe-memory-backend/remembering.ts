import { strict as assert } from 'node:assert'
import { ada, assistant, garden } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

/** Texts that must come back as they are, whatever a back end stores them in. */
export const hostileTexts: readonly string[] = [
  'Two\nlines\r\n\r\n  and a third  one',
  '# Heading\n\n---\nid: other\npinned: true\n---\n- item',
  '```\nnot the end\n````\n</memory><!-- --> <script>alert(1)</script>',
  '\'; DROP TABLE memories; -- " \\ \\n %s ${HOME} {{x}}',
  '__proto__',
  '../../../../etc/passwd',
  'שלום עולם ‮gnirts‬ 👩‍👩‍👧‍👦 é é 北京 \u{1f600}',
  '{"format":1,"id":"memory-1","forgotten":true}',
  'null',
  '\t',
  'x'.repeat(4_000),
  '記憶'.repeat(2_000),
]

/** What is remembered. */
export function describeRemembering({ it }: MemorySuite): void {
  it('remembers a text, which is listed with its scope and its evidence', async ({ remember, listAll, restarted }) => {
    const evidence = { chatId: 'chat-1', messageId: 'message-1' }
    const id = await remember('The dentist is Doctor Okafor.', { evidence, scope: { kind: 'agent', agentId: assistant } })
    const items = await listAll()
    assert.equal(items.length, 1)
    const [item] = items
    assert.deepEqual([item?.id, item?.text, item?.pinned], [id, 'The dentist is Doctor Okafor.', false])
    assert.deepEqual(item?.scope, { kind: 'agent', agentId: assistant })
    assert.deepEqual(item?.evidence, [evidence])
    const { signal } = new AbortController()
    const again = await (await restarted()).list({ userId: ada }, { limit: 10, signal })
    assert.deepEqual(again.items, items, 'it is not the same after a restart')
  })

  it('stores nothing for a repeated key, and gives the same id', async ({ backend, signal, remember, listAll, restarted }) => {
    const memory = { userId: ada, scope: { kind: 'user' }, text: 'Likes oolong tea.', key: 'call-1' } as const
    const ids = await Promise.all([1, 2, 3].map(async () => (await backend.remember(memory, { signal })).id))
    ids.push((await (await restarted()).remember({ ...memory, text: 'Something else.' }, { signal })).id)
    assert.equal(new Set(ids).size, 1, `the ids are ${ids.join(', ')}`)
    assert.deepEqual(
      (await listAll()).map(({ text }) => text),
      ['Likes oolong tea.'],
    )
    await remember('Likes oolong tea.', { key: 'call-2' })
    await remember('Of another person.', { userId: 'user-bob', key: 'call-1' })
    assert.equal((await listAll({ userId: 'user-bob' })).length, 1, 'keys of two users are mixed')
  })

  it('tells what an agent has stored from what the person has, until the person changes it', async (bench) => {
    const { backend, signal, remember, listAll, exported } = bench
    const [own, of] = [await remember('Said by the person.'), await remember('Stored by an agent.', { origin: 'tool' })]
    const originOf = (items: readonly { readonly id: string; readonly origin?: string }[], id: string): string | undefined =>
      items.find((item) => item.id === id)?.origin
    for (const items of [await listAll(), await exported()])
      assert.deepEqual([originOf(items, own), originOf(items, of)], [undefined, 'tool'])
    await backend.change(of, { pinned: true }, { userId: ada, signal })
    assert.equal(originOf(await listAll(), of), 'tool', 'a pin is no word of the person')
    await backend.change(of, { text: 'Changed by the person.' }, { userId: ada, signal })
    assert.equal(originOf(await listAll(), of), undefined, 'it is the person’s now')
  })

  it('keeps every character of hostile texts', async ({ remember, listAll, restarted }) => {
    const ids = new Map<string, string>()
    for (const text of hostileTexts) ids.set(await remember(text), text)
    const check = (items: readonly { readonly id: string; readonly text: string }[]): void => {
      for (const [id, text] of ids) assert.equal(items.find((item) => item.id === id)?.text, text)
    }
    check(await listAll())
    const { signal } = new AbortController()
    check((await (await restarted()).list({ userId: ada }, { limit: 100, signal })).items)
  })

  it('takes texts of several chats at a time', async ({ backend, signal, texts }) => {
    const all = Array.from({ length: 24 }, (_, index) => `Fact number ${String(index).padStart(2, '0')} of the garden.`)
    const scopes = [{ kind: 'user' }, { kind: 'agent', agentId: assistant }, { kind: 'space', spaceId: garden }] as const
    await Promise.all(
      all.map((text, index) =>
        backend.remember({ userId: ada, scope: scopes[index % 3] ?? scopes[0], text, key: `key-${index}` }, { signal }),
      ),
    )
    assert.deepEqual(await texts(), all)
  })
}
