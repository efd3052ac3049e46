import type { VaultConnection, VaultConnector } from '../../../contracts/vault-connector/vault-connector.js'
import { describeTwins } from './break-connector.test.js'
import {
  closes,
  down,
  expired,
  fixed,
  mixes,
  moves,
  renewable,
  renews,
  sealed,
  silent,
  tests,
  useless,
  wrong,
} from './suite-titles.test.js'

function keptById({ test, list, read }: VaultConnector): Partial<VaultConnector> {
  const kept = new Map<string, VaultConnection>()
  const first = (of: VaultConnection): VaultConnection => {
    const present = kept.get(of.id) ?? of
    kept.set(of.id, present)
    return present
  }
  return {
    test: (of, call) => test(first(of), call),
    list: (of, query, call) => list(first(of), query, call),
    read: (of, id, call) => read(first(of), id, call),
  }
}

function oneForAll({ list }: VaultConnector): Partial<VaultConnector> {
  let first: VaultConnection | undefined
  return {
    list(of, query, call) {
      first ??= of
      return list(first, query, call)
    },
  }
}

/** Changes what a test says of the renewal. */
const says =
  (change: (can: boolean) => boolean | undefined) =>
  ({ test }: VaultConnector): Partial<VaultConnector> => ({
    async test(of, call) {
      const { renewable: can, ...found } = await test(of, call)
      const changed = change(can === true)
      return { ...found, ...(changed !== undefined && { renewable: changed }) }
    },
  })

describeTwins('connections', [
  ['an account without a name', () => ({ test: async () => ({ account: '' }) }), [tests, wrong, down]],
  [
    'a test that never asks the vault',
    () => ({ test: async () => ({ account: 'Plain' }) }),
    [wrong, useless, down, silent, sealed, expired],
  ],
  ['credentials that are kept by id', keptById, [wrong, moves]],
  ['a renewal that ends in the past', () => ({ renew: async () => ({ expiresAt: Date.now() - 1_000 }) }), [renews]],
  ['credentials that never say that they can be renewed', says(() => undefined), [renewable]],
  ['the opposite of whether credentials can be renewed', says((can) => !can), [renewable, fixed]],
  ['credentials that can always be renewed', says(() => true), [fixed]],
  ['one answer for all connections', oneForAll, [mixes]],
  ['a close that fails', () => ({ close: () => Promise.reject(new Error('not open')) }), [closes]],
])
