import { strict as assert } from 'node:assert'
import type { VaultConnection } from '../../contracts/vault-connector/vault-connector.js'
import { failsWith, firstOf, type SuiteBench, valuesOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'

/** The calls that need no id. */
const callsOf = ({ connector, signal }: SuiteBench, connection: VaultConnection): Readonly<Record<string, () => Promise<unknown>>> => ({
  test: () => connector.test(connection, { signal }),
  list: () => connector.list(connection, { limit: 10 }, { signal }),
})

/** Credentials, and connections beside each other. */
export function describeConnections({ it, options: { supports, invalid, fixed: hasFixed, inward: hasInward } }: VaultSuite): void {
  it('tests a connection, and names its account', async ({ connector, connection, signal }) => {
    const { account } = await connector.test(connection, { signal })
    assert.ok(account.length > 0)
    assert.equal((await connector.test(connection, { signal })).account, account, 'the second test')
  })

  it('refuses wrong credentials in every call, also where good ones were used before under the same id', async (bench) => {
    const { connection, connector, signal, account, wrong } = bench
    for (const [what, bad] of Object.entries(wrong)) {
      for (const [name, call] of Object.entries(callsOf(bench, { ...bad, id: `cold ${what}` })))
        await failsWith(call(), 'vault_unauthorized', `${name}, ${what}`)
      const { item } = await bench.readTitle(firstOf(account).title)
      const changed = { ...bad, id: connection.id }
      for (const [name, call] of Object.entries(callsOf(bench, changed)))
        await failsWith(call(), 'vault_unauthorized', `${name} after a change, ${what}`)
      await failsWith(connector.read(changed, item.id, { signal }), 'vault_unauthorized', `read after a change, ${what}`)
      assert.equal((await connector.read(connection, item.id, { signal })).item.id, item.id, 'the good credentials are refused afterwards')
    }
  })

  if (invalid)
    it('says which member of a connection is useless', async (bench) => {
      const useless = Object.entries(bench.invalid ?? {})
      assert.ok(useless.length > 0, 'the bench has no invalid connection')
      for (const [what, bad] of useless)
        for (const [name, call] of Object.entries(callsOf(bench, bad))) {
          const { member } = await failsWith(call(), 'vault_connection_invalid', `${name}, ${what}`)
          assert.ok(typeof member === 'string' && Object.hasOwn(bench.connector.connection.properties, member), `“${member}” is no member`)
        }
    })

  it('does not mix two connections', async ({ account, other, listAll, readTitle, connector, connection, signal }) => {
    const all = [account, other, account, other]
    const lists = await Promise.all(all.map((each) => listAll({}, each.connection)))
    for (const [index, list] of lists.entries())
      assert.deepEqual(list.map(({ title }) => title).sort(), all[index]?.items.map(({ title }) => title).sort())
    const { item } = await readTitle(firstOf(other).title, other.connection)
    const mine = await connector.read(connection, item.id, { signal }).catch(() => undefined)
    if (mine !== undefined) assert.notEqual(mine.item.title, firstOf(other).title, 'a connection reads the item of another one')
  })

  it('follows a connection id to another account when its members change', async ({ account, other, listAll }) => {
    await listAll()
    const moved = { ...other.connection, id: account.connection.id }
    assert.deepEqual((await listAll({}, moved)).map(({ title }) => title).sort(), other.items.map(({ title }) => title).sort())
    assert.deepEqual((await listAll()).map(({ title }) => title).sort(), account.items.map(({ title }) => title).sort())
  })

  it('closes a connection, also twice, one that it never had, and one in use', async (bench) => {
    const { connector, connection, signal, account, readTitle } = bench
    await connector.close?.('never had')
    await readTitle(firstOf(account).title)
    for (let times = 0; times < 2; times += 1) await connector.close?.(connection.id)
    const work = Promise.allSettled([connector.list(connection, { limit: 10 }, { signal }), connector.test(connection, { signal })])
    await connector.close?.(connection.id)
    await work
    const { fields } = await readTitle(firstOf(account).title)
    assert.deepEqual(valuesOf(fields), valuesOf(firstOf(account).fields))
  })

  if (hasInward)
    it('reaches no address that is not public for a connection of a user', async (bench) => {
      const { inward, connector, signal } = bench
      assert.ok(inward?.connection.origin === 'user', 'the bench has to have an inward connection of a user')
      const read = (): Promise<unknown> => connector.read(inward.connection, 'any', { signal })
      for (const [name, call] of Object.entries({ ...callsOf(bench, inward.connection), read })) {
        const error = await call().then(
          () => undefined,
          (reason: unknown) => reason as { readonly code?: string },
        )
        // A connector may refuse an id of another form before it looks at the address.
        const codes = ['vault_connection_invalid', 'vault_unavailable', ...(name === 'read' ? ['vault_item_not_found'] : [])]
        assert.ok(codes.includes(error?.code ?? ''), `${name} ended with ${error?.code}`)
      }
      assert.equal(inward.connections(), 0, 'the store was reached')
    })

  if (supports.renew)
    it('says that credentials can be renewed', async ({ connector, connection, signal }) => {
      assert.equal((await connector.test(connection, { signal })).renewable, true, 'renewable; without it, they are never renewed')
    })

  if (supports.renew && hasFixed)
    it('does not say so of credentials that cannot be renewed', async ({ connector, fixed, signal }) => {
      assert.ok(fixed, 'the bench has no fixed connection')
      assert.notEqual((await connector.test(fixed, { signal })).renewable, true, 'renewable')
    })

  if (supports.renew)
    it('renews the credentials, which stay the same', async ({ connector, connection, signal, account, readTitle }) => {
      const renewed = await connector.renew?.(connection, { signal })
      const { expiresAt = renewed?.expiresAt } = await connector.test(connection, { signal })
      assert.ok(
        expiresAt === undefined || renewed?.expiresAt !== undefined,
        'the test of the connection says when it ends, and the renewal does not',
      )
      if (renewed?.expiresAt !== undefined) {
        assert.ok(renewed.expiresAt > Date.now(), 'the renewed credentials have expired already')
        assert.ok(Math.abs(renewed.expiresAt - (expiresAt ?? 0)) < 60_000, 'the test of the connection says another end')
      }
      assert.deepEqual(valuesOf((await readTitle(firstOf(account).title)).fields), valuesOf(firstOf(account).fields))
    })
}
