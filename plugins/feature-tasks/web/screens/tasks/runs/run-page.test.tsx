import { fakeApi, problem, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../../api/index.js'
import type { paths } from '../../../api/schema.js'
import { attempt, modelFailure, run } from '../../../test-support/tasks.js'
import { showTasks } from '../test-support/show-tasks.js'

type Run = Schemas['TaskExecution']

const entry = (kind: string, text: string): Schemas['TaskLogEntry'] => ({ at: '2026-12-01T09:00:00Z', kind, text })

function showRun(changes: Partial<Run>, ...entries: Schemas['TaskLogEntry'][]) {
  let kept = run(changes)
  const service = fakeApi<paths>({
    'get /api/tasks/{task_id}/executions/{execution_id}': () => kept,
    'get /api/tasks/{task_id}/executions/{execution_id}/log': () => ({ entries }),
    'post /api/tasks/{task_id}/executions/{execution_id}/cancel': () => kept,
  })
  const { user } = showTasks('/tasks/task_report/runs/run_1')
  return {
    user,
    service,
    become(next: Partial<Run>): void {
      kept = run({ ...changes, ...next })
      const { state, failure, waiting_for } = kept
      const execution = { id: kept.id, state, failure, waiting_for }
      const data = { task_id: kept.task_id, kind: 'task' as const, title: 'Report', status: 'waiting' as const, next_at: null, execution }
      sendEvent<Schemas['Event']>('task.updated', data)
    },
  }
}

const factOf = (name: string): string => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent ?? ''
const stateInHead = (): string => document.querySelector('.tasks-lead .badge')?.textContent ?? ''

describe('the page of a run', () => {
  it('shows the answer, the log, what it used, and the chat of its attempt', async () => {
    const answer = 'There are three invoices.'
    showRun({ answer, attempts: [attempt()] }, entry('message', answer), entry('state', 'completed: All is done.'))
    const log = await screen.findByRole('list', { name: 'Log' })
    expect(screen.getAllByText(answer)).to.have.length(2)
    expect(within(log).getAllByRole('listitem').at(-1)?.textContent).to.include('Completed. All is done.')
    expect([factOf('Started by'), factOf('Tokens'), factOf('Cost')]).to.deep.equal(['You', '10 in, 5 out', 'Not known'])
    expect(screen.getByRole('link', { name: 'Open chat' }).getAttribute('href')).to.equal('/chats/chat_1')
    expect(screen.queryByRole('button', { name: 'Cancel this run…' })).to.equal(null)
  })

  it('says in a sentence why it failed, and of each attempt why it did', async () => {
    const attempts = [attempt({ failure: modelFailure }), attempt({ number: 2, failure: modelFailure })]
    showRun({ state: 'failed', failure: modelFailure, attempts })
    expect(await screen.findAllByText('The model could not be called: The vendor is gone.')).to.have.length(3)
    expect(stateInHead()).to.equal('Failed')
  })

  it('waits for an answer, and stops when it is cancelled, once the person has said so twice', async () => {
    const { user, service, become } = showRun({ state: 'waiting', waiting_for: 'person', ended_at: null, attempts: [attempt()] })
    await screen.findByText('Waits for your answer in the chat.')
    screen.getByRole('link', { name: 'Open chat' })
    const cancels = () => service.requestsOf('post /api/tasks/{task_id}/executions/{execution_id}/cancel').map(({ path }) => path)
    await user.click(screen.getByRole('button', { name: 'Cancel this run…' }))
    await user.click(await screen.findByRole('button', { name: 'Let it run' }))
    expect(cancels()).to.deep.equal([])
    await user.click(screen.getByRole('button', { name: 'Cancel this run…' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel this run' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Stopping' }).getAttribute('aria-busy')).to.equal('true'))
    expect(cancels()).to.deep.equal([{ task_id: 'task_report', execution_id: 'run_1' }])
    become({ state: 'cancelled', waiting_for: null })
    await waitFor(() => expect(stateInHead()).to.equal('Cancelled'))
    expect(screen.queryByRole('button', { name: 'Stopping' })).to.equal(null)
  })

  it('says that it is gone', async () => {
    fakeApi<paths>({
      'get /api/tasks/{task_id}/executions/{execution_id}': () => problem(404, 'not_found'),
      'get /api/tasks/{task_id}/executions/{execution_id}/log': () => problem(404, 'not_found'),
    })
    showTasks('/tasks/task_report/runs/run_1')
    await screen.findByText('This run does not exist')
  })
})
