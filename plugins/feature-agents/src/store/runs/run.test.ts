import { expect } from 'chai'
import { queuedRun } from '../../test-support/queued-run.js'
import { runCollection } from './run.js'

/** A run as the release before wrote it. */
const { model_source: _, ...formerRun } = queuedRun('r', 'u', { status: 'waiting', asking: ['c'] })

describe('a run of the release before', () => {
  it('has the model of its agent', () => {
    const migration = runCollection.migrations?.find(({ to }) => to === runCollection.version) ?? expect.fail('no migration')
    expect(migration.migrate(formerRun)).to.deep.equal({ ...formerRun, model_source: 'agent' })
  })
})
