import { currentPath } from '@agent-service/sdk/web'
import { fakeApi, type Person, problem, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../../api/index.js'
import type { paths } from '../../../api/schema.js'
import { clerk, details, page, weekly } from '../../../test-support/tasks.js'
import { showTasks } from '../test-support/show-tasks.js'

/** The form at an address, and the service, which has the task of the test. */
function showForm(
  at: string,
  { task = details(), person = {} }: { readonly task?: Schemas['TaskDetails']; readonly person?: Person } = {},
) {
  const service = fakeApi<paths>({
    'get /api/agents': () => page(clerk, { ...clerk, id: 'agent_off', name: 'Switched off', enabled: false }),
    'get /api/models': () => page(),
    'get /api/tasks': () => page(),
    'post /api/tasks': () => task,
    'get /api/tasks/{task_id}': () => task,
    'patch /api/tasks/{task_id}': () => task,
    'get /api/tasks/{task_id}/executions': () => page(),
    'get /api/tasks/{task_id}/tree': () => ({ task, children: [] }),
    'get /api/schedules/next-times': ({ query }) => ({ times: weekly.next_times, timezone: query.timezone ?? 'America/New_York' }),
  })
  const { user } = showTasks(at, person)
  return {
    user,
    service,
    // The hundreds of time zones make it slow to look by role.
    press: (name: string) => user.click(screen.getByText(name, { selector: 'button' })),
    async fill(name: string, text: string): Promise<void> {
      await user.clear(field(name))
      await user.click(field(name))
      await user.paste(text)
    },
    created: () => service.requestsOf('post /api/tasks').map(({ body }) => body),
  }
}

const field = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name)
const saidOf = (name: string): string =>
  document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent?.trim() ?? ''
const preview = () => within(screen.getByLabelText('Next runs'))
const whenOpened = (title: string): Promise<unknown> => screen.findByRole('heading', { name: title, level: 1 })

