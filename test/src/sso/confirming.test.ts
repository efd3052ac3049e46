import { expect } from 'chai'
import type { Browser } from './support/browser.js'
import { refusalOn, type SignOnService, startSignOnService } from './support/sign-on.js'

describe('confirming a session through an identity provider', () => {
  let service: SignOnService
  let ada: Browser

  const tokens = new Map<Browser, string>()
  const tokenOf = async (browser: Browser): Promise<string> => {
    const token = tokens.get(browser) ?? (await service.profile(browser)).token
    tokens.set(browser, token)
    return token
  }
  /** As a script on a page of the browser, with its session. */
  const call = async (browser: Browser, method: string, path: string, body?: unknown) => {
    const token = await tokenOf(browser)
    const response = await browser.call(method, `${service.url}${path}`, body, { authorization: `Bearer ${token}` })
    const text = await response.text()
    return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>> }
  }
  const changeEmail = async (browser: Browser, email: string | null): Promise<string> => {
    const { status, json } = await call(browser, 'PATCH', '/api/auth/me', { email })
    return `${status} ${String(json['code'] ?? json['email'])}`
  }
  const people = async () => (await call(ada, 'GET', '/api/admin/users')).json['items'] as readonly Readonly<Record<string, unknown>>[]
  const sessionsOf = async (browser: Browser) => (await call(browser, 'GET', '/api/auth/sessions')).json['items'] as readonly unknown[]

  before(async () => {
    service = await startSignOnService({ SERVICE_SSO_DISABLE_LOCAL_AUTH: 'true' })
    service.peer.serve(`${service.url}/api/auth/sso/callback`)
    service.peer.people.set('ada', { email: 'ada@example.org', email_verified: true, preferred_username: 'ada' })
    service.peer.people.set('eve', { email: 'eve@example.org', email_verified: true, preferred_username: 'eve' })
  })
  after(() => service.stop())
  beforeEach(async () => {
    ada = service.browser()
    await service.signIn(ada, 'ada', { setup_code: String((await service.kernel.auth.pendingSetupCode()) ?? '') })
  })

  it('gives five minutes to an account without a password, whose only way in it is', async () => {
    expect(await changeEmail(ada, 'new@example.org')).to.equal('403 confirmation_required')
    const before = await sessionsOf(ada)
    const page = await service.confirm(ada, 'ada')
    expect(page.url.href).to.equal(`${service.url}/settings`)
    expect(await changeEmail(ada, 'new@example.org')).to.equal('200 new@example.org')
    expect(await changeEmail(ada, 'ada@example.org')).to.equal('200 ada@example.org')
    expect((await sessionsOf(ada)).length).to.equal(before.length)
  })

  it('asks for a sign-on although the provider knows who is there', async () => {
    const again = await service.signIn(ada, 'nobody is asked')
    expect(again.url.pathname, 'a sign-in goes through').to.equal('/')
    expect(again.way.some((address) => address.includes('/interaction/'))).to.equal(false)
    const page = await ada.open(`${service.url}/api/auth/sso/login?confirm=true`)
    expect(page.url.pathname).to.match(/^\/interaction\//)
    expect(await changeEmail(ada, null)).to.equal('403 confirmation_required')
  })

  it('accepts no other person from the provider, neither to confirm nor to sign in', async () => {
    const before = await people()
    ada.forget(service.peer.authority)
    const { user } = await service.profile(ada)
    expect(refusalOn(await service.confirm(ada, 'eve'))).to.equal('403 confirmation_mismatch')
    expect(await changeEmail(ada, null)).to.equal('403 confirmation_required')
    expect((await service.profile(ada)).user).to.deep.equal(user)
    expect(await people()).to.deep.equal(before)
  })

  it('does not link who comes back by an address', async () => {
    service.peer.people.set('mallory', { email: 'ada@example.org', email_verified: true })
    ada.forget(service.peer.authority)
    expect(refusalOn(await service.confirm(ada, 'mallory'))).to.equal('403 confirmation_mismatch')
    expect(refusalOn(await service.signIn(service.browser(), 'mallory'))).to.equal('409 email_taken')
  })

  it('is refused if the person declines', async () => {
    expect(refusalOn(await service.confirm(ada, ''))).to.equal('403 sso_denied')
    expect(await changeEmail(ada, null)).to.equal('403 confirmation_required')
  })

  it('ends in the browser and the session in which it began, once', async () => {
    const callback = await service.callbackFor(ada, 'ada', { confirm: 'true' })
    expect(refusalOn(await service.browser().open(callback)), 'another browser').to.equal('400 sso_state_invalid')
    const elsewhere = service.browser()
    await service.signIn(elsewhere, 'ada')
    expect(await changeEmail(elsewhere, null), 'another session').to.equal('403 confirmation_required')
    expect((await ada.open(callback)).url.pathname).to.equal('/')
    expect(refusalOn(await ada.open(callback)), 'again').to.equal('400 sso_state_invalid')
    expect(await changeEmail(elsewhere, null), 'another session of the same account').to.equal('403 confirmation_required')
    expect(await changeEmail(ada, 'ada@example.org')).to.equal('200 ada@example.org')
  })

  it('confirms no session that has ended since, and begins none', async () => {
    const callback = await service.callbackFor(ada, 'ada', { confirm: 'true' })
    expect((await call(ada, 'POST', '/api/auth/logout')).status).to.equal(204)
    expect(refusalOn(await ada.open(callback))).to.equal('403 confirmation_mismatch')
    expect(ada.cookies(`${service.url}/`)).to.deep.equal({})
  })

  it('is not begun by a page of another site, nor without a session', async () => {
    const url = `${service.url}/api/auth/sso/login?confirm=true`
    const code = async (browser: Browser, headers: Readonly<Record<string, string>>): Promise<string> => {
      const response = await browser.call('GET', url, undefined, headers)
      return response.status === 303 ? '303' : `${response.status} ${((await response.json()) as { readonly code: string }).code}`
    }
    expect(await code(ada, { 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' })).to.equal('403 sso_confirmation_foreign')
    expect(await code(ada, { 'sec-fetch-site': 'none' })).to.equal('403 sso_confirmation_foreign')
    expect(await code(ada, { 'sec-fetch-site': 'same-origin' })).to.equal('303')
    expect(await code(service.browser(), {})).to.equal('403 session_required')
    expect(await code(ada, { authorization: 'Bearer nonsense' })).to.equal('403 session_required')
  })

  it('leaves passwords without effect where they are off, and is noted', async () => {
    const { status, json } = await call(ada, 'POST', '/api/auth/confirm', { password: 'a long enough password' })
    expect([status, json['code']]).to.deep.equal([403, 'local_auth_disabled'])
    const { json: events } = await call(ada, 'GET', '/api/admin/audit?limit=200')
    const items = events['items'] as readonly { readonly kind: string; readonly details: Readonly<Record<string, unknown>> }[]
    const of = (kind: string) => items.filter((event) => event.kind === kind)
    expect(of('session.confirmed').map(({ details }) => details['method'])).to.include('single_sign_on')
    expect(of('session.confirmation_refused').map(({ details }) => details['reason'])).to.include.members([
      'another_person',
      'session_ended',
    ])
  })
})
