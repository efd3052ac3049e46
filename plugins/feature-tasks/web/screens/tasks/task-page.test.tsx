import { fakeApi, problem, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { clerk, details, modelFailure, page, run, task, weekly } from '../../test-support/tasks.js'
import { showTasks } from './test-support/show-tasks.js'

type Details = Schemas['TaskDetails']

/** The page of the first of these tasks. */
async function showTask(...tasks: readonly Partial<Details>[]) {
  let kept = tasks.map(details)
  const change = (id: string, changes: Partial<Details>): Details => {
    kept = kept.map((each) => (each.id === id ? { ...each, ...changes } : each))
    return kept.find((each) => each.id === id) ?? details()
  }
  const service = fakeApi<paths>({
    'get /api/agents': () => page(clerk),
    'get /api/models': () => page(),
    'get /api/tasks': () => page(),
    'get /api/tasks/{task_id}': ({ path }) => kept.find(({ id }) => id === path.task_id) ?? problem(404, 'not_found'),
    'get /api/tasks/{task_id}/executions': () => page(),
    'get /api/tasks/{task_id}/tree': ({ path }) => ({
      task: kept.find(({ id }) => id === path.task_id) ?? task(),
      children: kept.filter(({ parent }) => parent?.task_id === path.task_id),
    }),
    'post /api/tasks/{task_id}/run': ({ path }) => change(path.task_id, {}),
    'post /api/tasks/{task_id}/pause': ({ path }) => change(path.task_id, { status: 'paused' }),
    'post /api/tasks/{task_id}/resume': ({ path }) => change(path.task_id, { status: 'scheduled' }),
    'delete /api/tasks/{task_id}': () => undefined,
  })
  const { user } = showTasks(`/tasks/${kept[0]?.id}`)
  await screen.findByRole('heading', { name: kept[0]?.title ?? '', level: 1 })
  return { user, service, change, press: (name: string) => user.click(screen.getByRole('button', { name })) }
}

const heading = (name: string): Promise<HTMLElement> => screen.findByRole('heading', { name, level: 1 })
const factOf = (name: string): string => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent ?? ''
const stateInHead = (): string => document.querySelector('.tasks-lead .badge')?.textContent ?? ''

/** Tells that the task has changed, or one of its runs. */
const tell = ({ id, kind, title, status }: Details, changes: Partial<Schemas['TaskUpdatedEventData']> = {}): void =>
  sendEvent<Schemas['Event']>('task.updated', { task_id: id, kind, title, status, next_at: null, execution: null, ...changes })

const failedRun = run({ state: 'failed', failure: modelFailure })
const failed: Partial<Details> = {
  status: 'failed',
  last: { at: '2026-12-01T09:00:00Z', execution_id: 'run_1', failure: modelFailure, state: 'failed' },
}

describe('the page of a task', () => {
  it('shows what the task is to do, and its runs with what they took', async () => {
    const { service, change } = await showTask({ status: 'queued' })
    screen.getByText('Write a report of the week.')
    await screen.findByText('It has not run yet.')
    expect(stateInHead()).to.equal('Queued')
    await waitFor(() => expect(factOf('Agent')).to.equal('Clerk'))
    service.answer({ 'get /api/tasks/{task_id}/executions': () => page(run()) })
    const next = change('task_report', { status: 'completed' })
    tell(next, { execution: { id: 'run_1', state: 'completed', failure: null, waiting_for: null } })
    await waitFor(() => expect(stateInHead()).to.equal('Completed'))
    const row = (await screen.findByText('15 tokens')).closest<HTMLElement>('.tasks-run') as HTMLElement
    within(row).getByText('Completed')
    within(row).getByText('by you')
    within(row).getByText('3 secs')
    expect(within(row).getByRole('link').getAttribute('href')).to.equal('/tasks/task_report/runs/run_1')
  })

  it('says why the task failed, there and at its run, and runs it again', async () => {
    const { service, change, press } = await showTask(failed)
    service.answer({ 'get /api/tasks/{task_id}/executions': () => page(failedRun) })
    expect(document.querySelector('.tasks-problem')?.textContent).to.equal(
      'The model failed. The model could not be called: The vendor is gone.',
    )
    const next = change('task_report', {})
    tell(next, { execution: { id: 'run_1', state: 'failed', failure: modelFailure, waiting_for: null } })
    await waitFor(() => expect(document.querySelector('.tasks-run')?.textContent).to.include('The model failed.'))
    await press('Run now')
    await screen.findByText('“Report” runs as soon as there is a place.')
    expect(service.requestsOf('post /api/tasks/{task_id}/run')).to.have.length(1)
  })

  it('says that a run waits for an answer of the person', async () => {
    const { service, change } = await showTask({ status: 'waiting' })
    service.answer({
      'get /api/tasks/{task_id}/executions': () => page(run({ state: 'waiting', waiting_for: 'person', ended_at: null })),
    })
    tell(change('task_report', {}), { execution: { id: 'run_1', state: 'waiting', failure: null, waiting_for: 'person' } })
    await screen.findByText('Waits for your answer in the chat.')
  })

  it('reads a schedule out and shows its next times in its zone and in that of the person', async () => {
    await showTask(weekly)
    expect(factOf('Schedule')).to.equal('Every Friday at 17:30 30 17 * * FRI')
    expect(factOf('Time zone')).to.equal('Asia/Tokyo')
    const [zones, ...times] = within(screen.getByRole('table')).getAllByRole('row')
    expect(zones?.textContent).to.equal('Asia/TokyoHere (UTC)')
    expect(times.map(({ textContent }) => /17:30.*08:30/.test(textContent ?? ''))).to.deep.equal([true, true, true, true, true])
  })

  it('says that a schedule follows the zone of the profile, and shows each time once where it is the same', async () => {
    await showTask({ ...weekly, schedule: { cron: '0 9 * * MON-FRI', timezone: null }, timezone: 'UTC' })
    expect(factOf('Time zone')).to.equal('UTC, follows your profile')
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).to.deep.equal(['UTC'])
  })

  it('pauses a schedule, which then has no next times, and goes on with it', async () => {
    const { press } = await showTask(weekly)
    await press('Pause')
    await waitFor(() => expect(stateInHead()).to.equal('Paused'))
    expect(screen.queryByRole('table')).to.equal(null)
    await press('Resume')
    await waitFor(() => expect(stateInHead()).to.equal('Scheduled'))
    screen.getByRole('table')
  })

  it('says that no run began in time, and why', async () => {
    const message = 'The service did not run then, or could not look at its tasks.'
    const late = { code: 'not_noticed', message, noticed_at: '2001-01-05T12:00:00Z', scheduled_for: '2001-01-05T10:00:00Z' }
    await showTask({ ...weekly, timezone: 'UTC', late })
    expect(document.querySelector('.tasks-late')?.textContent).to.match(/^No run began at .*10:00\. The service did not run then/)
  })

  it('says what a heartbeat looks at and what it may spend', async () => {
    const heartbeat = { check: { kind: 'file', path: 'inbox.md' }, looked_at: null, max_runs: 6, max_tokens: 200_000, outcome: null }
    await showTask({ ...weekly, kind: 'heartbeat', heartbeat, budget_used: { runs: 1, tokens: 15 } })
    expect(factOf('Looks at')).to.equal('inbox.md, if it changed')
    expect(factOf('Last look')).to.equal('It has not looked yet.')
    expect(factOf('Budget')).to.equal('6 runs and 200,000 tokens in 24 hours Used: 1 run and 15 tokens')
  })

  it('has no run of a reminder, and leads to the list of its kind', async () => {
    await showTask({ title: 'Renew', kind: 'reminder', agent: null, due_at: '2999-01-01T08:00:00Z' })
    expect(screen.queryByRole('button', { name: 'Run now' })).to.equal(null)
    expect(screen.getByRole('link', { name: 'Reminders' }).getAttribute('href')).to.equal('/tasks/reminders')
    expect(factOf('Due')).to.include('2999, 08:00')
  })

  it('lets a task that happened once not be changed when it has ended', async () => {
    await showTask({ status: 'completed' })
    expect(screen.queryByRole('link', { name: 'Edit' })).to.equal(null)
    expect(screen.queryByRole('button', { name: 'Pause' })).to.equal(null)
  })

  it('shows the tasks that it handed on, those that they created on demand, and leads there and back', async () => {
    const parent = { call_id: 'call_1', depth: 1, execution_id: 'run_1', run_id: 'chat_run', task_id: 'task_move_house', waits: true }
    const { user, press } = await showTask(
      { title: 'Move house', status: 'completed' },
      { title: 'Pack the books', parent, status: 'completed' },
      { title: 'Order a van', parent, status: 'working' },
    )
    const tree = await screen.findByRole('list', { name: 'Delegated tasks' })
    expect(
      within(tree)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).to.deep.equal(['Pack the books', 'Order a van'])
    within(tree).getByText('At work')
    await press('Tasks created by Pack the books')
    await within(tree).findByText('It created no tasks.')
    await user.click(within(tree).getByRole('link', { name: 'Order a van' }))
    await heading('Order a van')
    screen.getByText('It waits for this one.')
    await user.click(await screen.findByRole('link', { name: 'Created by this task' }))
    await heading('Move house')
  })

  it('goes to the list when the task is deleted', async () => {
    const { user, press } = await showTask({ status: 'completed' })
    await press('More')
    await user.click(screen.getByRole('menuitem', { name: 'Delete…' }))
    await user.click(await screen.findByRole('button', { name: 'Delete the task' }))
    await heading('Tasks')
  })

  it('says that the task is gone, also when that happens meanwhile', async () => {
    const { change } = await showTask({})
    tell(change('task_report', {}), { status: 'deleted' })
    await screen.findByText('This task does not exist')
    expect(screen.getByRole('link', { name: 'To the tasks' }).getAttribute('href')).to.equal('/tasks')
  })

  it('says of an address that is wrong that there is no such task', async () => {
    fakeApi<paths>({ 'get /api/tasks/{task_id}': () => problem(404, 'not_found') })
    showTasks('/tasks/unknown')
    await screen.findByText('This task does not exist')
  })
})