describe('the form of a task', () => {
  it('says what is missing, creates the task once it is there, and goes to its page', async () => {
    const { user, press, fill, created } = showForm('/tasks/new?kind=task')
    await press('Create task')
    expect(saidOf('Instruction')).to.equal('Fill in this field.')
    await user.selectOptions(field('Agent'), 'Clerk')
    await fill('Instruction', 'Count the invoices.')
    await fill('Title', 'Count')
    await press('Create task')
    await whenOpened('Report')
    await screen.findByText('Created.')
    expect(currentPath()).to.equal('/tasks/task_report')
    const { kind, agent, instruction, title, ...rest } = created()[0] ?? { instruction: '' }
    expect([kind, agent, instruction, title]).to.deep.equal(['task', 'agent_clerk', 'Count the invoices.', 'Count'])
    expect(rest).not.to.have.any.keys('schedule', 'due_at')
  })

  it('offers agents that are enabled', async () => {
    showForm('/tasks/new')
    await screen.findByRole('option', { name: 'Clerk' })
    expect(
      within(field('Agent'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).to.deep.equal([...['The first enabled one', 'Clerk']])
  })

  it('says which further settings are wrong, and asks the service nothing until they are right', async () => {
    const { user, press, fill, created } = showForm('/tasks/new')
    await fill('Instruction', 'Count.')
    await user.click(screen.getByText('More settings'))
    await user.clear(field('Retries'))
    await user.click(field('Ask for a result in a certain form'))
    await fill('JSON Schema', '{')
    await fill('Name of the form', 'two words')
    await press('Create task')
    expect([saidOf('Retries'), saidOf('JSON Schema'), saidOf('Name of the form')]).to.deep.equal([
      ...['Use a whole number.', 'This is not a JSON object.', 'Letters, digits, _ and -, at most 64.'],
    ])
    expect(created()).to.deep.equal([])
    await user.click(field('Ask for a result in a certain form'))
    await fill('Retries', '1')
    await press('Create task')
    await waitFor(() => expect(created().map(({ max_retries, result }) => [max_retries, result])).to.deep.equal([[1, null]]))
  })

  it('asks for a result in a form', async () => {
    const { user, press, fill, created } = showForm('/tasks/new')
    await fill('Instruction', 'Count.')
    await user.click(screen.getByText('More settings'))
    await user.click(field('Ask for a result in a certain form'))
    await fill('JSON Schema', '{"type": "object"}')
    await press('Create task')
    await waitFor(() => expect(created()[0]?.result).to.deep.equal({ name: 'result', schema: { type: 'object' } }))
  })

  it('reads a schedule out, and shows its next times in its zone and in that of the person', async () => {
    const { user, press, fill, service, created } = showForm('/tasks/new?kind=task&when=again', {
      person: { profile: { timezone: 'Europe/Berlin' } },
    })
    await fill('Instruction', 'Write a report.')
    await fill('Schedule', '30 17 * * FRI')
    await user.selectOptions(field('Time zone'), 'Asia/Tokyo')
    await waitFor(() => preview().getByText('Asia/Tokyo'))
    preview().getByText('Every Friday at 17:30')
    preview().getByText('Here (Europe/Berlin)')
    const [, ...times] = preview().getAllByRole('row')
    expect(times.map(({ textContent }) => /17:30.*09:30$/.test(textContent ?? ''))).to.deep.equal([true, true, true, true, true])
    expect(service.requestsOf('get /api/schedules/next-times').at(-1)?.query).to.deep.equal({
      cron: '30 17 * * FRI',
      count: '5',
      timezone: 'Asia/Tokyo',
    })
    await press('Create task')
    await waitFor(() => expect(created()[0]?.schedule).to.deep.equal({ cron: '30 17 * * FRI', timezone: 'Asia/Tokyo' }))
  })

  it('says what is wrong with a schedule, and shows no times for it', async () => {
    const { fill, service } = showForm('/tasks/new?when=again')
    service.answer({
      'get /api/schedules/next-times': () => problem(422, 'validation_failed', { errors: [{ path: '/cron', message: 'must be 0 to 59' }] }),
    })
    await fill('Schedule', '61 9 * * FRI')
    await waitFor(() => expect(saidOf('Schedule')).to.equal('must be 0 to 59'))
    preview().getByText('The next runs appear here when the schedule is right.')
    expect(preview().queryByRole('table')).to.equal(null)
  })

  it('says why the next times cannot be read, and reads them again', async () => {
    const { press, service } = showForm('/tasks/new?when=again')
    service.answer({ 'get /api/schedules/next-times': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    await waitFor(() => preview().getByText(/Not now\./))
    service.answer({ 'get /api/schedules/next-times': () => ({ times: weekly.next_times, timezone: 'UTC' }) })
    await press('Try again')
    await waitFor(() => preview().getByRole('table'))
  })

  it('changes only what was changed, such as a schedule to another that follows the profile', async () => {
    const { user, press, service } = showForm('/tasks/task_report/edit', { task: details(weekly) })
    await screen.findByLabelText('Repeats')
    expect([field('Instruction').value, field('Schedule').value, field('Time zone').value]).to.deep.equal([
      ...['Write a report of the week.', '30 17 * * FRI', 'Asia/Tokyo'],
    ])
    await user.selectOptions(field('Repeats'), 'Monday to Friday at 09:00')
    await user.selectOptions(field('Time zone'), 'That of my profile')
    await waitFor(() => preview().getByText('America/New York'))
    await press('Save')
    await whenOpened('Report')
    await screen.findByText('Saved.')
    expect(service.requestsOf('patch /api/tasks/{task_id}').map(({ body }) => body)).to.deep.equal([
      { schedule: { cron: '0 9 * * MON-FRI', timezone: null } },
    ])
  })

  it('cannot change a task that happened once and has ended', async () => {
    showForm('/tasks/task_report/edit', { task: details({ status: 'completed' }) })
    await screen.findByText('This task has ended')
  })

  it('creates a reminder at a time that has not passed, in the zone of the person', async () => {
    const { fill, press, created } = showForm('/tasks/new?kind=reminder', { person: { profile: { timezone: 'Europe/Berlin' } } })
    expect(screen.queryByLabelText('Agent')).to.equal(null)
    await fill('Text', 'Renew the certificate.')
    await setTime('2001-01-01T09:00')
    await press('Create reminder')
    expect(saidOf('Date and time')).to.equal('This time has passed.')
    await setTime('2999-01-01T09:00')
    await press('Create reminder')
    await waitFor(() =>
      expect(created()).to.deep.equal([
        { kind: 'reminder', instruction: 'Renew the certificate.', due_at: '2999-01-01T08:00:00.000Z', schedule: null },
      ]),
    )
  })

  it('creates a heartbeat with what it looks at and what it may spend', async () => {
    const { user, fill, press, created } = showForm('/tasks/new?kind=heartbeat')
    await fill('Instruction', 'Read the inbox.')
    await user.selectOptions(field('Looks at'), 'A file or folder that changed')
    await press('Create heartbeat')
    expect(saidOf('File or folder')).to.equal('Fill in this field.')
    await fill('File or folder', 'inbox.md')
    await fill('Runs in 24 hours', '6')
    await fill('Schedule', '*/15 8-17 * * MON-FRI')
    await waitFor(() => preview().getByText('Every 15 minutes from 08:00 to 17:45, Monday to Friday'))
    await press('Create heartbeat')
    await waitFor(() => expect(created()).to.have.length(1))
    const { kind, check, max_runs, max_tokens, missed, schedule } = created()[0] ?? {}
    expect({ kind, check, max_runs, max_tokens, missed, schedule }).to.deep.equal({
      kind: 'heartbeat',
      check: { kind: 'file', path: 'inbox.md' },
      max_runs: 6,
      max_tokens: 200_000,
      missed: 'skip',
      schedule: { cron: '*/15 8-17 * * MON-FRI', timezone: null },
    })
  })

  it('keeps what was typed when the service refuses it, and asks before it is left', async () => {
    const { user, fill, press, service } = showForm('/tasks/new')
    service.answer({ 'post /api/tasks': () => problem(413, 'quota_exceeded', { detail: 'At most 1,000 tasks.' }) })
    await fill('Instruction', 'One more.')
    await press('Create task')
    expect((await screen.findByRole('alert')).textContent).to.include('At most 1,000 tasks.')
    expect(field('Instruction').value).to.equal('One more.')
    await user.click(screen.getByRole('link', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(field('Instruction').value).to.equal('One more.')
    await user.click(screen.getByRole('link', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
    await whenOpened('Tasks')
  })

  it('reads a schedule out in German', async () => {
    const { user } = showForm('/tasks/new?when=again', { person: { language: 'de' } })
    await user.selectOptions(field('Wiederholt sich'), 'Montag bis Freitag um 09:00')
    const next = within(screen.getByLabelText('Nächste Termine'))
    await waitFor(() => next.getByText('Montag bis Freitag um 09:00'))
  })
})

/** Chooses a moment, as the picker of the browser does. */
async function setTime(value: string): Promise<void> {
  const time = field('Date and time')
  time.value = value
  time.dispatchEvent(new Event('input', { bubbles: true }))
}
