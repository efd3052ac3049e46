import { strict as assert } from 'node:assert'
import { checkVaultConnector } from '../../contracts/vault-connector/check-vault-connector.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { describeCalls } from './calls.js'
import { describeConnections } from './connections.js'
import { describeFaults } from './faults.js'
import { describeLists } from './lists.js'
import { withSuiteBench } from './open-suite-bench.js'
import { describeReads } from './reads.js'
import type { VaultConnectorSuiteOptions, VaultSuite } from './suite-options.js'
import type { VaultBench } from './vault-bench.js'
import { describeWrites } from './writes.js'

/**
 * Tests every rule of the `vault.connector` contract. Each answer and each error of every test is
 * searched for the secrets of the bench, also encoded.
 *
 * @example
 * const test = (create: () => VaultBench) =>
 *   describeVaultConnector({ name: 'town', create, supports: { write: false, renew: false }, faults: ['down', 'damaged'] })
 */
export function describeVaultConnector({ create, runner = globalSuiteRunner(), ...given }: VaultConnectorSuiteOptions): void {
  const options = { restores: false, renames: true, invalid: false, inward: false, abortLimitMs: 2_000, silentLimitMs: 5_000, ...given }
  const suite: VaultSuite = { options, it: (title, test) => runner.it(title, () => withSuiteBench(create, test)) }
  runner.describe(`vault connector ${options.name}`, () => {
    suite.it(soundTitle, async ({ connector }) => assertSound(checkVaultConnector(connector)))
    suite.it('supports what it should, and has a bench with enough to test', async (bench) => {
      assert.deepEqual({ ...bench.connector.supports }, { ...options.supports })
      checkBench(bench, options)
    })
    describeLists(suite)
    describeReads(suite)
    if (options.supports.write) describeWrites(suite)
    describeConnections(suite)
    describeCalls(suite)
    describeFaults(suite)
  })
}

function checkBench({ account, other, wrong }: VaultBench, { faults }: VaultSuite['options']): void {
  for (const fault of ['down', 'damaged'] as const) assert.ok(faults.includes(fault), `the bench must be able to be ${fault}`)
  assert.ok(account.items.length >= 3, 'the account must have at least three items')
  assert.ok(other.items.length > 0, 'the other account must have an item')
  assert.notEqual(account.connection.id, other.connection.id, 'the connections must have two ids')
  assert.ok(Object.keys(wrong).length > 0, 'there must be a connection with wrong credentials')
  const items = [...account.items, ...other.items]
  assert.equal(new Set(items.map(({ title }) => title)).size, items.length, 'the titles of all items must differ')
  for (const { title, fields } of items)
    assert.ok(
      fields.some(({ secret, value }) => secret && value.length >= 8),
      `“${title}” must have a secret field of at least 8 characters`,
    )
}
