import { withTimeLimit } from '../async/index.js'
import type { SuiteRunner } from './suite-runner.js'

/** The result of one test of a collected suite. */
export interface CollectedResult {
  /** The titles of its groups and its own, joined by ` › `. */
  readonly title: string
  /** The error of the test, or of a hook before it; absent if it passed. */
  readonly error?: unknown
}

/**
 * A runner that keeps tests as data, so that a suite can itself be tested, for example against a
 * deliberately broken implementation.
 */
export interface CollectingRunner extends SuiteRunner {
  /** The titles of the tests described so far, in order, as in {@link CollectedResult.title}. */
  readonly titles: readonly string[]
  /** What the suites said that they did not check, in order; complete after {@link CollectingRunner.run}. */
  readonly notes: readonly string[]
  /**
   * Runs the described tests one after the other and returns their results. Failing tests do not
   * stop it.
   */
  run(options?: { readonly testLimitMs?: number }): Promise<readonly CollectedResult[]>
}

type Step = () => Promise<void> | void

interface Group {
  readonly title: string
  readonly tests: { readonly title: string; readonly test: Step }[]
  readonly groups: Group[]
  readonly before: Step[]
  readonly after: Step[]
  readonly beforeEach: Step[]
  readonly afterEach: Step[]
}

/** Makes a runner that collects. */
export function createCollectingRunner(): CollectingRunner {
  const root = createGroup('')
  const titles: string[] = []
  const notes: string[] = []
  const stack: Group[] = [root]
  const current = (): Group => stack.at(-1) ?? root
  const titleOf = (title: string): string => [...stack.slice(1).map((group) => group.title), title].join(' › ')

  return {
    titles,
    notes,
    describe(title, define) {
      const group = createGroup(title)
      current().groups.push(group)
      stack.push(group)
      try {
        define()
      } finally {
        stack.pop()
      }
    },
    it(title, test) {
      const full = titleOf(title)
      titles.push(full)
      current().tests.push({ title: full, test })
    },
    before: (hook) => void current().before.push(hook),
    after: (hook) => void current().after.push(hook),
    beforeEach: (hook) => void current().beforeEach.push(hook),
    afterEach: (hook) => void current().afterEach.push(hook),
    note: (line) => void notes.push(line),
    async run({ testLimitMs = 20_000 } = {}) {
      const results: CollectedResult[] = []
      await runGroup(root, { results, testLimitMs, beforeEach: [], afterEach: [] })
      return results
    },
  }
}

function createGroup(title: string): Group {
  return { title, tests: [], groups: [], before: [], after: [], beforeEach: [], afterEach: [] }
}

interface Run {
  readonly results: CollectedResult[]
  readonly testLimitMs: number
  readonly beforeEach: readonly Step[]
  readonly afterEach: readonly Step[]
}

async function runGroup(group: Group, run: Run): Promise<void> {
  const beforeEach = [...run.beforeEach, ...group.beforeEach]
  const afterEach = [...group.afterEach, ...run.afterEach]
  for (const hook of group.before) await withinLimit(hook, run.testLimitMs)
  for (const { title, test } of group.tests) {
    const errors: unknown[] = []
    for (const step of [...beforeEach, test]) {
      if (errors.length > 0) break
      await withinLimit(step, run.testLimitMs).catch((error: unknown) => errors.push(error))
    }
    for (const step of afterEach) await withinLimit(step, run.testLimitMs).catch((error: unknown) => errors.push(error))
    run.results.push(errors.length === 0 ? { title } : { title, error: errors[0] })
  }
  for (const inner of group.groups) await runGroup(inner, { ...run, beforeEach, afterEach })
  for (const hook of group.after) await withinLimit(hook, run.testLimitMs)
}

function withinLimit(step: Step, limitMs: number): Promise<void> {
  return withTimeLimit(async () => step(), { limitMs, timedOut: () => new Error(`The test did not end within ${limitMs} ms.`) })
}
