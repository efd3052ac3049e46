import { expect } from 'chai'
import type { VaultConnection, VaultConnector } from '../../../contracts/vault-connector/vault-connector.js'
import { createCollectingRunner } from '../../collecting-runner.js'
import type { PlainVault } from '../../plain-vault/index.js'
import { describeVaultConnector, type VaultBench } from '../index.js'
import { createPlainBench, plainSuite } from '../plain-connector.test.js'
import { inward } from './suite-titles.test.js'

export type Change = (connector: VaultConnector, vault: PlainVault) => Partial<VaultConnector>

/** What a twin has, how it differs, and the titles of the tests that have to fail for it. */
export type Twin = readonly [what: string, change: Change, failed: readonly string[]]

/** Shows that the suite detects each twin. */
export function describeTwins(what: string, twins: readonly Twin[]): void {
  describe(`the suite of vault connectors, ${what}`, () => {
    for (const [fault, change, failed] of twins)
      it(`detects ${fault}`, async () => {
        expect(await failing(change, failed)).to.deep.equal(failed)
      })
  })
}

/** Runs these tests of the suite against a changed connector. Returns the titles of the failed ones. */
export async function failing(
  change: Change,
  titles?: readonly string[],
  ofBench: (bench: VaultBench) => Partial<VaultBench> = () => ({}),
): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeVaultConnector({
    ...plainSuite,
    inward: titles?.includes(inward) === true,
    abortLimitMs: 60,
    create() {
      const bench = createPlainBench(change)
      return { ...bench, ...ofBench(bench) }
    },
    runner: {
      ...runner,
      it(title, test) {
        if (titles?.includes(title) !== false) runner.it(title, test)
      },
    },
  })
  const results = await runner.run({ testLimitMs: 5_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('vault connector plain › ', ''))
}

/** Caches what a method answered by a key. */
export function cached<T>(
  keyOf: (...call: readonly unknown[]) => string,
  method: (...call: never[]) => Promise<T>,
): (...call: never[]) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (...call) => {
    const key = keyOf(...call)
    const answer = answers.get(key) ?? method(...call)
    answers.set(key, answer)
    return answer
  }
}

export const idAt = (connection: unknown): string => (connection as VaultConnection).id
export const never = (): AbortSignal => new AbortController().signal
