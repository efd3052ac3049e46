import { fakeApi, problem, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { paths } from '../../api/schema.js'
import { backup, type Schemas, verification } from '../../test-support/backups.js'
import { BackupRow } from './backup-row.js'

/** The row of a backup, and what it says. */
function show(item: Schemas['Backup'] = backup(), { busy = false } = {}) {
  const { user, container } = render(() => <BackupRow backup={item} busy={busy} />, { admin: true })
  return {
    text: container.textContent ?? '',
    press: (name: string) => user.click(screen.getByRole('button', { name })),
    answer: (name: string) => user.click(within(screen.getByRole('dialog')).getByRole('button', { name })),
  }
}

describe('the row of a backup', () => {
  it('says what is in it, and that it was verified and where it is from', () => {
    const { text } = show()
    expect(text).to.include('2 MB · 12 files · version 0.1.0').and.include('Made by This service')
    expect(text).to.include('Verified').and.include('Origin proven')
  })

  it('says what is wrong with one that cannot be relied on', () => {
    const noted = [
      { path: 'files/db', reason: 'changing', user: 'ada' },
      { path: 'skills/big', reason: 'too_sparse', user: null },
    ]
    const { text } = show(
      backup({ noted, left_out: 2, verification: verification({ sound: false, problem: 'A file is cut.', missing: 1 }) }),
    )
    expect(text).to.include('Damaged').and.include('A file is cut.').and.not.include('Origin')
    expect(text).to.include('files/db (ada) changed whenever it was read.').and.include('skills/big (of the service) is not in it')
    expect(text).to.include('2 links and special files are not in it.').and.include('1 attached file had been deleted by its owner.')
  })

  it('says why its origin is not proven', () => {
    const { text } = show(backup({ verification: verification({ proof: 'other_secret' }) }))
    expect(text).to.include('Origin not proven').and.include('another encryption secret')
  })

  it('says of one that was not verified whether it can be read at all', () => {
    expect(show(backup({ verification: null })).text).to.include('Not verified')
    expect(show(backup({ verification: null, readable: false })).text).to.include('Damaged')
  })

  for (const [found, said] of [
    [{}, 'This backup is complete and undamaged.'],
    [{ proof: 'absent' }, 'This backup is complete, but its origin is not proven.'],
    [{ sound: false }, 'This backup is damaged and cannot be restored.'],
  ] as const)
    it(`is verified again: ${said}`, async () => {
      const service = fakeApi<paths>({ 'post /api/admin/backups/{backup_id}/verify': () => verification(found) })
      const { press } = show()
      await press('Verify')
      await screen.findByText(said)
      expect(service.requests.map(({ address }) => address)).to.deep.equal(['/api/admin/backups/backup_1/verify'])
    })

  it('is not verified while another one is made', () => {
    show(backup(), { busy: true })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Verify' }).disabled).to.equal(true)
  })

  it('is deleted when the person is sure', async () => {
    const service = fakeApi<paths>({ 'delete /api/admin/backups/{backup_id}': () => undefined })
    const { press, answer } = show()
    await press('Delete')
    await screen.findByText(/^Delete the backup of /)
    await answer('Keep it')
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null))
    expect(service.requests).to.deep.equal([])
    await press('Delete')
    await screen.findByText(/^Delete the backup of /)
    await answer('Delete')
    await screen.findByText('The backup was deleted.')
    expect(service.requests.map(({ address }) => address)).to.deep.equal(['/api/admin/backups/backup_1'])
  })

  it('says why it could not be deleted', async () => {
    fakeApi<paths>({ 'delete /api/admin/backups/{backup_id}': () => problem(409, 'busy', { detail: 'It is being read.' }) })
    const { press, answer } = show()
    await press('Delete')
    await screen.findByText(/^Delete the backup of /)
    await answer('Delete')
    await screen.findByText(/It is being read\./)
  })
})
