import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { describeFailures } from './failures.js'
import { describePaging } from './paging.js'
import { describeQueries } from './queries.js'
import { describeResults } from './results.js'
import { type SearchEngine, startSearchEngine } from './search-engine.js'
import { createSearchBench, type SearchTest } from './suite-bench.js'
import type { SearchProviderSuiteOptions } from './suite-options.js'

/**
 * Tests every rule of the `search.provider` contract, against an engine on loopback that speaks the
 * provider's dialect and misbehaves.
 *
 * @example
 * const engine: SearchEngineDialect = {
 *   results: (pages) => ({ body: JSON.stringify({ pages }) }),
 *   read: ({ body }) => ({ text: (JSON.parse(body) as { readonly query: string }).query }),
 * }
 * const create = (baseUrl: string) =>
 *   defineSearchProvider({ id: 'town', title: `Town at ${baseUrl}`, search: async () => ({ results: [] }) })
 * describeSearchProvider({ name: 'town', create, engine })
 */
export function describeSearchProvider(options: SearchProviderSuiteOptions): void {
  const runner: SuiteRunner = options.runner ?? globalSuiteRunner()
  runner.describe(`search provider ${options.name}`, () => {
    let engine: SearchEngine | undefined
    runner.beforeEach(async () => {
      engine = await startSearchEngine()
    })
    runner.afterEach(async () => {
      await engine?.close()
      engine = undefined
    })
    const test: SearchTest = (title, run) =>
      runner.it(title, async () => {
        if (engine) await run(createSearchBench(options, engine))
      })
    const unchecked = collectUncheckedRules(runner, `search provider ${options.name}`)
    describeQueries(test, options, unchecked)
    describeResults(test)
    describePaging(test, options.engine, unchecked)
    describeFailures(test, options)
  })
}
