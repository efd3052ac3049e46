import { fakeApi, problem, type RenderOptions, render, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { preferences } from '../../test-support/notifications.js'
import { NotificationSettings } from './notification-settings.js'

const noMail = { available: false, address: null, reason: 'not_configured' } as const
const server = {
  available: true,
  from: 'service@example.com',
  host: 'mail.example.com',
  paused: null,
  reason: null,
  unreachable_admins: [],
}
const noServer = { ...server, available: false, from: null, host: null, reason: 'not_configured' }

/** The service, which keeps what is chosen. */
function serviceWith(kept = preferences(), mail: Schemas['MailStatus'] = server) {
  return fakeApi<paths>({
    'get /api/notifications/devices': () => ({ content: true, devices: [], public_key: null }),
    'get /api/notifications/preferences': () => kept,
    'patch /api/notifications/preferences': ({ body }) => ({
      ...kept,
      kinds: kept.kinds.map((kind) => {
        const { app, mail, push } = body.kinds[kind.kind] ?? {}
        return { ...kind, app: app ?? kind.app, mail: mail ?? kind.mail, push: push ?? kind.push }
      }),
    }),
    'get /api/admin/mail': () => mail,
  })
}

const show = (options: RenderOptions = {}) => render(() => <NotificationSettings />, options).user

const choice = async (kind: string, place: string): Promise<HTMLInputElement> =>
  within(await screen.findByRole('group', { name: kind })).getByRole<HTMLInputElement>('switch', { name: place })

describe('the settings of notifications', () => {
  it('choose where a kind is told of, at once', async () => {
    const service = serviceWith()
    const held = service.hold('patch /api/notifications/preferences')
    const user = show()
    await user.click(await choice('A task is completed', 'In the list'))
    expect((await choice('A task is completed', 'In the list')).checked).to.equal(false)
    held.release()
    await user.click(await choice('A task has failed', 'By e-mail'))
    await user.click(await choice('A task has failed', 'On devices'))
    await waitFor(() =>
      expect(service.requestsOf('patch /api/notifications/preferences').map(({ body }) => body.kinds)).to.deep.equal([
        { 'task.completed': { app: false } },
        { 'task.failed': { mail: false } },
        { 'task.failed': { push: false } },
      ]),
    )
  })

  it('put a switch back that could not be changed, and say why', async () => {
    const service = serviceWith()
    service.answer({ 'patch /api/notifications/preferences': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const user = show()
    await user.click(await choice('A task is completed', 'In the list'))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    await waitFor(async () => expect((await choice('A task is completed', 'In the list')).checked).to.equal(true))
  })

  it('say where e-mails go', async () => {
    serviceWith()
    show()
    await screen.findByText('E-mails go to ada@example.com.')
    expect((await choice('A task is completed', 'By e-mail')).disabled).to.equal(false)
  })

  it('offer no e-mail without a mail server, and say why', async () => {
    serviceWith(preferences({ mail: noMail }))
    show()
    await screen.findByText('No e-mails are sent, because this service has no mail server.')
    const disabled = ['In the list', 'By e-mail', 'On devices'].map(async (place) => (await choice('A task is completed', place)).disabled)
    expect(await Promise.all(disabled)).to.deep.equal([false, true, false])
  })

  it('lead to the profile where an address is missing', async () => {
    serviceWith(preferences({ mail: { ...noMail, reason: 'unconfirmed_address' } }))
    show()
    const way = await screen.findByRole('link', { name: 'Confirm it in your profile' })
    expect(way.getAttribute('href')).to.equal('/profile')
  })

  it('are German for those who read German', async () => {
    serviceWith(preferences({ mail: noMail }), noServer)
    show({ language: 'de', admin: true })
    await screen.findByText('Es werden keine E-Mails gesendet, weil dieser Dienst keinen Mailserver hat.')
    await screen.findByText('Es ist keiner eingerichtet. Trage Server und Absender in den Einstellungen ein.')
    await choice('Eine Aufgabe ist gescheitert', 'In der Liste')
    // What a plugin has in English only.
    expect(screen.getAllByText('With its result.').length).to.equal(2)
  })

  it('can be read again after a failure', async () => {
    const service = serviceWith()
    service.answer({ 'get /api/notifications/preferences': () => problem(503, 'unavailable') })
    const user = show()
    const again = await screen.findByRole('button', { name: 'Try again' })
    service.answer({ 'get /api/notifications/preferences': () => preferences() })
    await user.click(again)
    await choice('A task is completed', 'In the list')
  })
})

describe('the mail server in the settings of notifications', () => {
  it('is not shown to those who do not administrate', async () => {
    const service = serviceWith()
    show()
    await choice('A task is completed', 'In the list')
    expect(service.requestsOf('get /api/admin/mail')).to.deep.equal([])
  })

  it('is named as missing where there is none, and cannot be tested then', async () => {
    serviceWith(preferences(), noServer)
    show({ admin: true })
    await screen.findByText('None is configured. Set host and sender in the settings.')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send a test e-mail' }).disabled).to.equal(true)
  })

  it('is tested by an e-mail', async () => {
    const service = serviceWith()
    service.answer({ 'post /api/admin/mail/test': () => ({ to: 'ada@example.com' }) })
    const user = show({ admin: true })
    await screen.findByText('service@example.com through mail.example.com')
    await user.click(screen.getByRole('button', { name: 'Send a test e-mail' }))
    await screen.findByText('The mail server has taken an e-mail to ada@example.com.')
  })

  it('says what keeps it from sending, and whom no alarm reaches', async () => {
    const paused = { reason: 'It refuses the password.', until: '2026-12-01T09:00:00Z' }
    serviceWith(preferences(), { ...server, paused, unreachable_admins: ['bea', 'cem'] })
    show({ admin: true })
    await screen.findByText(/^It cannot be used at the moment/)
    await screen.findByText('It refuses the password.')
    await screen.findByText('No alarm reaches these admins, who have no confirmed e-mail address: bea, cem.')
  })
})
