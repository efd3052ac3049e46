import { strict as assert } from 'node:assert'
import {
  vaultContentInvalidError,
  vaultForbiddenError,
  vaultRateLimitedError,
  vaultSealedError,
  vaultUnauthorizedError,
  vaultUnavailableError,
} from '../../contracts/vault-connector/errors.js'
import type { VaultConnection, VaultConnector } from '../../contracts/vault-connector/vault-connector.js'
import { createPlainVault, type PlainVault } from '../plain-vault/index.js'
import { describeVaultConnector, type VaultBench, type VaultBenchItem, type VaultConnectorSuiteOptions, type VaultFault } from './index.js'

const vault = 'The plain vault'
const token = 'plain-canary-of-one'

const failures: Readonly<Record<VaultFault, () => Error | 'silent'>> = {
  down: () => vaultUnavailableError.create({ vault, reason: 'it is down' }),
  failing: () => vaultUnavailableError.create({ vault, reason: 'it fails' }),
  silent: () => 'silent',
  untrusted: () => vaultUnavailableError.create({ vault, reason: 'its certificate is not trusted' }),
  sealed: () => vaultSealedError.create({ vault }),
  busy: () => vaultRateLimitedError.create({ vault, retryAfterMs: 7_000 }),
  forbidding: () => vaultForbiddenError.create({ vault, what: 'read' }),
  revoked: () => vaultUnauthorizedError.create({ vault, reason: 'revoked' }),
  expired: () => vaultUnauthorizedError.create({ vault, reason: 'expired' }),
  damaged: () => vaultContentInvalidError.create({ vault, reason: 'it is damaged' }),
  redirecting: () => vaultUnavailableError.create({ vault, reason: 'it redirects to another server' }),
  huge: () => vaultContentInvalidError.create({ vault, reason: 'it is too large' }),
}

const item = (title: string, group?: string): VaultBenchItem => ({
  title,
  ...(group === undefined ? {} : { group }),
  fields: [
    { name: 'user', value: `user of ${title}`, secret: false },
    { name: 'password', value: `canary of ${title}`, secret: true },
  ],
})

const connectionOf = (id: string, of: string): VaultConnection => ({ id, origin: 'user', members: { token: of } })

/** The plain vault, its connector changed, as a bench. */
export function createPlainBench(
  change: (connector: VaultConnector, vault: PlainVault) => Partial<VaultConnector> = () => ({}),
): VaultBench {
  const plain = createPlainVault()
  const account = plain.account(token)
  const other = plain.account('plain-canary-of-two')
  const items = [item('Printer', 'Office'), item('Router'), item('Database', 'Servers'), item('Mail π')]
  for (const each of items) account.put(each)
  // Other ids than those of the first account.
  for (let count = 0; count < 20; count += 1) other.remove(other.put(item('gone')))
  other.put(item('Alarm'))
  plain.account('plain-fixed-canary-of-three')
  const idOf = (title: string): string =>
    [...account.items].find(([, each]) => each.title === title)?.[0] ?? assert.fail(`no “${title}” in the plain vault`)
  return {
    connector: { ...plain.connector, ...change(plain.connector, plain) },
    account: { connection: connectionOf('one', token), items },
    other: { connection: connectionOf('two', 'plain-canary-of-two'), items: [item('Alarm')] },
    wrong: { 'another token': connectionOf('wrong', 'plain-canary-of-none') },
    invalid: { 'a token in another form': connectionOf('invalid', 'canary-of-another-form') },
    fixed: connectionOf('fixed', 'plain-fixed-canary-of-three'),
    add: async (each) => void account.put(each),
    change: async (title, each) => void account.put(each, idOf(title)),
    remove: async (title) => account.remove(idOf(title)),
    break: async (fault) => plain.fail(failures[fault]()),
    elsewhere: () => [],
    mend: async () => plain.fail(),
    close: async () => undefined,
  }
}

export const plainSuite: Omit<VaultConnectorSuiteOptions, 'create'> = {
  name: 'plain',
  supports: { write: true, renew: true },
  invalid: true,
  fixed: true,
  retryAfterMs: 7_000,
  faults: Object.keys(failures) as VaultFault[],
}

describeVaultConnector({ ...plainSuite, create: () => createPlainBench() })
