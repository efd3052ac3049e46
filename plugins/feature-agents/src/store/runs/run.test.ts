import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { queuedRun } from '../../test-support/queued-run.js'
import { runCollection } from './run.js'

const { model_source, answer_for, guests, ...oldRun } = queuedRun('r', 'u', { status: 'waiting', asking: ['c'] })

/** A run of an earlier release, as it is now. */
const migrated = (run: JsonObject, from: number): JsonObject =>
  (runCollection.migrations ?? []).filter(({ to }) => to > from).reduce((each, { migrate }) => migrate(each), run)

describe('a run of a release before', () => {
  it('has the model of its agent, answers in its chat, and has no guests', () => {
    expect(migrated(oldRun, 3)).to.deep.equal({ ...oldRun, model_source, answer_for, guests })
    expect([model_source, answer_for, guests]).to.deep.equal(['agent', 'chat', null])
  })
})
