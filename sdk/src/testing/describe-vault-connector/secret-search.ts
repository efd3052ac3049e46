import { createSecretFinder, type SecretFinder, secretsOfMembers } from '../secret-finder.js'
import type { VaultBench, VaultBenchAccount, VaultBenchItem } from './vault-bench.js'

/** The secrets of a bench, in the forms in which they could be found in a text. */
export interface SecretSearch extends Pick<SecretFinder, 'assertNone'> {
  /** Also looks for the secret values of this item from now on. */
  add(item: VaultBenchItem): void
}

/** Knows the secrets of all connections and items of a bench. */
export function createSecretSearch({ connector, account, other, wrong, invalid = {}, inward }: VaultBench): SecretSearch {
  const connections = [account, other, ...(inward === undefined ? [] : [inward])].map(({ connection }) => connection)
  const ofConnections = [...connections, ...Object.values(wrong), ...Object.values(invalid)].flatMap(({ members }) =>
    secretsOfMembers(connector.connection, members),
  )
  const finder = createSecretFinder([...ofConnections, ...[account, other].flatMap(secretsOf)])
  return {
    add: (item) => secretsOf({ items: [item] }).forEach(finder.add),
    assertNone: finder.assertNone,
  }
}

const secretsOf = ({ items }: Pick<VaultBenchAccount, 'items'>): readonly string[] =>
  items.flatMap(({ fields }) => fields.filter(({ secret }) => secret).map(({ value }) => value))
