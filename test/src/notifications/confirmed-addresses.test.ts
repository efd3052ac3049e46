import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { codeIn, type MailPeer, startMailPeer } from './support/mail-peer.js'

describe('e-mail to confirmed addresses', function () {
  this.timeout(60_000)
  let peer: MailPeer
  let service: ServiceProcess
  let ada: Api
  let eve: Api

  const codeOf = async (answer: Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>) => {
    const { status, body } = await answer
    return [status, body['code']]
  }
  const mailOf = async (api: Api): Promise<unknown> => (await api.request('GET', '/api/notifications/preferences')).body['mail']
  /** Again while too many requests below `/api/auth/` come from this machine. */
  const patiently = async <Answer extends { readonly status: number }>(request: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await request()
      if (answer.status !== 429) return answer
    }
  }
  const change = (api: Api, email: string | null) => patiently(() => api.request('PATCH', '/api/auth/me', { email }))
  const sendCode = (api: Api) => patiently(() => api.request('POST', '/api/auth/email/code'))
  const confirmEmail = (api: Api, code: unknown) => patiently(() => api.request('POST', '/api/auth/email/confirm', { code }))
  /** As many as are told, and the address and code of the last. */
  const received = async (count: number) => {
    await peer.until(count)
    const { to, source } = peer.mails[count - 1] ?? { to: '', source: '' }
    return { to, source, code: codeIn(source) }
  }

  before(async () => {
    peer = await startMailPeer()
    service = await startServiceProcess({
      environment: {
        ...{ SERVICE_MAIL_HOST: '127.0.0.1', SERVICE_MAIL_PORT: String(peer.port), SERVICE_MAIL_SECURITY: 'none' },
        ...{ SERVICE_MAIL_FROM: 'Agent Service <agents@example.org>', SERVICE_SCHEDULER_POLL_SECS: '1' },
      },
    })
    ada = await signUp(service.url, 'ada')
    eve = await signUp(service.url, 'eve')
    await confirm(ada)
    await confirm(eve)
  })
  after(async () => {
    await service?.kill()
    await peer?.close()
    await removeFolder(service.folder)
  })
  beforeEach(() => peer.forget())

  it('sends no subject and link of an account to an address that it typed, only a code', async () => {
    expect((await change(eve, 'victim@example.org')).body).to.include({ email: 'victim@example.org', email_verified: false })
    expect(await mailOf(eve)).to.deep.equal({ available: false, reason: 'unconfirmed_address', address: null })
    const stream = await eve.stream()
    for (let number = 0; number < 30; number += 1) {
      const task = {
        kind: 'reminder',
        instruction: 'x',
        title: `Visit evil.example ${number}`,
        due_at: new Date(Date.now() + 50).toISOString(),
      }
      expect((await eve.request('POST', '/api/tasks', task)).status).to.equal(201)
    }
    let seen = 0
    await stream.until(({ name }) => name === 'notification.created' && ++seen === 30)
    stream.close()
    const { to, source, code } = await received(1)
    expect({ to, hasCode: code !== undefined }).to.deep.equal({ to: 'victim@example.org', hasCode: true })
    expect(source)
      .to.not.include('evil')
      .and.not.to.match(/\beve\b/i)
    const { body } = await ada.request('GET', '/api/admin/mail/messages?state=pending')
    expect(body['items']).to.deep.equal([])
    expect(peer.mails).to.have.length(1)
  })

  it('takes a code only in a session of the account that it was sent for', async () => {
    await change(eve, 'other-victim@example.org')
    const { to, code } = await received(1)
    expect(to).to.equal('other-victim@example.org')
    expect((await change(ada, 'ada@example.org')).status).to.equal(200)
    // The one that goes by itself; a later one would end its code.
    expect((await received(2)).to).to.equal('ada@example.org')
    expect(await codeOf(confirmEmail(ada, code))).to.deep.equal([422, 'email_code_invalid'])
    const { body } = await patiently(() => eve.request('POST', '/api/auth/tokens', { name: 'ci' }))
    const byToken = await patiently(() =>
      fetch(`${service.url}/api/auth/email/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${String(body['token'])}`, 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      }),
    )
    expect([byToken.status, ((await byToken.json()) as { readonly code: string }).code]).to.deep.equal([403, 'session_required'])
    const withoutAny = await patiently(() => fetch(`${service.url}/api/auth/email/confirm?code=${code}`))
    expect(withoutAny.status).to.be.oneOf([401, 404, 405])
  })

  it('reaches the address once its person has entered the code, and stops when it changes', async () => {
    expect(await codeOf(ada.request('POST', '/api/admin/mail/test'))).to.deep.equal([409, 'mail_unavailable'])
    expect((await ada.request('GET', '/api/admin/mail')).body['unreachable_admins']).to.deep.equal(['ada'])
    const health = await ada.request('POST', '/api/admin/health/checks')
    expect(JSON.stringify(health.body)).to.include('no alarm reaches these administrators')
    expect((await sendCode(ada)).body).to.deep.equal({ to: 'ada@example.org' })
    const { code } = await received(1)
    expect((await confirmEmail(ada, code)).status).to.equal(204)
    expect((await patiently(() => ada.request('GET', '/api/auth/me'))).body).to.include({ email_verified: true })
    expect(await codeOf(confirmEmail(ada, code))).to.deep.equal([409, 'email_confirmed'])
    expect(await codeOf(sendCode(ada))).to.deep.equal([409, 'email_confirmed'])
    expect((await ada.request('GET', '/api/admin/mail')).body['unreachable_admins']).to.deep.equal([])
    expect(await mailOf(ada)).to.deep.equal({ available: true, reason: null, address: 'ada@example.org' })
    expect((await ada.request('POST', '/api/admin/mail/test')).body).to.deep.equal({ to: 'ada@example.org' })
    peer.forget()
    expect((await change(ada, 'ada@new.example')).status).to.equal(200)
    await peer.until(2)
    expect(peer.mails.map(({ to }) => to).sort()).to.deep.equal(['ada@example.org', 'ada@new.example'])
    const told = peer.mails.find(({ to }) => to === 'ada@example.org')
    expect(told?.source).to.match(/^Subject: The e-mail address of your account was changed\r$/m)
    expect(told?.source).to.not.include('ada@new.example')
    expect(await codeOf(ada.request('POST', '/api/admin/mail/test'))).to.deep.equal([409, 'mail_unavailable'])
  })

  it('sends a code to who registers with an address, at most three a day from all accounts and one for the address itself', async () => {
    const sent = ['one', 'two', 'three', 'four']
    for (const name of [...sent, 'five']) {
      const account = { username: name, password: 'a long enough password', email: 'bombed@example.org' }
      const registered = await patiently(() =>
        fetch(`${service.url}/api/auth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(account),
        }),
      )
      const { user } = (await registered.json()) as { readonly user: { readonly id: string } }
      expect(registered.status).to.equal(201)
      if (name !== 'five') await peer.until(sent.indexOf(name) + 1)
      expect((await ada.request('DELETE', `/api/admin/users/${user.id}`)).status).to.equal(204)
    }
    expect((await ada.request('POST', '/api/admin/mail/test')).status).to.equal(409)
    const { body } = await ada.request('GET', '/api/admin/audit?kind=email.confirmation_sent')
    expect((body['items'] as readonly object[]).length).to.equal(4 + 5)
    expect(peer.mails.map(({ to }) => to)).to.deep.equal(sent.map(() => 'bombed@example.org'))
  })
})
