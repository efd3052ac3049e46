import { expect } from 'chai'
import { type OpenedPlugin, openPlugin } from './test-support/open-plugin.js'

describe('the link at the end of an e-mail', () => {
  let opened: OpenedPlugin
  let token: string
  beforeEach(async () => {
    opened = await openPlugin()
    await opened.host.request('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { mail: true } } } })
    await opened.send({ key: 'a' })
    token = opened.mail.sent[0]?.unsubscribePath?.split('/').at(-1) ?? ''
  })
  afterEach(() => opened.dispose())

  const call = async (method: 'GET' | 'POST', of: string, language = 'en') => {
    const headers = { 'accept-language': language }
    const answer = await opened.host.request(`${method} /api/notifications/unsubscribe/{token}`, {
      params: { token: of },
      headers,
      principal: null,
    })
    if (answer.kind !== 'bytes') throw new Error('There is no page.')
    return { status: answer.status, page: Buffer.from(answer.bytes).toString(), headers: answer.headers ?? {} }
  }
  const mails = async (key: string): Promise<number> => {
    await opened.send({ key })
    return opened.mail.sent.length
  }

  it('asks on GET, and acts on POST, for this kind of this person', async () => {
    const asked = await call('GET', token)
    expect(asked.status).to.equal(200)
    expect(asked.page).to.include('<form method="post">').and.to.include('“A task failed”')
    expect(asked.headers['content-security-policy']).to.include("default-src 'none'")
    expect(await mails('b'), 'after GET').to.equal(2)
    const done = await call('POST', token, 'de-AT')
    expect(done.page).to.include('Du bekommst keine E-Mails der Art „Eine Aufgabe ist gescheitert“ mehr.').and.not.to.include('<form')
    expect(await mails('c'), 'after POST').to.equal(2)
    expect((await call('POST', token)).status, 'again').to.equal(200)
  })

  it('is refused in any other form, without an effect', async () => {
    const [text = '', signature = ''] = token.split('.')
    const other = Buffer.from(JSON.stringify(['user-2', 'task.failed'])).toString('base64url')
    const wrong = [
      `${other}.${signature}`,
      text,
      `${text}.`,
      `${text}.${signature}.x`,
      `${text}.${signature.slice(1)}x`,
      'x'.repeat(1_000),
      '.',
    ]
    for (const each of wrong) expect((await call('POST', each)).status, each.slice(0, 60)).to.equal(404)
    expect(await mails('b')).to.equal(2)
  })
})
