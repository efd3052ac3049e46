import { createControlledClock } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { runCollection } from '../../store/runs/run.js'
import { createMemoryDatabase } from '../../test-support/memory-database.js'
import { queuedRun } from '../../test-support/queued-run.js'
import { createRunLog, inputWaitingError } from '../log/run-log.js'
import { advance, type RunSession } from './run-session.js'

describe('a session whose run was written to in the meantime', () => {
  const begin = () => {
    const memory = createMemoryDatabase()
    const events = { record: () => undefined, publishDelta: () => 0, position: () => 0 }
    const log = createRunLog({ database: memory.database, clock: createControlledClock(), events })
    const run = queuedRun('run', 'u', { status: 'running', last_step: 'tools.answered', step_count: 6 })
    memory.documents(runCollection).set('run', { ...run, inbox: ['message'] })
    const session = { run, steps: [] } as unknown as RunSession
    return { memory, log, session }
  }

  it('has the new input, so that it does not retry the same step forever', async () => {
    const { log, session } = begin()
    const check = (): never => {
      throw inputWaitingError.create({})
    }
    const error = await advance(session, log, { steps: [{ type: 'input.taken', message_ids: [] }], check }).catch(
      (reason: unknown) => reason,
    )
    expect(error).to.have.property('code', 'run_input_waiting')
    expect(session.run.inbox).to.deep.equal(['message'])
    expect(session.steps).to.deep.equal([])
  })

  it('stops if another driver has claimed the run', async () => {
    const { memory, log, session } = begin()
    const stored = memory.documents(runCollection)
    const check = (): never => {
      stored.set('run', { ...session.run, epoch: 7 })
      throw inputWaitingError.create({})
    }
    const error = await advance(session, log, { steps: [], check }).catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'run_superseded')
  })
})
