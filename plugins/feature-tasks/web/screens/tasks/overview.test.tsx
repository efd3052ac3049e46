import { fakeApi, type Person, problem, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { clerk, details, modelFailure, page, task, weekly } from '../../test-support/tasks.js'
import { showTasks } from './test-support/show-tasks.js'

type Task = Schemas['Task']

/** The service with these tasks, which keeps what is done with them, and their lists with one tab. */
function showList(tab: 'all' | 'schedules' | 'reminders' | 'heartbeats', tasks: readonly Task[], person: Person = {}) {
  let kept = tasks
  const change = (id: string, changes: Partial<Task>): Schemas['TaskDetails'] => {
    kept = kept.map((each) => (each.id === id ? { ...each, ...changes } : each))
    return details(kept.find((each) => each.id === id))
  }
  const service = fakeApi<paths>({
    'get /api/agents': () => page(clerk),
    'get /api/tasks': ({ query }) =>
      page(
        ...kept.filter(
          ({ kind, status, schedule, agent }) =>
            kind === query.kind &&
            status === (query.status ?? status) &&
            (query.agent_id === undefined || agent?.id === query.agent_id) &&
            (query.repeats === undefined || (schedule !== null && status !== 'cancelled')),
        ),
      ),
    'get /api/tasks/{task_id}': ({ path }) => details({ ...kept.find(({ id }) => id === path.task_id), next_times: weekly.next_times }),
    'post /api/tasks/{task_id}/run': ({ path }) => change(path.task_id, { status: 'queued' }),
    'post /api/tasks/{task_id}/pause': ({ path }) => change(path.task_id, { status: 'paused' }),
    'post /api/tasks/{task_id}/resume': ({ path }) => change(path.task_id, { status: 'scheduled' }),
    'post /api/tasks/{task_id}/cancel': ({ path }) => change(path.task_id, { status: 'cancelled' }),
    'delete /api/tasks/{task_id}'({ path }) {
      kept = kept.filter(({ id }) => id !== path.task_id)
    },
  })
  const { user } = showTasks(tab === 'all' ? '/tasks' : `/tasks/${tab}`, person)
  return {
    user,
    service,
    keep(...changed: readonly Task[]): void {
      kept = changed
    },
    async choose(title: string, what: string): Promise<void> {
      await user.click(await screen.findByRole('button', { name: `Actions for ${title}` }))
      await user.click(screen.getByRole('menuitem', { name: what }))
    },
  }
}

const titles = (): readonly string[] =>
  screen.queryAllByRole('button', { name: /^Actions for / }).map((button) => button.getAttribute('aria-label')?.slice(12) ?? '')
const whenShown = (...wanted: readonly string[]): Promise<unknown> => waitFor(() => expect(titles()).to.deep.equal(wanted))
const rowOf = (title: string): HTMLElement =>
  screen.getByRole('link', { name: title }).closest<HTMLElement>('[role="listitem"], li') as HTMLElement

/** Waits until the row of a task says something. */
const whenSaid = (title: string, text: string): Promise<unknown> => waitFor(() => within(rowOf(title)).getByText(text))

/** Tells that a task has become something. */
const tell = ({ id, kind, title }: Task, status: Schemas['TaskUpdatedEventData']['status']): void =>
  sendEvent<Schemas['Event']>('task.updated', { task_id: id, kind, title, status, next_at: null, execution: null })

const failed = task({
  title: 'Call the vendor',
  status: 'failed',
  last: { at: '2026-12-01T09:00:00Z', execution_id: 'run_1', failure: modelFailure, state: 'failed' },
})

describe('the lists of tasks', () => {
  const empty = [
    ['all', 'No tasks yet', 'New task', '/tasks/new?kind=task'],
    ['schedules', 'No schedules yet', 'New schedule', '/tasks/new?kind=task&when=again'],
    ['reminders', 'No reminders yet', 'New reminder', '/tasks/new?kind=reminder'],
    ['heartbeats', 'No heartbeats yet', 'New heartbeat', '/tasks/new?kind=heartbeat'],
  ] as const
  for (const [tab, nothing, create, address] of empty)
    it(`lead from the empty list of ${tab} to the form that fills it`, async () => {
      showList(tab, [])
      await screen.findByText(nothing)
      expect(screen.getByRole('link', { name: create }).getAttribute('href')).to.equal(address)
    })

  it('change while they are watched', async () => {
    const { keep } = showList('all', [failed])
    await whenShown('Call the vendor')
    const other = task({ title: 'From elsewhere' })
    keep(other, failed)
    tell(other, 'scheduled')
    await whenShown('From elsewhere', 'Call the vendor')
    within(rowOf('From elsewhere')).getByText('Scheduled')
    keep({ ...other, status: 'paused' }, failed)
    tell(other, 'paused')
    await whenSaid('From elsewhere', 'Paused')
    keep(failed)
    tell(other, 'deleted')
    await whenShown('Call the vendor')
  })

  it('are found by state and agent', async () => {
    const { user, service } = showList('all', [failed, task({ title: 'From elsewhere', agent: null })])
    await whenShown('Call the vendor', 'From elsewhere')
    await user.selectOptions(screen.getByLabelText('State'), 'failed')
    await whenShown('Call the vendor')
    await user.selectOptions(screen.getByLabelText('State'), 'queued')
    await screen.findByText('Nothing matches')
    await user.selectOptions(screen.getByLabelText('State'), '')
    await whenShown('Call the vendor', 'From elsewhere')
    await user.selectOptions(screen.getByLabelText('Agent'), 'Clerk')
    await whenShown('Call the vendor')
    expect(service.requestsOf('get /api/tasks').map(({ query }) => [query.status, query.agent_id])).to.deep.equal([
      ...[
        [undefined, undefined],
        ['failed', undefined],
        ['queued', undefined],
        [undefined, undefined],
        [undefined, 'agent_clerk'],
      ],
    ])
  })

  it('say in a sentence why a task failed, and nothing where the last run went well', async () => {
    showList('all', [failed, task({ title: 'Went well', status: 'completed' })])
    await whenShown('Call the vendor', 'Went well')
    within(rowOf('Call the vendor')).getByText('The model failed.')
    within(rowOf('Call the vendor')).getByText('The model could not be called: The vendor is gone.')
    expect(screen.getAllByText('The model failed.')).to.have.length(1)
  })

  it('speak German', async () => {
    showList('all', [failed], { language: 'de' })
    await screen.findByText('Das Modell hat versagt.')
    screen.getByRole('link', { name: 'Neue Aufgabe' })
    screen.getByText('Fehlgeschlagen', { selector: '.tasks-row *' })
  })

  it('say of a schedule that no run began in time, and why', async () => {
    const late = {
      code: 'not_noticed',
      message: 'The service did not run then, or could not look at its tasks.',
      noticed_at: '2001-01-05T12:00:00Z',
      scheduled_for: '2001-01-05T10:00:00Z',
    }
    showList('schedules', [task({ ...weekly, timezone: 'UTC', late }), task({ ...weekly, title: 'In time' })])
    await whenShown('Report', 'In time')
    within(rowOf('Report')).getByText(/^No run began at .*2001, 10:00/)
    within(rowOf('Report')).getByText(late.message)
    expect(screen.getAllByText(/^No run began at/)).to.have.length(1)
  })

  it('have schedules in the order of their times, then those without one, and at last those that are paused', async () => {
    showList('schedules', [
      task({ ...weekly, title: 'Paused', status: 'paused' }),
      task({ ...weekly, title: 'At work', status: 'working', next_at: null }),
      task({ ...weekly, title: 'Later', next_at: '2999-02-01T00:00:00Z' }),
      task({ ...weekly, title: 'Sooner' }),
      task({ title: 'Once' }),
    ])
    await whenShown('Sooner', 'Later', 'At work', 'Paused')
  })

  it('have the next five times of a schedule on demand', async () => {
    const { user, service } = showList('schedules', [task(weekly)])
    await screen.findByText('Every Friday at 17:30')
    expect(service.requestsOf('get /api/tasks/{task_id}')).to.deep.equal([])
    await user.click(screen.getByText('Next five runs'))
    await waitFor(() => expect(within(rowOf('Report')).getAllByRole('row')).to.have.length(6))
    within(rowOf('Report')).getByText('Asia/Tokyo')
  })

  it('say what a heartbeat looks at', async () => {
    const heartbeat = { check: { kind: 'file', path: 'inbox.md' }, looked_at: null, max_runs: 6, max_tokens: 200_000, outcome: null }
    showList('heartbeats', [task({ ...weekly, title: 'Inbox', kind: 'heartbeat', heartbeat })])
    await screen.findByText('inbox.md, if it changed')
  })

  it('pause, go on with and run a task from its menu', async () => {
    const { choose, service } = showList('schedules', [task(weekly)])
    await choose('Report', 'Pause')
    await whenSaid('Report', 'Paused')
    await choose('Report', 'Resume')
    await whenSaid('Report', 'Scheduled')
    await choose('Report', 'Run now')
    await screen.findByText('“Report” runs as soon as there is a place.')
    await whenSaid('Report', 'Queued')
    expect(service.requestsOf('post /api/tasks/{task_id}/run').map(({ path }) => path.task_id)).to.deep.equal(['task_report'])
  })

  it('ask before a schedule is cancelled, and say that it will not happen again', async () => {
    const { choose, user, service } = showList('schedules', [task(weekly)])
    await choose('Report', 'Cancel…')
    within(await screen.findByRole('dialog')).getByText(/It will not happen again\./)
    await user.click(screen.getByRole('button', { name: 'Keep it' }))
    expect(service.requestsOf('post /api/tasks/{task_id}/cancel')).to.deep.equal([])
    await choose('Report', 'Cancel…')
    await user.click(await screen.findByRole('button', { name: 'Cancel the task' }))
    await whenSaid('Report', 'Cancelled')
    tell(task(), 'cancelled')
    await screen.findByText('No schedules yet')
  })

  it('ask before a task is deleted with its history', async () => {
    const { choose, user } = showList('all', [failed, task()])
    await choose('Call the vendor', 'Delete…')
    within(await screen.findByRole('dialog')).getByText('Its history is gone for good.')
    await user.click(screen.getByRole('button', { name: 'Delete the task' }))
    await screen.findByText('“Call the vendor” was deleted.')
    await whenShown('Report')
  })

  it('say of a task what could not be done', async () => {
    const { choose, service } = showList('all', [task()])
    service.answer({ 'post /api/tasks/{task_id}/pause': () => problem(409, 'conflict', { detail: 'It has just begun.' }) })
    await choose('Report', 'Pause')
    expect((await within(rowOf('Report')).findByRole('alert')).textContent).to.include('It has just begun.')
    within(rowOf('Report')).getByText('Scheduled')
  })

  it('are read page by page, past pages that have none', async () => {
    const { service, user } = showList('reminders', [])
    const reminder = (title: string) => task({ title, kind: 'reminder' })
    const pages: Readonly<Record<string, { items: Task[]; next_cursor: string | null }>> = {
      first: { items: [reminder('One')], next_cursor: 'none' },
      none: { items: [], next_cursor: 'last' },
      last: page(reminder('Two')),
    }
    service.answer({ 'get /api/tasks': ({ query }) => pages[query.cursor ?? 'first'] ?? page() })
    tell(reminder('One'), 'scheduled')
    await whenShown('One')
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await whenShown('One', 'Two')
  })

  it('can be read again after a failure', async () => {
    const { service, user } = showList('reminders', [task({ title: 'Renew', kind: 'reminder' })])
    await whenShown('Renew')
    service.answer({ 'get /api/tasks': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await user.selectOptions(screen.getByLabelText('State'), 'failed')
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    service.answer({ 'get /api/tasks': () => page(task({ title: 'Renew', kind: 'reminder' })) })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await whenShown('Renew')
    expect(screen.queryByRole('alert')).to.equal(null)
  })
})
