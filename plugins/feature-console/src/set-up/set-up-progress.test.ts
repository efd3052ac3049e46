import { expect } from 'chai'
import { progressCollection } from './set-up-progress.js'
import { progressOf } from './set-up-steps.js'

describe('the progress of the set-up', () => {
  it('that an earlier version stored stays: steps are known by the panels that add them now', () => {
    const stored = {
      id: 'set-up',
      memory: 'done',
      provider: 'done',
      models: 'open',
      agent: 'skipped',
      registration: 'done',
      connection: 'house',
    }
    const steps = {
      'set-up-memory': 'done',
      'set-up-provider': 'done',
      'set-up-models': 'open',
      'set-up-agent': 'skipped',
      registration: 'done',
    }
    const [migration] = progressCollection.migrations ?? []
    expect(migration?.to).to.equal(progressCollection.version)
    expect(migration?.migrate(stored)).to.deep.equal({ id: 'set-up', steps, connection: 'house' })
    // Before the step of the memory there were fewer.
    expect(migration?.migrate({ id: 'set-up', provider: 'done', connection: null })).to.deep.equal({
      id: 'set-up',
      steps: { 'set-up-provider': 'done' },
      connection: null,
    })
  })

  it('is of the steps that there are, and those that nothing is noted of are open', () => {
    const noted = { steps: { 'set-up-memory': 'done', gone: 'skipped' }, connection: null } as const
    expect(progressOf(['registration', 'set-up-memory', 'constructor'], noted)).to.deep.equal({
      steps: { registration: 'open', 'set-up-memory': 'done', constructor: 'open' },
      connection: null,
    })
  })
})
