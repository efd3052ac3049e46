/**
 * The part of a test framework that the published suites use. Mocha, Vitest, Jest and `node:test`
 * all have it.
 */
export interface SuiteRunner {
  /** Groups the tests that `define` describes synchronously. */
  describe(title: string, define: () => void): void
  /** One test; it passes unless it throws or rejects. */
  it(title: string, test: () => Promise<void> | void): void
  /** Runs once before the tests of the group. */
  before(hook: () => Promise<void> | void): void
  /** Runs once after the tests of the group, failed or not. */
  after(hook: () => Promise<void> | void): void
  /** Runs before each test of the group and of those inside it. */
  beforeEach(hook: () => Promise<void> | void): void
  /** Runs after each test of the group and of those inside it, failed or not. */
  afterEach(hook: () => Promise<void> | void): void
  /**
   * Keeps one line about the suite itself: what it did not check because an optional input was absent.
   * Default: the line is printed on stdout.
   */
  note?(line: string): void
}

/**
 * The runner of a framework in the global scope. Looked up when a suite is described, so importing
 * the suite needs no framework.
 * @throws an `Error` that names the option to pass if there is none.
 */
export function globalSuiteRunner(): SuiteRunner {
  const candidate = globalThis as unknown as Partial<SuiteRunner> & {
    readonly beforeAll?: SuiteRunner['before']
    readonly afterAll?: SuiteRunner['after']
  }
  const { describe, it, beforeEach, afterEach } = candidate
  const before = candidate.before ?? candidate.beforeAll
  const after = candidate.after ?? candidate.afterAll
  if (!describe || !it || !before || !after || !beforeEach || !afterEach) {
    throw new Error('No test framework was found on the global object. Run the suite under mocha, or pass { runner }.')
  }
  return { describe, it, before, after, beforeEach, afterEach }
}
