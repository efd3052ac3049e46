import { currentPath, navigate } from '@agent-service/sdk/web'
import { identityQuestion, ownName } from '@agent-service/sdk/web/host'
import { offline, problem, render, screen, type User, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import { configurationService } from '../../test-support/configuration.js'
import Settings from './settings.js'

const staleTitle = 'Someone saved the settings while you edited'

async function show(section = 'server') {
  const shown = render(() => <Settings />, { at: `/admin/settings?section=${section}`, admin: true })
  const { user } = shown
  await screen.findByRole('heading', { level: 2 })
  return {
    ...shown,
    async type(label: string, text: string): Promise<void> {
      await user.type(field(label), text, { initialSelectionStart: 0, initialSelectionEnd: field(label).value.length })
    },
    press: (name: string): Promise<void> => user.click(screen.getByRole('button', { name })),
    save: (count: string): Promise<void> => save(user, count),
  }
}

const field = (label: string): HTMLInputElement => screen.getByLabelText(label)

/** Presses the button that saves, once the change was checked. */
async function save(user: User, count: string): Promise<void> {
  const button = screen.getByRole('button', { name: `Save ${count}` })
  await waitFor(() => expect(button).to.have.property('disabled', false))
  await user.click(button)
}

/** What this tab and this browser keep. */
const kept = (): string => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])

describe('settings that are edited while something comes in between', () => {
  it('are merged with what was saved elsewhere, and where both changed the same, the person is asked', async () => {
    const file = configurationService()
    const { user, type, press, save } = await show()
    await type('Time zone', 'Europe/Rome')
    await type('Shutdown timeout', '30')
    await press('Review 2 changes')
    screen.getByText('+ Europe/Rome')
    file.saveElsewhere({ 'server.timezone': 'Europe/Paris', 'auth.allow_registration': false })
    await save('2 changes')
    const dialog = within(await screen.findByRole('dialog', { name: staleTitle }))
    dialog.getByText('- Europe/Paris')
    dialog.getByText(/Decide where both changed the same setting/)
    expect(dialog.getByText('auth.allow_registration').parentElement?.textContent).to.include('No')
    expect(dialog.getByRole('button', { name: 'Save 2 changes' })).to.have.property('disabled', true)
    await user.click(dialog.getByText('Mine'))
    await save('2 changes')
    await screen.findByText(/^Saved\./)
    expect([file.saved('server'), file.saved('auth')]).to.deep.equal([
      { timezone: 'Europe/Rome', shutdown_timeout_secs: 30 },
      { allow_registration: false },
    ])
  })

  it('are merged without a question where others changed something else', async () => {
    const file = configurationService()
    const { type, press, save } = await show()
    await type('Shutdown timeout', '30')
    await press('Review 1 change')
    file.saveElsewhere({ 'server.timezone': 'Europe/Paris' })
    await save('1 change')
    await screen.findByText(/you changed different settings/)
    await save('1 change')
    await screen.findByText(/^Saved\./)
    expect(file.saved('server')).to.deep.equal({ timezone: 'Europe/Paris', shutdown_timeout_secs: 30 })
  })

  it('are done where the same was saved elsewhere', async () => {
    const file = configurationService()
    const { type, press, save } = await show()
    await type('Time zone', 'Europe/Rome')
    await press('Review 1 change')
    file.saveElsewhere({ 'server.timezone': 'Europe/Rome' })
    await save('1 change')
    await screen.findByText(/^Saved\./)
    expect(screen.queryByRole('dialog')).to.equal(null)
  })

  it('show at once what another tab has saved, and become theirs where that is chosen', async () => {
    const file = configurationService()
    const { user, type } = await show()
    await type('Time zone', 'Europe/Rome')
    file.saveElsewhere({ 'server.timezone': 'Europe/Paris' })
    const tab = new BroadcastChannel(ownName('console.settings'))
    tab.postMessage('saved')
    await screen.findByText(/Changed elsewhere meanwhile. The file now has: Europe\/Paris/)
    tab.close()
    expect(field('Time zone').value).to.equal('Europe/Rome')
    await user.click(screen.getByText('Theirs'))
    expect(field('Time zone').value).to.equal('Europe/Paris')
    expect(screen.queryByRole('button', { name: /^Review/ })).to.equal(null)
  })

  it('tell other tabs when they are saved', async () => {
    configurationService()
    const { type, press, save } = await show()
    const tab = new BroadcastChannel(ownName('console.settings'))
    const told = new Promise((resolve) => tab.addEventListener('message', resolve))
    await type('Time zone', 'Europe/Rome')
    await press('Review 1 change')
    await save('1 change')
    await told
    tab.close()
  })

  it('are still there when the page is loaded again, but for secrets, which the browser never keeps', async () => {
    configurationService()
    const { type, unmount } = await show('providers')
    await type('Base URL', 'https://other.example.org')
    await type('API key', 'canary-that-was-typed')
    expect(kept()).to.include('other.example.org').and.not.include('canary')
    unmount()
    await show('providers')
    screen.getByText(/1 change from before is back\..*Enter these again: providers\.work\.api_key/)
    expect([field('Base URL').value, field('API key').value]).to.deep.equal(['https://other.example.org', ''])
  })

  it('are only left behind after a question, and are forgotten then', async () => {
    configurationService()
    const { type, press } = await show()
    await type('Time zone', 'Europe/Rome')
    const leaving = navigate('/admin/plugins')
    await screen.findByRole('dialog', { name: 'Leave without saving?' })
    screen.getByText('1 change is not saved and would be lost.')
    await press('Keep editing')
    await leaving
    expect([currentPath(), field('Time zone').value]).to.deep.equal(['/admin/settings', 'Europe/Rome'])
    const left = navigate('/admin/plugins')
    await screen.findByRole('dialog', { name: 'Leave without saving?' })
    await press('Discard changes')
    await left
    expect(currentPath()).to.equal('/admin/plugins')
    expect(kept()).not.to.include('Rome')
  })

  it('are kept while the service does not answer, and while it asks who is there', async () => {
    const file = configurationService()
    const patch = 'patch /api/admin/config'
    const { type, press, save } = await show()
    await type('Shutdown timeout', '30')
    await press('Review 1 change')
    file.refuseSaves(() => offline())
    await save('1 change')
    await screen.findByText(/The service does not answer\./)
    file.refuseSaves(() => problem(403, 'confirmation_required'))
    await save('1 change')
    await waitFor(() => expect(identityQuestion()).not.to.equal(undefined))
    file.refuseSaves(undefined)
    file.saveElsewhere({ 'server.timezone': 'Europe/Paris' })
    identityQuestion()?.answer(true)
    await screen.findByRole('dialog', { name: staleTitle })
    await save('1 change')
    await screen.findByText(/^Saved\./)
    expect(file.saved('server')).to.deep.equal({ timezone: 'Europe/Paris', shutdown_timeout_secs: 30 })
    expect(file.service.requestsOf(patch)).to.have.length(4)
  })
})
