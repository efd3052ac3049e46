import { strict as assert } from 'node:assert'
import type { VaultItem } from '../../contracts/vault-connector/vault-connector.js'
import { failsWith, firstOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'
import type { VaultBenchItem } from './vault-bench.js'

const idsOf = (items: readonly VaultItem[]): readonly string[] => items.map(({ id }) => id)
const titlesOf = (items: readonly { readonly title: string }[]): readonly string[] => items.map(({ title }) => title).sort()
const added = (title: string): VaultBenchItem => ({ title, fields: [{ name: 'password', value: `canary of ${title}`, secret: true }] })

/** Lists, pages and searches. */
export function describeLists({ it, options: { restores } }: VaultSuite): void {
  it('lists all items of the connection, each once', async ({ account, listAll }) => {
    const items = await listAll()
    assert.deepEqual(titlesOf(items), titlesOf(account.items))
    assert.equal(new Set(idsOf(items)).size, items.length, 'two items have the same id')
    for (const { title, group } of account.items)
      if (group !== undefined) assert.equal(items.find((item) => item.title === title)?.group, group, `the group of “${title}”`)
  })

  it('lists the same items in the same order in pages of any size', async ({ account, listAll }) => {
    const whole = idsOf(await listAll())
    for (const limit of [1, 2, account.items.length, account.items.length + 1]) assert.deepEqual(idsOf(await listAll({ limit })), whole)
  })

  it('neither doubles nor loses an item when others come and go between two pages', async ({ connector, connection, signal, ...bench }) => {
    const before = await bench.listAll()
    const first = await connector.list(connection, { limit: 2 }, { signal })
    assert.ok(first.nextCursor !== undefined, 'the first page of two has no cursor')
    await bench.add(added('000 comes before'))
    await bench.add(added('zzz comes after'))
    const seen = first.items.at(-1)
    if (seen !== undefined) await bench.remove(seen.title)
    const rest = await bench.listAll({ cursor: first.nextCursor, limit: 2 })
    const known = new Set(idsOf(before))
    assert.deepEqual(
      idsOf([...first.items, ...rest]).filter((id) => known.has(id)),
      idsOf(before),
    )
  })

  it(`lists what was added${restores ? '' : ', and not what was removed'}`, async ({ account, listAll, add, remove }) => {
    await listAll()
    const { title } = firstOf(account)
    await remove(title)
    await add(added('new in the store'))
    // What can be restored may stay in the list.
    const seen = titlesOf(await listAll()).filter((each) => !restores || each !== title)
    assert.deepEqual(seen, titlesOf([...account.items.slice(1), { title: 'new in the store' }]))
  })

  it('finds items by a part of their title, group and id, in any case', async ({ account, listAll, add }) => {
    await add(added('Sûite finds ONE'))
    await add(added('Sûite finds Two'))
    assert.deepEqual(titlesOf(await listAll({ text: 'sÛITE FINDS', limit: 1 })), ['Sûite finds ONE', 'Sûite finds Two'])
    assert.deepEqual(titlesOf(await listAll({ text: 'finds one' })), ['Sûite finds ONE'])
    for (const { id, title } of await listAll())
      assert.ok(titlesOf(await listAll({ text: id.slice(0, 200) })).includes(title), `no “${id}”`)
    const { group, title } = account.items.find((item) => item.group !== undefined) ?? {}
    if (group !== undefined && title !== undefined)
      assert.ok(titlesOf(await listAll({ text: group.toUpperCase() })).includes(title), `“${title}” was not found by its group`)
  })

  it('finds nothing by the values of fields, nor by a pattern', async ({ account, listAll }) => {
    const secrets = account.items.flatMap(({ fields }) => fields.filter(({ secret }) => secret).map(({ value }) => value.slice(0, 200)))
    for (const text of [...secrets, '.*', '^', '[a-z]', 'no item has this text'])
      assert.deepEqual(titlesOf(await listAll({ text })), [], 'a text that no title, group or id has')
  })

  it('refuses a cursor that it has not given', async ({ connector, connection, signal }) => {
    for (const cursor of ['no cursor', '{}', '-1', 'bnVsbA', '../..', '\0', 'x'.repeat(4_000)])
      await failsWith(
        connector.list(connection, { limit: 10, cursor }, { signal }),
        'vault_cursor_invalid',
        `the cursor “${cursor.slice(0, 20)}”`,
      )
  })
}
