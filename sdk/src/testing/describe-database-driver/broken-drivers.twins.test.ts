import { expect } from 'chai'
import type { DatabaseDriver } from '../../contracts/database-driver/index.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { brokenCommits } from './broken-commits.twins.test.js'
import { brokenLifetimes } from './broken-lifetimes.twins.test.js'
import { brokenPurges } from './broken-purges.twins.test.js'
import { brokenReads } from './broken-reads.twins.test.js'
import { brokenSearchPages } from './broken-search-pages.twins.test.js'
import { brokenSearchedChanges } from './broken-searched-changes.twins.test.js'
import { brokenSearchedWords } from './broken-searched-words.twins.test.js'
import { describeDatabaseDriver } from './describe-database-driver.js'

const supports = { embedded: true, hotBackup: true, textSearch: true } as const

const brokenDrivers = [
  ...brokenReads,
  ...brokenSearchedWords,
  ...brokenSearchPages,
  ...brokenSearchedChanges,
  ...brokenCommits,
  ...brokenLifetimes,
  ...brokenPurges,
]

/** Titles of the tests that fail against a driver. */
async function failuresOf(create: () => DatabaseDriver): Promise<{ readonly failed: readonly string[]; readonly count: number }> {
  const runner = createCollectingRunner()
  describeDatabaseDriver({ name: 'broken', create, supports, runner })
  const results = await runner.run({ testLimitMs: 3000 })
  const failed = results
    .filter((result) => result.error !== undefined)
    .map((result) => result.title.replace('database driver broken › ', ''))
  return { failed, count: results.length }
}

describe('describeDatabaseDriver', function () {
  this.timeout(60_000)

  it('passes a correct driver, with every test', async () => {
    const { failed, count } = await failuresOf(createMemoryDatabaseDriver)
    expect(failed).to.deep.equal([])
    expect(count).to.be.greaterThan(60)
  })

  for (const { rule, create, fails } of brokenDrivers) {
    it(`catches a driver where ${rule}`, async () => {
      expect((await failuresOf(create)).failed).to.deep.equal(fails)
    })
  }
})
