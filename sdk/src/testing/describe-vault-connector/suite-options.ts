import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'
import type { VaultTestBody } from './open-suite-bench.js'
import type { VaultBench, VaultFault } from './vault-bench.js'

/** The options of {@link describeVaultConnector}. */
export interface VaultConnectorSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes a connector and a store with the same items. Called for each test. */
  create(): VaultBench | Promise<VaultBench>
  /** What the connector must support. */
  readonly supports: { readonly write: boolean; readonly renew: boolean }
  /** What the bench can break. At least `down` and `damaged`. */
  readonly faults: readonly VaultFault[]
  /** Whether a removed item can be restored in the store, which `read` then tells; lists may keep it. Default false. */
  readonly restores?: boolean
  /** Whether an item keeps its id when its title changes. Default true; false where the title is a part of the id. */
  readonly renames?: boolean
  /** Whether the bench has {@link VaultBench.invalid}. Default false. */
  readonly invalid?: boolean
  /** Whether the bench has {@link VaultBench.fixed}; of a connector that renews. Default false. */
  readonly fixed?: boolean
  /** Whether the bench has {@link VaultBench.inward}. Default false. */
  readonly inward?: boolean
  /**
   * The wait for which the store asks while it is `busy`, in milliseconds, at least 1,000: 7,000 for
   * `Retry-After: 7`. `not applicable` if it never names one. Default: not tested.
   */
  readonly retryAfterMs?: number | NotApplicable
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted call may take to end, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
  /** The longest that a call to a `silent` store may take to fail, in milliseconds. Default 5,000. */
  readonly silentLimitMs?: number
}

/** What the parts of the suite are described with. */
export interface VaultSuite {
  readonly options: Required<Omit<VaultConnectorSuiteOptions, 'create' | 'runner' | 'retryAfterMs'>> &
    Pick<VaultConnectorSuiteOptions, 'retryAfterMs'>
  /** One test with a bench of its own. */
  it(title: string, test: VaultTestBody): void
}
