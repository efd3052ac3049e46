import type { MemoryBackend } from '../../contracts/memory-backend/memory-backend.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { MemoryBench } from './memory-bench.js'
import type { SuiteBench } from './suite-bench.js'

/** The options of {@link describeMemoryBackend}. */
export interface MemoryBackendSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes a back end with an empty store. Called for each test, and twice in those that move memories. */
  create(): MemoryBench | Promise<MemoryBench>
  /** What the back end must support. */
  readonly supports: MemoryBackend['supports']
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted call may take to end, in milliseconds. Default 5,000. */
  readonly abortLimitMs?: number
}

/** What the parts of the suite are described with. */
export interface MemorySuite {
  readonly options: Required<Omit<MemoryBackendSuiteOptions, 'create' | 'runner'>>
  /** One test with a bench of its own. */
  it(title: string, test: (bench: SuiteBench) => Promise<void>): void
}
