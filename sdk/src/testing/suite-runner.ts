/** The part of a test framework that the published suites use. Mocha, Vitest, Jest and `node:test` all have it. */
export interface SuiteRunner {
  describe(title: string, define: () => void): void
  it(title: string, test: () => Promise<void> | void): void
  before(hook: () => Promise<void> | void): void
  after(hook: () => Promise<void> | void): void
  beforeEach(hook: () => Promise<void> | void): void
  afterEach(hook: () => Promise<void> | void): void
}

/**
 * The runner that a framework has put on the global object. Looked up when a suite is described, so importing the suite needs no framework.
 * @throws an `Error` that says what to pass when there is none.
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
