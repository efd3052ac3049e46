import { strict as assert } from 'node:assert'
import { checkVaultConnector } from '../../contracts/vault-connector/check-vault-connector.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { assertSecretMembers, secretMembersTitle } from '../secret-members.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, givenInput } from '../unchecked-rules.js'
import { describeCalls } from './calls.js'
import { describeConnections } from './connections.js'
import { describeFaults } from './faults.js'
import { describeLists } from './lists.js'
import { withSuiteBench } from './open-suite-bench.js'
import { describeReads } from './reads.js'
import type { VaultConnectorSuiteOptions, VaultSuite } from './suite-options.js'
import type { VaultBench, VaultFault } from './vault-bench.js'
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
  const options = {
    restores: false,
    renames: true,
    invalid: false,
    fixed: false,
    inward: false,
    abortLimitMs: 2_000,
    silentLimitMs: 5_000,
    ...given,
  }
  const suite: VaultSuite = { options, it: (title, test) => runner.it(title, () => withSuiteBench(create, test)) }
  runner.describe(`vault connector ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `vault connector ${options.name}`)
    const absent = allFaults.filter((fault) => !options.faults.includes(fault))
    for (const fault of absent)
      unchecked.without(
        `faults: ${fault}`,
        `calls fail as they should while the store is ${fault}, and work again afterwards`,
        ...(fault === 'redirecting' ? ['no secret follows a redirect to another server'] : []),
      )
    if (!options.invalid) unchecked.without('invalid', 'a useless member of a connection is named')
    if (options.supports.renew && !options.fixed) unchecked.without('fixed', 'credentials that cannot be renewed are not called renewable')
    if (options.faults.includes('busy') && options.retryAfterMs === undefined)
      unchecked.without('retryAfterMs', 'the wait for which a busy store asks is told in milliseconds')
    if (!options.inward) unchecked.without('inward', 'no connection of a user reaches an address that is not public')
    suite.it(soundTitle, async ({ connector }) => assertSound(checkVaultConnector(connector)))
    suite.it('supports what it should, and has a bench with enough to test', async (bench) => {
      assert.deepEqual({ ...bench.connector.supports }, { ...options.supports })
      checkBench(bench, options)
    })
    suite.it(secretMembersTitle, async ({ connector, connection, wrong }) =>
      assertSecretMembers(
        connector.connection,
        connection.members,
        Object.values(wrong).map(({ members }) => members),
      ),
    )
    describeLists(suite)
    describeReads(suite)
    if (options.supports.write) describeWrites(suite)
    describeConnections(suite)
    describeCalls(suite)
    describeFaults(suite)
  })
}

const allFaults: readonly VaultFault[] = [
  ...([
    'down',
    'failing',
    'silent',
    'untrusted',
    'sealed',
    'busy',
    'forbidding',
    'revoked',
    'expired',
    'damaged',
    'huge',
    'redirecting',
  ] as const),
]

function checkBench({ account, other, wrong, elsewhere }: VaultBench, { faults, retryAfterMs }: VaultSuite['options']): void {
  for (const fault of ['down', 'damaged'] as const) assert.ok(faults.includes(fault), `the bench must be able to be ${fault}`)
  assert.ok(!faults.includes('redirecting') || elsewhere !== undefined, 'a bench that can be redirecting must have “elsewhere”')
  const wait = givenInput(retryAfterMs)
  assert.ok(wait === undefined || wait >= 1_000, `“retryAfterMs” must be at least 1,000 milliseconds, and is ${wait}`)
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
