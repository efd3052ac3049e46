import { strict as assert } from 'node:assert'
import { endsWithin } from '../within-limit.js'
import { failsWith, firstOf, valuesOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'
import type { VaultFault } from './vault-bench.js'

const codes: Readonly<Record<VaultFault, string>> = {
  down: 'vault_unavailable',
  failing: 'vault_unavailable',
  silent: 'vault_unavailable',
  untrusted: 'vault_unavailable',
  sealed: 'vault_sealed',
  busy: 'vault_rate_limited',
  forbidding: 'vault_forbidden',
  revoked: 'vault_unauthorized',
  expired: 'vault_unauthorized',
  damaged: 'vault_content_invalid',
  huge: 'vault_content_invalid',
}

/** Stores with faults. */
export function describeFaults({ it, options }: VaultSuite): void {
  const { faults, silentLimitMs, supports } = options
  for (const fault of faults) {
    const code = codes[fault]
    it(`fails with ${code} while the store is ${fault}, and works again afterwards`, async (bench) => {
      const { connector, connection, signal, account } = bench
      const { id } = await bench.find(firstOf(account).title)
      const ended = async (work: Promise<unknown>, what: string): Promise<void> => {
        await endsWithin(work, silentLimitMs, `${what} had no end`)
        const { reason } = await failsWith(work, code, what)
        if (code === 'vault_unauthorized' && reason !== 'unknown') assert.equal(reason, fault, 'the reason of the refusal')
      }
      await bench.break(fault)
      const test = fault === 'forbidding' ? [] : [() => ended(connector.test(connection, { signal }), 'test')]
      const read = () => ended(connector.read(connection, id, { signal }), 'read')
      // With what is cached from before, and without.
      await Promise.all([...test, read].map((call) => call()))
      await connector.close?.(connection.id)
      const list = () => ended(connector.list(connection, { limit: 200 }, { signal }), 'list')
      const fields = [{ name: 'password', value: 'written during a fault', secret: true }]
      const write = supports.write ? [() => ended(Promise.resolve(connector.write?.(connection, { id, fields }, { signal })), 'write')] : []
      const renews = supports.renew && fault !== 'forbidding'
      const renew = renews ? [() => ended(Promise.resolve(connector.renew?.(connection, { signal })), 'renew')] : []
      await Promise.all([...test, read, list, ...write, ...renew].map((call) => call()))
      await bench.mend()
      const { fields: present } = await bench.readTitle(firstOf(account).title)
      assert.deepEqual(valuesOf(present), valuesOf(firstOf(account).fields))
    })
  }
}
