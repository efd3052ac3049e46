import { strict as assert } from 'node:assert'
import type { VaultField } from '../../contracts/vault-connector/vault-connector.js'
import { failsWith, firstOf, valuesOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'

const fields: readonly VaultField[] = [
  { name: 'password', value: ' written π\n"two" lines, e\u0301 🔑 ', secret: true },
  { name: 'note of the suite', value: 'öffentlich', secret: false },
]
const other: readonly VaultField[] = [{ name: 'password', value: 'written by another', secret: true }]

/** Writes. */
export function describeWrites({ it, options: { restores } }: VaultSuite): void {
  it('makes a new item, which is listed and read', async ({ connector, connection, signal, readTitle, account, listAll }) => {
    const written = await connector.write?.(connection, { title: 'Made by the suite', fields }, { signal })
    assert.equal(written?.title, 'Made by the suite')
    const { item, fields: read } = await readTitle('Made by the suite')
    assert.equal(item.id, written?.id)
    assert.equal(item.revision, written?.revision, 'the revision of the write is not the one that is read')
    assert.deepEqual(valuesOf(read), valuesOf(fields))
    assert.equal(read.find(({ name }) => name === 'password')?.secret, true, 'the password is not marked as a secret')
    assert.equal((await listAll()).length, account.items.length + 1)
  })

  it('replaces all fields of an item, and keeps its title and group', async ({ connector, connection, signal, account, readTitle }) => {
    const { title } = firstOf(account)
    const before = await readTitle(title)
    const written = await connector.write?.(connection, { id: before.item.id, fields }, { signal })
    assert.equal(written?.id, before.item.id)
    const after = await connector.read(connection, before.item.id, { signal })
    assert.deepEqual([after.item.title, after.item.group], [title, before.item.group])
    assert.deepEqual(valuesOf(after.fields), valuesOf(fields))
    assert.equal(after.item.revision, written?.revision, 'the revision of the write is not the one that is read')
    assert.notEqual(after.item.revision, before.item.revision, 'the revision is as before')
  })

  it('writes over the revision that was read, and over no other', async ({ connector, connection, signal, account, readTitle, change }) => {
    const { title } = firstOf(account)
    const { item } = await readTitle(title)
    const { id, revision } = item
    assert.ok(revision !== undefined, 'a connector that writes has to give revisions')
    const written = await connector.write?.(connection, { id, revision, fields }, { signal })
    await failsWith(
      Promise.resolve(connector.write?.(connection, { id, revision, fields: other }, { signal })),
      'vault_conflict',
      'the second write',
    )
    assert.deepEqual(valuesOf((await connector.read(connection, id, { signal })).fields), valuesOf(fields))
    await change(title, { title, fields: other })
    const late = { id, fields, ...(written?.revision === undefined ? {} : { revision: written.revision }) }
    await failsWith(
      Promise.resolve(connector.write?.(connection, late, { signal })),
      'vault_conflict',
      'the write after a change in the store',
    )
    assert.deepEqual(valuesOf((await connector.read(connection, id, { signal })).fields), valuesOf(other))
  })

  it('lets one of several writes over the same revision through', async ({ connector, connection, signal, account, readTitle }) => {
    const { item } = await readTitle(firstOf(account).title)
    const { id, revision } = item
    assert.ok(revision !== undefined, 'a connector that writes has to give revisions')
    const values = ['one', 'two', 'three'].map((value) => [{ name: 'password', value: `concurrent ${value}`, secret: true }])
    const outcomes = await Promise.allSettled(
      values.map(async (each) => connector.write?.(connection, { id, revision, fields: each }, { signal })),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'exactly one write has to succeed')
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') await failsWith(Promise.reject(outcome.reason), 'vault_conflict', 'a write')
    const winner = values[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? []
    assert.deepEqual(valuesOf((await connector.read(connection, id, { signal })).fields), valuesOf(winner))
  })

  it('writes no item that is not there', async ({ connector, connection, signal, account, find, remove, listAll }) => {
    const { title } = firstOf(account)
    const { id } = await find(title)
    await remove(title)
    const before = await listAll()
    const write = (of: string): Promise<unknown> => Promise.resolve(connector.write?.(connection, { id: of, fields }, { signal }))
    const details = await failsWith(write(id), 'vault_item_not_found', 'the write of a removed item')
    assert.equal(details['deleted'], restores, '“deleted” of the error')
    for (const hostile of ['', '..', '../x', '/', '\0', `${id}/`, `./${id}`, 'x'.repeat(1_000)])
      await failsWith(write(hostile), 'vault_item_not_found', `the write of “${hostile.slice(0, 20)}”`)
    assert.deepEqual(await listAll(), before)
  })

  it('writes nothing that was aborted before', async ({ connector, connection, signal, listAll, account }) => {
    const reason = new Error('stopped by the suite')
    const write = { title: 'Never made', fields }
    await assert.rejects(
      async () => connector.write?.(connection, write, { signal: AbortSignal.abort(reason) }),
      (error) => error === reason,
    )
    await connector.test(connection, { signal })
    assert.equal((await listAll()).length, account.items.length)
  })
}
