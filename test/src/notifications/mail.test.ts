import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { codeIn, type MailPeer, startMailPeer } from './support/mail-peer.js'

const messageIdOf = (source: string): string | undefined => /^Message-ID: (.*)\r$/im.exec(source)?.[1]
const unsubscribeOf = (source: string): string => /^List-Unsubscribe: <(.*)>\r$/m.exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1] ?? ''

describe('notifications by e-mail', function () {
  this.timeout(60_000)
  let peer: MailPeer
  let service: ServiceProcess
  let ada: Api

  const start = async (folder?: string): Promise<void> => {
    service = await startServiceProcess({
      ...(folder === undefined ? {} : { folder }),
      environment: {
        ...{ SERVICE_MAIL_HOST: '127.0.0.1', SERVICE_MAIL_PORT: String(peer.port), SERVICE_MAIL_SECURITY: 'none' },
        ...{ SERVICE_MAIL_FROM: 'Agent Service <agents@example.org>', SERVICE_SCHEDULER_POLL_SECS: '1' },
      },
    })
    ada = await signUp(service.url, 'ada')
  }
  const remind = async (text: string): Promise<void> => {
    const due_at = new Date(Date.now() + 50).toISOString()
    const { status, body } = await ada.request('POST', '/api/tasks', { kind: 'reminder', instruction: text, title: text, due_at })
    expect(status, JSON.stringify(body)).to.equal(201)
  }
  const listed = async (): Promise<readonly string[]> => {
    const { body } = await ada.request('GET', '/api/notifications')
    return (body['items'] as readonly { readonly title: string }[]).map(({ title }) => title)
  }

  before(async () => {
    peer = await startMailPeer()
    await start()
    await confirm(ada)
    expect((await ada.request('PATCH', '/api/auth/me', { email: 'ada@example.org', name: 'Ada L.' })).status).to.equal(200)
    await peer.until(1)
    const code = codeIn(peer.mails[0]?.source)
    expect((await ada.request('POST', '/api/auth/email/confirm', { code })).status).to.equal(204)
    peer.forget()
  })
  after(async () => {
    await service?.kill()
    await peer?.close()
    await removeFolder(service.folder)
  })

  it('reach the address of the account, with a link to their subject', async () => {
    await remind('Water the plants')
    await peer.until(1)
    const [{ to, source, greeting } = { to: '', source: '', greeting: '' }] = peer.mails
    expect(greeting).to.equal('example.org')
    expect(to).to.equal('ada@example.org')
    expect(source).to.match(/^Subject: Water the plants\r$/m)
    expect(source).to.include('/tasks/')
    expect(await listed()).to.deep.equal(['Water the plants'])
    const status = (await ada.request('GET', '/api/admin/mail')).body
    expect(status).to.include({ available: true, host: '127.0.0.1', paused: null })
  })

  it('are sent again with the same Message-ID after a SIGKILL in the middle, and are once in the list', async () => {
    const held = new Promise<void>(() => undefined)
    peer.answer = () => held
    await remind('Call the bank')
    await peer.until(2)
    const { folder } = service
    await service.kill()
    peer.answer = async () => undefined
    await start(folder)
    await peer.until(3)
    const [, first, second] = peer.mails.map(({ source }) => messageIdOf(source))
    expect(first).to.be.a('string').and.equal(second)
    expect(await listed()).to.deep.equal(['Call the bank', 'Water the plants'])
    // Only once it is settled as sent does nothing more come.
    for (;;) {
      const { body } = await ada.request('GET', '/api/admin/mail/messages?state=sent')
      const items = body['items'] as readonly { readonly attempts: number; readonly error: string | null }[]
      if (items.length < 3) continue
      expect(items[0]).to.include({ attempts: 2, error: null })
      break
    }
    expect(peer.mails).to.have.length(3)
  })

  it('end with one click, without a sign-in, and only then', async () => {
    const link = new URL(unsubscribeOf(peer.mails[0]?.source ?? ''))
    const url = `${service.url}${link.pathname}`
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(page.status).to.equal(200)
    expect(page.headers.get('content-security-policy')).to.include("default-src 'none'")
    expect(await page.text()).to.include('A reminder')
    // With “no-referrer” browsers send “Origin: null” with its form, which is refused to those who are signed in.
    expect(page.headers.get('referrer-policy')).to.equal('same-origin')
    const foreign = await fetch(url, { method: 'POST', headers: { cookie: 'refresh_token=stale', origin: 'null' } })
    expect(foreign.status).to.equal(403)
    const preference = async (): Promise<unknown> => {
      const { body } = await ada.request('GET', '/api/notifications/preferences')
      return (body['kinds'] as readonly { readonly kind: string; readonly mail: boolean }[]).find(({ kind }) => kind === 'task.reminder')
        ?.mail
    }
    expect(await preference()).to.equal(true)
    const click = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'refresh_token=stale', origin: service.url },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(click.status).to.equal(200)
    expect(await preference()).to.equal(false)
    const stream = await ada.stream()
    await remind('Silent in the mail')
    await stream.until(({ name, data }) => name === 'notification.created' && data['title'] === 'Silent in the mail')
    stream.close()
    expect((await ada.request('POST', '/api/admin/mail/test')).body).to.deep.equal({ to: 'ada@example.org' })
    expect(peer.mails).to.have.length(4)
    expect(peer.mails[3]?.source).to.match(/^Subject: Test e-mail\r$/m)
    expect(peer.mails[3]?.greeting).to.equal('example.org')
    const { body } = await ada.request('GET', '/api/admin/audit?kind=mail.tested')
    expect((body['items'] as readonly object[]).length).to.equal(1)
  })

  it('are in the metrics', async () => {
    const { body: _, ...rest } = await ada.request('GET', '/api/version')
    expect(rest.status).to.equal(200)
    const text = await (await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${ada.token}` } })).text()
    expect(text).to.match(/mail_attempts_total\{outcome="sent"\} 1/)
    expect(text).to.match(/notifications_total\{kind="task\.reminder"\} 1/)
  })

  it('tell of a failed task without a decision of its owner, and not after they turned it off', async () => {
    const fail = async (title: string): Promise<void> => {
      const stream = await ada.stream()
      const { status, body } = await ada.request('POST', '/api/tasks', { instruction: 'Count.', title, max_retries: 0 })
      expect(status, JSON.stringify(body)).to.equal(201)
      await stream.until(({ name, data }) => name === 'notification.created' && data['title'] === title)
      stream.close()
    }
    peer.forget()
    // No model is set up, so the run fails.
    await fail('Invoices')
    await peer.until(1)
    const [{ to, source } = { to: '', source: '' }] = peer.mails
    expect(to).to.equal('ada@example.org')
    expect(source).to.match(/^Subject: A task failed: Invoices\r$/m)
    expect(source.replaceAll(/=\r\n/g, '')).to.contain('A task failed').and.contain('/tasks/')
    await ada.request('PATCH', '/api/notifications/preferences', { kinds: { 'task.failed': { mail: false } } })
    await fail('Receipts')
    // What comes after it has come, so it has not.
    await ada.request('PATCH', '/api/notifications/preferences', { kinds: { 'task.failed': { mail: null } } })
    await fail('Letters')
    await peer.until(2)
    expect(peer.mails.map(({ source: each }) => /^Subject: (.*)\r$/m.exec(each)?.[1])).to.deep.equal([
      'A task failed: Invoices',
      'A task failed: Letters',
    ])
  })

  it('that are a test which fails say so with the code and status of the description', async () => {
    await peer.close()
    const { status, body } = await ada.request('POST', '/api/admin/mail/test')
    expect([status, body['code']]).to.deep.equal([502, 'mail_rejected'])
    expect(body['detail']).to.match(/^The mail server did not take the e-mail: The mail server cannot be reached: /)
  })
})
