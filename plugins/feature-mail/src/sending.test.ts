import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type MailBench, openMailBench } from './testing/mail-bench.js'
import { type MailPeer, makeCertificate, startMailPeer } from './testing/mail-peer.js'

const minuteMs = 60_000

/** The header with this name, unfolded. */
const header = (source: string, name: string): string | undefined =>
  source
    .slice(0, source.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim()

describe('sending of e-mail', function () {
  this.timeout(20_000)
  let peer: MailPeer
  let bench: MailBench
  const begin = async (settings: object = {}, options: object = {}): Promise<void> => {
    bench = await openMailBench({ port: peer.port, ...settings }, options)
  }
  beforeEach(async () => {
    peer = await startMailPeer()
  })
  afterEach(async () => {
    await bench?.close()
    await peer.close()
  })

  it('hands over text, HTML and headers, once for each key, and forgets what it said', async () => {
    await begin()
    const link = { label: 'Open', path: '/tasks/1' }
    const more = { text: 'One.\n\n<b>Two</b> & "three"', link, footer: 'Why.', unsubscribePath: '/api/notifications/unsubscribe/t' }
    const id = await bench.send('a', more)
    expect(await bench.send('a')).to.equal(id)
    const { attempts, text, message_id, ended_at } = await bench.until(id, 'sent')
    expect({ attempts, text }).to.deep.equal({ attempts: 1, text: '' })
    expect(ended_at).to.not.equal(null)
    const [{ to, source } = { to: [], source: '' }] = peer.received
    expect(to).to.deep.equal(['ada@example.com'])
    expect(header(source, 'message-id')).to.equal(message_id)
    expect(header(source, 'subject')).to.equal('About a')
    expect(header(source, 'from')).to.equal('Agent Service <agents@example.org>')
    expect(header(source, 'auto-submitted')).to.equal('auto-generated')
    expect(header(source, 'list-unsubscribe')).to.equal('<https://service.example/api/notifications/unsubscribe/t>')
    expect(header(source, 'list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click')
    expect(source).to.include('multipart/alternative').and.to.include('&lt;b&gt;Two&lt;/b&gt; &amp; &quot;three&quot;')
    expect(source).to.include('Open: https://service.example/tasks/1')
  })

  it('lets no text become a header', async () => {
    await begin()
    const id = await bench.send('a', {
      subject: 'Hello\r\nBcc: eve@example.org\nX-Evil: yes\u202E',
      footer: 'a\r\n\r\nb',
      link: { label: 'x\r\nX-Evil: yes', path: '/a' },
    })
    await bench.until(id, 'sent')
    const { to = [], source = '' } = peer.received[0] ?? {}
    expect(to).to.deep.equal(['ada@example.com'])
    expect(header(source, 'bcc')).to.equal(undefined)
    expect(header(source, 'x-evil')).to.equal(undefined)
    expect(header(source, 'subject')).to.equal('Hello Bcc: eve@example.org X-Evil: yes')
  })

  it('tries again when the server asks for that, and gives up when it refuses', async () => {
    await begin()
    peer.behaviour.refuse = { code: 451, text: 'Greylisted, try again later' }
    const id = await bench.send('a')
    const first = await bench.until(id, 'pending', 1)
    expect(first.error).to.include('Greylisted')
    peer.behaviour.refuse = undefined
    await bench.clock.advance(minuteMs)
    expect((await bench.until(id, 'sent')).attempts).to.equal(2)
    peer.behaviour.refuse = { code: 550, text: 'No such user here' }
    const refused = await bench.until(await bench.send('b'), 'failed')
    expect(refused).to.include({ attempts: 1, due_at: null })
    expect(refused.error).to.include('No such user here')
  })

  it('gives up after two days', async () => {
    await begin()
    peer.behaviour.refuse = { code: 452, text: 'Mailbox full' }
    const id = await bench.send('a')
    for (let attempt = 1; attempt < 30; attempt += 1) {
      const { state } = await Promise.race([bench.until(id, 'pending', attempt), bench.until(id, 'failed')])
      if (state === 'failed') break
      await bench.clock.advance(4 * 60 * minuteMs)
    }
    expect((await bench.until(id, 'failed')).error)
      .to.include('two days')
      .and.to.include('Mailbox full')
  })

  it('sends again with the same Message-ID when the connection broke after the message', async () => {
    await begin()
    peer.behaviour.drop = 'after'
    const id = await bench.send('a')
    const { error } = await bench.until(id, 'unknown')
    expect(error).to.include('in the middle')
    peer.behaviour.drop = undefined
    await bench.clock.advance(minuteMs)
    await bench.until(id, 'sent')
    expect(peer.received).to.have.length(2)
    expect(new Set(peer.received.map(({ source }) => header(source, 'message-id'))).size).to.equal(1)
  })

  it('is known to be unknown after a crash in the middle, and goes on', async () => {
    await begin()
    let answer: () => void = () => undefined
    peer.behaviour.beforeAnswer = () => new Promise((resolve) => (answer = resolve))
    const id = await bench.send('a')
    await peer.taken(1)
    expect((await bench.stored(id)).state).to.equal('sending')
    peer.behaviour.beforeAnswer = undefined
    await bench.crash()
    answer()
    const sent = await bench.until(id, 'sent')
    expect(sent.attempts).to.equal(2)
    expect(new Set(peer.received.map(({ source }) => header(source, 'message-id'))).size).to.equal(1)
  })

  it('pauses while the server cannot be reached, without an attempt for each e-mail', async () => {
    const { port } = peer
    await peer.close()
    await begin({ port })
    const ids = [await bench.send('a'), await bench.send('b'), await bench.send('c')]
    await bench.until(ids[0] ?? '', 'pending')
    while (bench.engine.trouble() === undefined) await new Promise((resolve) => setImmediate(resolve))
    expect(bench.engine.trouble()?.reason).to.include('cannot be reached')
    const attempts = await Promise.all(ids.map(async (id) => (await bench.stored(id)).attempts))
    expect(attempts.reduce((sum, each) => sum + each, 0)).to.be.at.most(2)
    peer = await startMailPeer()
  })

  it('keeps few connections open for many e-mails, and the rates', async () => {
    await begin({ max_per_user_per_hour: 20 })
    const ids: string[] = []
    for (let number = 0; number < 25; number += 1) ids.push(await bench.send(`k${number}`))
    await peer.taken(20)
    for (const id of ids.slice(0, 20)) await bench.until(id, 'sent')
    expect(peer.mostConnections()).to.be.at.most(2)
    expect(peer.received).to.have.length(20)
    await bench.clock.advance(61 * minuteMs)
    await peer.taken(25)
    for (const id of ids) await bench.until(id, 'sent')
  })

  it('takes no more than 100 for a person who gets none', async () => {
    await begin()
    peer.behaviour.refuse = { code: 451, text: 'Later' }
    for (let number = 0; number < 100; number += 1) await bench.send(`k${number}`)
    const { outcome } = await bench.mail.send({ userId: 'user-1', key: 'more', subject: 'x', text: '' })
    expect(outcome).to.equal('too_many')
    expect((await bench.mail.send({ userId: 'nobody', key: 'x', subject: 'x', text: '' })).outcome).to.equal('no_address')
  })

  describe('with TLS', () => {
    let certificate: { readonly key: string; readonly cert: string }
    before(async () => {
      certificate = await makeCertificate()
    })

    for (const security of ['tls', 'starttls'] as const)
      it(`by ${security}: to a certificate that is trusted, and to no other`, async () => {
        await peer.close()
        peer = await startMailPeer({ ...certificate, secure: security === 'tls' })
        await begin({ security }, { ca: certificate.cert })
        await bench.until(await bench.send('a'), 'sent')
        await bench.close()
        await begin({ security })
        const id = await bench.send('b')
        while (bench.engine.trouble() === undefined) await new Promise((resolve) => setImmediate(resolve))
        expect(bench.engine.trouble()?.reason).to.match(/could not be protected.*(self-signed|certificate)/i)
        expect((await bench.stored(id)).state).to.equal('pending')
        expect(peer.received).to.have.length(1)
      })

    it('sends nothing, and no password, to a server without STARTTLS', async () => {
      await peer.close()
      const seen: string[] = []
      peer = await startMailPeer({
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: ({ username = '' }, _session, done) => {
          seen.push(username)
          done(null, { user: username })
        },
      })
      await begin({ security: 'starttls', user: 'agents', password: 'secret-password' })
      await bench.send('a')
      while (bench.engine.trouble() === undefined) await new Promise((resolve) => setImmediate(resolve))
      expect(bench.engine.trouble()?.reason).to.include('could not be protected')
      expect({ seen, received: peer.received.length }).to.deep.equal({ seen: [], received: 0 })
    })
  })

  it('signs in, and pauses when the server refuses that, without the password in the reason', async () => {
    await peer.close()
    peer = await startMailPeer({
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right-password' ? done(null, { user: username }) : done(Object.assign(new Error('Wrong'), { responseCode: 535 })),
    })
    await begin({ user: 'agents', password: 'right-password' })
    await bench.until(await bench.send('a'), 'sent')
    await bench.close()
    await begin({ user: 'agents', password: 'wrong-password' })
    await bench.send('b')
    while (bench.engine.trouble() === undefined) await new Promise((resolve) => setImmediate(resolve))
    expect(bench.engine.trouble()?.reason).to.include('sign-in failed').and.not.to.include('wrong-password')
  })

  it('ends the wait for a server that says nothing', async () => {
    const { createServer } = await import('node:net')
    const mute = createServer(() => undefined)
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    try {
      await begin({ port: (mute.address() as { readonly port: number }).port }, { times: { greetingTimeout: 50 } })
      await bench.send('a')
      await eventually(() => bench.engine.trouble())
      expect(bench.engine.trouble()?.reason).to.match(/greeting/i)
    } finally {
      await bench.close()
      await new Promise((resolve) => mute.close(resolve))
    }
  })
})
