import type { ChannelSupports } from '../../contracts/channel/declaration.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { ChannelBench, ChannelBenchHooks, ChannelFault } from './channel-bench.js'

/** The options of {@link describeChannel}. */
export interface ChannelSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes a channel and a vendor. Called for each test, in one test twice. */
  create(hooks: ChannelBenchHooks): ChannelBench | Promise<ChannelBench>
  /** What the channel must support; what is not named is false. */
  readonly supports: Partial<ChannelSupports>
  /** What the bench can break. At least `down`. */
  readonly faults: readonly ChannelFault[]
  /**
   * Whether the vendor keeps each message until it is acknowledged, and delivers it again otherwise.
   * Default true; false for a plain protocol in which what is not read is lost.
   */
  readonly acknowledges?: boolean
  /** Whether the vendor says that a program wrote a message. Default false. */
  readonly bots?: boolean
  /** Whether messages that the account wrote elsewhere come in too. Default false. */
  readonly echoes?: boolean
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The longest that anything is waited for, in milliseconds. Default 5,000. */
  readonly limitMs?: number
  /** The longest that something aborted may take to end, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/** The options with their defaults. */
export type ChannelSuiteSettings = Required<Omit<ChannelSuiteOptions, 'create' | 'runner' | 'supports'>> & {
  readonly supports: ChannelSupports
}
