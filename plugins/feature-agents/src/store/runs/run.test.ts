import { expect } from 'chai'
import { queuedRun } from '../../test-support/queued-run.js'
import { runCollection } from './run.js'

/** A run as the release before wrote it. */
const { terms: _, result: __, reports_to: ___, ...formerRun } = queuedRun('r', 'u', { status: 'waiting', asking: ['c'] })

describe('a run of the release before', () => {
  it('has no terms, no result and nothing to report to', () => {
    const migration = runCollection.migrations?.find(({ to }) => to === runCollection.version) ?? expect.fail('no migration')
    expect(migration.migrate(formerRun)).to.deep.equal({ ...formerRun, terms: null, result: null, reports_to: null })
  })
})
