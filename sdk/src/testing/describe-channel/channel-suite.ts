import type { UncheckedRules } from '../unchecked-rules.js'
import type { ChannelTestBody } from './suite-bench.js'
import type { ChannelSuiteSettings } from './suite-options.js'

/** What the parts of the suite are described with. */
export interface ChannelSuite {
  readonly options: ChannelSuiteSettings
  /** Notes what the bench gives no input for. */
  readonly unchecked: UncheckedRules
  /** One test with a bench of its own. */
  it(title: string, test: ChannelTestBody): void
}
