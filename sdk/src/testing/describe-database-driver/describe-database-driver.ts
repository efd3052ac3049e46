import type { DatabaseDriverSuiteOptions } from './support/suite-options.js'
import { createSuiteTopic } from './support/suite-store.js'
import { describeBackup } from './topics/backup.js'
import { describeChecks } from './topics/checks.js'
import { describeClosing } from './topics/closing.js'
import { describeCommits } from './topics/commits.js'
import { describeConcurrency } from './topics/concurrency.js'
import { describeCursors } from './topics/cursors.js'
import { describeDocuments } from './topics/documents.js'
import { describeLayouts } from './topics/layouts.js'
import { describeOpening } from './topics/opening.js'
import { describePurging } from './topics/purging.js'
import { describeRanges } from './topics/ranges.js'
import { describeReopening } from './topics/reopening.js'
import { describeSearches } from './topics/searches.js'
import { describeUniqueness } from './topics/uniqueness.js'

/**
 * Tests every rule of the `database.driver` contract. A driver that passes can be used by
 * the kernel. Each test has its own store in a temporary folder.
 *
 * @example
 * describeDatabaseDriver({
 *   name: 'memory',
 *   create: createMemoryDatabaseDriver,
 *   supports: { embedded: true, hotBackup: true, textSearch: true },
 * })
 */
export function describeDatabaseDriver(options: DatabaseDriverSuiteOptions): void {
  const topic = createSuiteTopic(options)
  topic.runner.describe(`database driver ${options.name}`, () => {
    describeOpening(topic)
    describeDocuments(topic)
    describeRanges(topic)
    describeCursors(topic)
    describeCommits(topic)
    describeChecks(topic)
    describeUniqueness(topic)
    describeConcurrency(topic)
    describeLayouts(topic)
    describeSearches(topic)
    describeReopening(topic)
    describeClosing(topic)
    describeBackup(topic)
    describePurging(topic)
  })
}
