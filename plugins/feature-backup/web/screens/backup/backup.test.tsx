import { answer, fakeApi, problem, type RenderOptions, render, screen, sendEvent, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { backup, running, type Schemas, status } from '../../test-support/backups.js'
import Backup from './backup.js'

/** The service with these backups, in this state. */
function serviceWith(state = status(), ...items: readonly Schemas['Backup'][]) {
  return fakeApi<paths>({
    'get /api/admin/backups/status': () => state,
    'get /api/admin/backups': () => ({ items: [...items], next_cursor: null }),
  })
}

const show = (options: RenderOptions = {}) => render(() => <Backup />, { at: '/admin/backup', admin: true, ...options }).user
const tellOf = (id: string, state: string): void => sendEvent<Schemas['BackupUpdatedEvent']>('backup.updated', { id, state })
const summary = (): HTMLElement => within(screen.getByRole('main')).getByRole('status')
const whenSummedUp = (text: string): Promise<unknown> => waitFor(() => expect(summary().textContent).to.include(text))
const backUp = (): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name: 'Back up now' })

describe('the screen of backups', () => {
  it('warns while there is none', async () => {
    serviceWith()
    show()
    await screen.findByText('No backups yet')
    await whenSummedUp('No verified backup yet')
  })

  it('makes one, and says so when it is there', async () => {
    const service = serviceWith()
    const user = show()
    await screen.findByText('No backups yet')
    service.answer({
      'post /api/admin/backups': () => answer({ id: 'backup_2' }, { status: 202 }),
      'get /api/admin/backups/status': () => status({ running: running() }),
    })
    await user.click(backUp())
    await screen.findByText('The backup has begun.')
    await waitFor(() => expect(backUp().disabled).to.equal(true))
    const created_at = new Date().toISOString()
    service.answer({
      'get /api/admin/backups/status': () => status({ last_good: { id: 'backup_2', created_at, bytes: 2_000_000 } }),
      'get /api/admin/backups': () => ({ items: [backup({ id: 'backup_2', created_at })], next_cursor: null }),
    })
    tellOf('backup_2', 'succeeded')
    await whenSummedUp('Backed up')
    await within(await screen.findByRole('list', { name: 'Backups' })).findByText('Verified')
    expect(backUp().disabled).to.equal(false)
    expect(service.requestsOf('post /api/admin/backups').map(({ query }) => query.wait)).to.deep.equal(['false'])
  })

  it('says why none could be made', async () => {
    const service = serviceWith()
    service.answer({ 'post /api/admin/backups': () => problem(507, 'disk_full', { detail: 'There is no room for it.' }) })
    const user = show()
    await screen.findByText('No backups yet')
    await user.click(backUp())
    await screen.findByText(/There is no room for it\./)
  })

  it('shows how far one is, as far as that is known', async () => {
    serviceWith(status({ running: running() }))
    show()
    await screen.findByText('Copying files')
    await screen.findByText(/· 2 files$/)
    const progress: Schemas['BackupProgressDeltaEventData'] = { id: 'backup_2', step: 'check', files: 3, bytes: 500, total_bytes: 1_000 }
    sendEvent<Schemas['BackupProgressDeltaEvent']>('backup.progress.delta', progress)
    await screen.findByText('Verifying')
    await screen.findByText(/^50 ?% of /)
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).to.equal(0.5)
    sendEvent<Schemas['BackupProgressDeltaEvent']>('backup.progress.delta', { ...progress, id: 'another', bytes: 900 })
    await screen.findByText(/^50 ?% of /)
  })

  it('cancels one that is being made', async () => {
    const service = serviceWith(status({ running: running() }))
    service.answer({ 'post /api/admin/backups/cancel': () => ({ cancelled: true }) })
    const user = show()
    const cancel = await screen.findByRole('button', { name: 'Cancel' })
    service.answer({ 'get /api/admin/backups/status': () => status() })
    await user.click(cancel)
    await screen.findByText('The backup was cancelled. Nothing is left of it.')
    await waitFor(() => expect(backUp().disabled).to.equal(false))
  })

  it('warns when the last good one is old, and when the last one failed', async () => {
    const last_run = { id: 'backup_2', trigger: 'schedule', state: 'failed', error: 'The disk is full.', bytes: null, ended_at: null }
    const last_good = { id: 'backup_1', created_at: '2020-01-01T03:00:00Z', bytes: 2_000_000 }
    serviceWith(status({ last_good, last_run: { ...last_run, started_at: '2020-01-10T03:00:00Z' } }))
    show()
    await whenSummedUp('The last verified backup is from')
    expect(summary().textContent).to.include('The last backup failed').and.include('The disk is full.')
  })

  it('can be read again after a failure', async () => {
    const service = serviceWith()
    service.answer({ 'get /api/admin/backups/status': () => problem(503, 'unavailable') })
    const user = show()
    const again = await screen.findByRole('button', { name: 'Try again' })
    service.answer({ 'get /api/admin/backups/status': () => status() })
    await user.click(again)
    await screen.findByText('No backups yet')
  })

  it('is German for those who read German', async () => {
    serviceWith(status(), backup())
    show({ language: 'de' })
    await screen.findByRole('heading', { name: 'Sicherung', level: 1 })
    await screen.findByRole('button', { name: 'Jetzt sichern' })
    await screen.findByText(/12 Dateien · Version 0\.1\.0$/)
  })
})

describe('the schedule of backups', () => {
  const schedule = status().schedule

  it('has its times, where they are kept, and how many', async () => {
    const set = { ...schedule, cron: '0 3 * * *', timezone: 'Europe/Vienna', keep_days: 30, next_at: '2026-12-02T02:00:00Z' }
    serviceWith(status({ schedule: set }))
    show()
    await screen.findByText('0 3 * * * (Europe/Vienna)')
    await screen.findByText('the 5 newest, at most 30 days')
    await screen.findByText('2 Dec 2026, 02:00:00')
    await screen.findByText('/data/backups')
  })

  it('may be every few hours, or none', async () => {
    const service = serviceWith(status({ schedule: { ...schedule, every_hours: 6 } }))
    show()
    await screen.findByText('every 6 hours')
    await screen.findByText('the 5 newest')
    service.answer({ 'get /api/admin/backups/status': () => status() })
    tellOf('backup_1', 'succeeded')
    await screen.findByText('only on request')
  })
})
