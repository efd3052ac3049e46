import { channels } from '@agent-service/sdk/contracts/channel'
import { createTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import PostalMime from 'postal-mime'
import plugin from './index.js'
import { type Account, codeOf, makeAccount, type Open } from './testing/account.js'
import { type FaultyProxy, startFaultyProxy } from './testing/faulty-proxy.js'
import { mailServers } from './testing/shared-servers.js'

describe('an answer by e-mail', () => {
  let account: Account
  let proxy: FaultyProxy | undefined
  beforeEach(() => {
    account = makeAccount()
  })
  afterEach(async () => {
    await account.close()
    await proxy?.close()
    proxy = undefined
  })
  const { signal } = new AbortController()
  const arrived = () => mailServers().sink.arrived.filter(({ to }) => to === account.person)
  const question = (id: string, more = '', text = 'What time is it?') =>
    account.put(`From: Ann <${account.person}>\nMessage-ID: <${id}@people.example>\nSubject: The time\n${more}\n${text}\n`)
  const opened = async (options?: Parameters<Account['open']>[0]): Promise<Open & { readonly conversationId: string }> => {
    const open = await account.open(options)
    question('root')
    await account.until(1)
    return { ...open, conversationId: account.received[0]?.conversation.id ?? '' }
  }

  it('stands in the thread, is marked as automatic, and what answers it belongs to the same conversation', async () => {
    const { session, conversationId } = await opened()
    const { id } = await session.send(
      account.delivery(conversationId, 'It is **noon**. <b>x</b> <b id="y">z</b> ![p](https://evil.example/?secret)'),
      {
        signal,
      },
    )
    const [answer] = arrived()
    const header = (name: string) => answer?.mail.headers.find(({ key }) => key === name)?.value
    expect(header('message-id')).to.equal(id)
    expect([header('in-reply-to'), header('references')]).to.deep.equal(['<root@people.example>', '<root@people.example>'])
    expect([header('auto-submitted'), header('x-auto-response-suppress')]).to.deep.equal(['auto-replied', 'All'])
    expect([answer?.mail.subject, answer?.mail.from]).to.deep.equal(['Re: The time', { address: account.address, name: 'The Agent' }])
    expect(answer?.mail.html).to.include('<strong>noon</strong>').and.include('<b>x</b>').and.include('&lt;b id=').and.not.include('<img')
    // A program that keeps nothing of the thread but the last mail.
    question(
      '2',
      `In-Reply-To: ${id}\n`,
      `Thanks!\n\nOn Monday, 7 December 2026, The Agent <${account.address}>\nwrote:\n> It is **noon**.`,
    )
    await account.until(2)
    const second = account.received[1]
    expect([second?.conversation.id, second?.text, second?.replyTo]).to.deep.equal([conversationId, 'Thanks!', id])
    await session.send(account.delivery(conversationId, 'Welcome.'), { signal })
    expect(arrived()[1]?.mail.references).to.equal('<root@people.example> <2@people.example>'.replace('<root@people.example>', id ?? ''))
  })

  it('has a Message-ID of its delivery: a mail that was sent twice is the same twice', async () => {
    proxy = await startFaultyProxy('smtp', mailServers().ports.smtp)
    const { session, conversationId, close } = await opened({ members: { smtp_port: proxy.port } })
    await proxy.break('losing')
    const delivery = account.delivery(conversationId, 'once or twice')
    expect(await codeOf(session.send(delivery, { signal }))).to.equal('channel_outcome_unknown')
    await proxy.break(undefined)
    await close()
    const { session: other } = await account.open()
    const { id } = await other.send(delivery, { signal })
    // What e-mail cannot do: the server took both. Programs that know the Message-ID show one.
    expect(arrived().map(({ mail }) => mail.messageId)).to.deep.equal([id, id])
    await other.send(delivery, { signal })
    expect(arrived().length).to.equal(2)
  })

  it('is tried again when the server says so, and refused when it says no', async () => {
    const { session, conversationId } = await opened()
    const { putOff, sink } = mailServers()
    const { refusals } = sink
    putOff(true)
    expect(await codeOf(session.send(account.delivery(conversationId, 'a'), { signal }))).to.equal('channel_unavailable')
    putOff(false)
    refusals.set(account.person, { code: 552, text: '5.2.2 Mailbox full' })
    expect(await codeOf(session.send(account.delivery(conversationId, 'b'), { signal }))).to.equal('channel_rejected')
    refusals.delete(account.person)
    await session.send(account.delivery(conversationId, 'c'), { signal })
    expect(arrived().map(({ mail }) => mail.text?.trim())).to.deep.equal(['c'])
  })

  it('goes to the sender alone, whatever the mail says about where to answer', async () => {
    const { session } = await account.open()
    question('1', 'Reply-To: victim@people.example\nCc: other@people.example\n')
    await account.until(1)
    await session.send(account.delivery(account.received[0]?.conversation.id ?? '', 'to you'), { signal })
    expect(arrived().map(({ mail }) => [mail.to?.map(({ address }) => address), mail.cc])).to.deep.equal([[[account.person], undefined]])
  })

  it('is refused for the id of no conversation', async () => {
    const { session } = await opened()
    for (const id of ['', 'nobody', `${account.person}/x`, 'a@b.example\r\nBcc: c@d.example/0123456789abcdef0123'])
      expect(await codeOf(session.send(account.delivery(id, 'a'), { signal }))).to.equal('channel_rejected')
  })

  it('comes through the real servers from one account to another', async () => {
    const other = makeAccount()
    const { session } = await other.open()
    const { session: mine, conversationId } = await opened()
    await mine.send(account.delivery(conversationId, 'an answer'), { signal })
    const source = arrived()[0]?.source ?? ''
    expect((await PostalMime.parse(source)).headers.some(({ key }) => key === 'received')).to.equal(true)
    // Agents do not answer each other: their mails are marked.
    other.put(source)
    other.put(`From: Bob <${account.person}>\nMessage-ID: <b@people.example>\n\nhello\n`)
    await other.until(1)
    expect(other.received.map(({ text }) => text)).to.deep.equal(['hello'])
    expect(session.account.id).to.equal(other.address)
    await other.close()
  })
})

describe('the connection to mail servers', () => {
  let account: Account
  let proxy: FaultyProxy | undefined
  beforeEach(() => {
    account = makeAccount()
  })
  afterEach(async () => {
    await account.close()
    await proxy?.close()
    proxy = undefined
  })

  it('is protected from its beginning, or by STARTTLS, with certificates that are verified', async () => {
    const { ports, ca } = mailServers()
    const tls = { imap_port: ports.imaps, imap_security: 'tls', smtp_port: ports.smtps, smtp_security: 'tls' }
    const starttls = { imap_security: 'starttls', smtp_security: 'starttls' }
    for (const members of [tls, starttls]) {
      const { session } = await account.open({ members: { ...members, imap_host: 'localhost', smtp_host: 'localhost', ca } })
      expect(session.account.id).to.equal(account.address)
      expect(await codeOf(account.open({ members }))).to.equal('channel_unavailable')
    }
  })

  for (const protocol of ['imap', 'smtp'] as const)
    it(`is refused where the certificate of ${protocol} is for another name`, async () => {
      const { ports, ca } = mailServers()
      proxy = await startFaultyProxy(protocol, ports[`${protocol}s`], '127.0.0.2')
      const members = { [`${protocol}_host`]: '127.0.0.2', [`${protocol}_port`]: proxy.port, [`${protocol}_security`]: 'tls', ca }
      const error = await account.open({ members }).catch((reason: unknown) => reason as Error)
      expect(error).to.include({ code: 'channel_unavailable' })
      expect((error as Error).message).to.include('could not be protected')
    })

  for (const protocol of ['imap', 'smtp'] as const)
    it(`does not give the password to a server of ${protocol} from whose answer STARTTLS was removed`, async () => {
      const { ports, ca } = mailServers()
      proxy = await startFaultyProxy(protocol, ports[protocol])
      proxy.rewrite = (text) => text.replaceAll('STARTTLS', 'NOTHING').replace(/^220 TLS/, '502 no')
      const members = { [`${protocol}_port`]: proxy.port, [`${protocol}_security`]: 'starttls', ca }
      expect(await codeOf(account.open({ members }))).to.equal('channel_unavailable')
      expect(proxy.sent()).not.to.match(/LOGIN|AUTH(?:ENTICATE)? /i)
      expect(proxy.seen()).to.equal(1)
    })

  it('leads users to public servers alone, and only with protection', async () => {
    const secure = { imap_security: 'tls', smtp_security: 'tls' }
    for (const members of [{}, secure, { ...secure, imap_host: 'localhost' }, { ...secure, imap_host: '169.254.169.254' }])
      expect(await codeOf(account.open({ members, origin: 'user' }))).to.equal('channel_connection_invalid')
    expect(await codeOf(account.open({ members: { imap_host: '169.254.169.254' } }))).to.equal('channel_connection_invalid')
    expect(await codeOf(account.open({ members: { imap_host: '192.0.2.1.example.invalid.' } }))).to.equal('channel_unavailable')
  })
})

it('contributes the channel', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  expect(test.contributed(channels).map(({ id }) => id)).to.deep.equal(['email'])
  await test.dispose()
})
