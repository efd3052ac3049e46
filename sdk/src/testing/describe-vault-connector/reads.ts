import { strict as assert } from 'node:assert'
import { failsWith, firstOf, valuesOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'

/** Ids that no store has given, of the kind that an attacker would try. */
const hostileIds: readonly string[] = [
  ...['', ' ', '.', '..', '../', '../..', '/', '//', './', '../../../etc/passwd', '..\\..\\secret', '%2e%2e%2f', '%00', '\0', '~'],
  ...[
    'a/../../b',
    '?version=1',
    '#',
    '&',
    'a\r\nX-Injected: 1',
    '__proto__',
    'constructor',
    'null',
    '*',
    '${}',
    "' or '1'='1",
    '💥',
    '\ud800',
  ],
  ...['op://a/b/c', 'http://127.0.0.1/', 'x'.repeat(1_000), '/'.repeat(1_000), 'é'.repeat(1_000)],
]

/** Other ways to write an id, which must not lead to its item. */
const disguises: readonly ((id: string) => string)[] = [
  (id) => `./${id}`,
  (id) => `/${id}`,
  (id) => `${id}/`,
  (id) => `x/../${id}`,
  (id) => `${id}/.`,
  (id) => `${id}?`,
  (id) => `${id}#x`,
  (id) => `${id}\0`,
  (id) => `${id} `,
  (id) => `%${(id.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}${id.slice(1)}`,
]

/** Reads. */
export function describeReads({ it, options: { restores, renames } }: VaultSuite): void {
  it('reads every item with all its fields, whatever was called before', async ({ account, readTitle }) => {
    for (const expected of account.items) {
      const { item, fields } = await readTitle(expected.title)
      assert.equal(item.title, expected.title)
      assert.deepEqual(valuesOf(fields), valuesOf(expected.fields))
      for (const { name, secret } of expected.fields)
        assert.ok(!secret || fields.find((field) => field.name === name)?.secret, `“${name}” is a secret, but is not marked as one`)
    }
  })

  it('reads what is in the store now, with another revision', async ({ account, readTitle, change, connector, connection, signal }) => {
    const { title } = firstOf(account)
    const before = await readTitle(title)
    const fields = [{ name: 'password', value: 'canary of a change', secret: true }]
    await change(title, { title, fields })
    const after = await connector.read(connection, before.item.id, { signal })
    assert.deepEqual(valuesOf(after.fields), valuesOf(fields))
    if (before.item.revision !== undefined) assert.notEqual(after.item.revision, before.item.revision, 'the revision is as before')
    const again = await connector.read(connection, before.item.id, { signal })
    assert.equal(again.item.revision, after.item.revision, 'the revision changed without the item')
  })

  if (renames)
    it('keeps the id of an item whose title changes', async ({ account, readTitle, change, connector, connection, signal }) => {
      const first = firstOf(account)
      const { id } = (await readTitle(first.title)).item
      await change(first.title, { ...first, title: 'renamed in the store' })
      assert.equal((await connector.read(connection, id, { signal })).item.title, 'renamed in the store')
    })

  it(`does not find a removed item${restores ? ', and tells that it was deleted' : ''}`, async ({ account, find, remove, ...bench }) => {
    const { title } = firstOf(account)
    const { id } = await find(title)
    await bench.connector.read(bench.connection, id, { signal: bench.signal })
    await remove(title)
    const details = await failsWith(
      bench.connector.read(bench.connection, id, { signal: bench.signal }),
      'vault_item_not_found',
      'the read',
    )
    assert.equal(details['deleted'], restores, '“deleted” of the error')
  })

  it('finds no item under an id that is hostile', async ({ connector, connection, signal }) => {
    for (const id of hostileIds) {
      const what = `the read of “${id.slice(0, 30)}”`
      const details = await failsWith(connector.read(connection, id, { signal }), 'vault_item_not_found', what)
      assert.equal(details['deleted'], false, what)
    }
  })

  it('finds no item under its id in disguise', async ({ account, find, connector, connection, signal }) => {
    const { id } = await find(firstOf(account).title)
    for (const disguise of disguises) {
      const other = disguise(id)
      await failsWith(connector.read(connection, other, { signal }), 'vault_item_not_found', `the read of “${other}”`)
    }
  })
}
