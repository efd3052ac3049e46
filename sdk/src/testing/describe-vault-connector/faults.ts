import { strict as assert } from 'node:assert'
import { givenInput } from '../unchecked-rules.js'
import { endsWithin } from '../within-limit.js'
import { failsWith, firstOf, valuesOf } from './open-suite-bench.js'
import type { VaultSuite } from './suite-options.js'
import type { VaultFault } from './vault-bench.js'

const codes: Readonly<Record<VaultFault, string | undefined>> = {
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
  // Whether it says that its address is wrong, that there is no store, or what the other server answers, is its own affair.
  redirecting: undefined,
}

/** Stores with faults. */
export function describeFaults({ it, options }: VaultSuite): void {
  const { faults, silentLimitMs, supports } = options
  for (const fault of faults) {
    const code = codes[fault]
    it(`fails${code === undefined ? '' : ` with ${code}`} while the store is ${fault}, and works again afterwards`, async (bench) => {
      const { connector, connection, signal, account } = bench
      const { id } = await bench.find(firstOf(account).title)
      const ended = async (work: Promise<unknown>, what: string): Promise<void> => {
        await endsWithin(work, silentLimitMs, `${what} had no end`)
        const { reason, retryAfterMs } = await failsWith(work, code, what)
        if (fault === 'busy') assertWait(retryAfterMs, givenInput(options.retryAfterMs), what)
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

/** The wait of the error is the one of the store. A connector may round it, or add to it, but never takes seconds for milliseconds. */
function assertWait(told: unknown, asked: number | undefined, what: string): void {
  if (asked === undefined) return
  const isAsked = typeof told === 'number' && told >= asked / 2 && told <= asked * 2
  assert.ok(isAsked, `the store asks to wait for ${asked} ms, and retryAfterMs of the error of ${what} is ${String(told)}`)
}
