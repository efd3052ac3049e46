import { currentPath, navigate } from '@agent-service/sdk/web'
import { identityQuestion } from '@agent-service/sdk/web/host'
import { announced, type FakeApi, fakeApi, problem, render, screen, type User, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { JSX } from 'solid-js'
import type { AnswerOf } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { signInByPassword } from '../../test-support/ways-to-sign-in.js'
import { PasswordForm } from './password-form.js'
import Profile from './profile.js'

type Me = AnswerOf<'get', '/api/auth/me'>

const ada: Me = {
  id: 'user_ada',
  username: 'ada',
  handle: 'ada',
  name: 'Ada',
  email: null,
  email_verified: false,
  role: 'user',
  language: null,
  timezone: 'UTC',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

/** The profile of Ada, of a service that keeps what is changed. */
async function show(component: () => JSX.Element = () => <Profile />) {
  await signInByPassword()
  let kept = ada
  const service: FakeApi<paths> = fakeApi<paths>({
    'get /api/auth/me': () => kept,
    'patch /api/auth/me'({ body }) {
      kept = { ...kept, ...body }
      return kept
    },
    'put /api/auth/password': () => undefined,
  })
  const { user } = render(component, { at: '/profile' })
  return { service, user, press: (name: string) => user.click(button(name)) }
}

const button = (name: string): HTMLElement => screen.getByRole('button', { name })

/** The first one: the form of the password has the user name too, for password managers. */
const field = (label: string): HTMLInputElement => screen.getAllByLabelText<HTMLInputElement>(label)[0] as HTMLInputElement

async function type(user: User, label: string, text: string): Promise<void> {
  await user.clear(field(label))
  await user.type(field(label), text)
}

const patches = (service: FakeApi<paths>) => service.requestsOf('patch /api/auth/me').map(({ body }) => body)

describe('the profile of a person', () => {
  // The hundreds that there are take a page without a browser long.
  const { supportedValuesOf } = Intl
  const setZones = (value: typeof supportedValuesOf): void => void Object.defineProperty(Intl, 'supportedValuesOf', { value })
  before(() => setZones(() => ['Europe/Berlin', 'Europe/Oslo']))
  after(() => setZones(supportedValuesOf))

  it('sends what was changed, and nothing else', async () => {
    const { service, user, press } = await show()
    expect(button('Save profile')).to.have.property('disabled', true)
    await type(user, 'Name', ' Ada Lovelace ')
    await user.selectOptions(field('Time zone'), 'Europe/Berlin')
    await press('Save profile')
    await screen.findByText('Profile saved.')
    expect(patches(service)).to.deep.equal([{ name: 'Ada Lovelace', timezone: 'Europe/Berlin' }])
  })

  it('changes the address only once the person has said who it is, and loses nothing when they do not', async () => {
    const { service, user, press } = await show()
    service.answer({ 'patch /api/auth/me': () => problem(403, 'confirmation_required') })
    await type(user, 'E-mail address', 'ada@example.org')
    await press('Save profile')
    await waitFor(() => expect(identityQuestion()).not.to.equal(undefined))
    identityQuestion()?.answer(false)
    await waitFor(() => expect(button('Save profile').getAttribute('aria-busy')).not.to.equal('true'))
    expect([field('E-mail address').value, screen.queryByText('Profile saved.')]).to.deep.equal(['ada@example.org', null])
    await press('Save profile')
    await waitFor(() => expect(identityQuestion()).not.to.equal(undefined))
    service.answer({ 'patch /api/auth/me': () => ({ ...ada, email: 'ada@example.org', email_verified: true }) })
    identityQuestion()?.answer(true)
    await screen.findByText('Profile saved.')
    expect(patches(service)).to.deep.equal([1, 2, 3].map(() => ({ email: 'ada@example.org' })))
  })

  it('says at its field what is taken already', async () => {
    const { service, user, press } = await show()
    service.answer({ 'put /api/auth/username': () => problem(409, 'username_taken', { detail: 'There is a bob.' }) })
    await type(user, 'Username', 'bob')
    await press('Save profile')
    await waitFor(() => expect(field('Username').getAttribute('aria-invalid')).to.equal('true'))
    screen.getByText('There is a bob.')
  })

  it('is only left with changes after a question', async () => {
    const { user, press } = await show()
    await type(user, 'Name', 'Ada Lovelace')
    const leaving = navigate('/')
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await leaving
    expect([currentPath(), field('Name').value]).to.deep.equal(['/profile', 'Ada Lovelace'])
    await press('Save profile')
    await screen.findByText('Profile saved.')
    await navigate('/')
    expect(currentPath()).to.equal('/')
  })

  it('changes the password, and keeps the new one while the current one is wrong', async () => {
    const { service, user, press } = await show(() => <PasswordForm />)
    service.answer({
      'put /api/auth/password': () =>
        problem(422, 'invalid_request', { errors: [{ path: '/current_password', message: 'is not the password' }] }),
    })
    await type(user, 'Current password', 'wrong')
    await type(user, 'New password', 'another long enough password')
    await press('Change password')
    await screen.findByText('This is not your current password.')
    expect(field('New password').value).to.equal('another long enough password')
    service.answer({ 'put /api/auth/password': () => undefined })
    await type(user, 'Current password', 'right')
    await press('Change password')
    await waitFor(() => expect(announced()).to.include('Password changed.'))
    expect([field('Current password').value, field('New password').value]).to.deep.equal(['', ''])
    expect(service.requestsOf('put /api/auth/password').at(-1)?.body).to.deep.equal({
      current_password: 'right',
      new_password: 'another long enough password',
    })
  })

  it('needs both passwords', async () => {
    const { service, press } = await show(() => <PasswordForm />)
    await press('Change password')
    await waitFor(() => expect(field('Current password').getAttribute('aria-invalid')).to.equal('true'))
    expect(field('New password').getAttribute('aria-invalid')).to.equal('true')
    expect(screen.queryByText('This is not your current password.')).to.equal(null)
    expect(service.requestsOf('put /api/auth/password')).to.deep.equal([])
  })

  it('shows another language at once, and tells the service', async () => {
    const { service, user } = await show()
    await user.selectOptions(field('Language'), 'de')
    await screen.findByRole('heading', { level: 1, name: 'Profil' })
    expect(document.documentElement.lang).to.equal('de')
    await waitFor(() => expect(patches(service)).to.deep.equal([{ language: 'de' }]))
    expect(localStorage.getItem('console.language')).to.equal('de')
  })

  it('shows another theme at once, and remembers it on this device', async () => {
    const { user } = await show()
    await user.click(screen.getByText('Dark'))
    expect([document.documentElement.dataset['theme'], localStorage.getItem('console.theme')]).to.deep.equal(['dark', 'dark'])
    await user.click(screen.getByText('System'))
    expect([document.documentElement.dataset['theme'], localStorage.getItem('console.theme')]).to.deep.equal([undefined, null])
  })
})
