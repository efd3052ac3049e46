import { expect } from 'chai'
import { letters } from './outbox/letters.js'
import { composeMail } from './smtp/compose.js'
import { type MailBench, openMailBench } from './testing/mail-bench.js'
import { type MailPeer, startMailPeer } from './testing/mail-peer.js'

const userId = 'user-1'
const by = { address: '192.0.2.7' }
const codeIn = (source: string): string | undefined => /CODE-\d{4}/.exec(source)?.[0]

describe('e-mail to confirmed addresses alone', function () {
  this.timeout(20_000)
  let peer: MailPeer
  let bench: MailBench

  beforeEach(async () => {
    peer = await startMailPeer()
    bench = await openMailBench({ port: peer.port })
  })
  afterEach(async () => {
    await bench.close()
    await peer.close()
  })

  it('sends none of 30 messages to an address that an account has only typed', async () => {
    bench.accounts.setEmail(userId, 'victim@example.org', { confirmed: false })
    const outcomes: string[] = []
    for (let number = 0; number < 30; number += 1) {
      const { outcome } = await bench.mail.send({ userId, key: `k${number}`, subject: 'Visit evil.example', text: 'Now.' })
      outcomes.push(outcome)
    }
    expect(new Set(outcomes)).to.deep.equal(new Set(['unconfirmed_address']))
    bench.accounts.setEmail(userId, 'victim@example.org')
    await bench.until(await bench.send('allowed'), 'sent')
    expect(peer.received).to.have.length(1)
  })

  it('looks again at the moment of sending', async () => {
    peer.behaviour.refuse = { code: 451, text: 'Later' }
    const id = await bench.send('a')
    await bench.until(id, 'pending', 1)
    bench.accounts.setEmail(userId, 'victim@example.org', { confirmed: false })
    peer.behaviour.refuse = undefined
    await bench.clock.advance(60_000)
    expect((await bench.until(id, 'failed')).error).to.equal('The e-mail address of the account is not confirmed.')
    expect(peer.received).to.have.length(0)
  })

  for (const email of [
    '<a@b.example>',
    'a@b.example, c@d.example',
    'a@b.example\u0000',
    'a@b.example\r\nRCPT TO:<c@d.example>',
    'a\u202E@b.example',
    'A@Example.org',
    '"a" <a@b.example>',
    'a@mailhost',
    '-a@b.example',
  ])
    it(`hands nothing over for ${JSON.stringify(email)}`, async () => {
      bench.accounts.setEmail(userId, email)
      expect((await bench.until(await bench.send('a'), 'failed')).error).to.include('not one e-mail address')
      expect(peer.received).to.have.length(0)
      const urls = { page: String, external: String }
      const mail = {
        subject: '',
        text: '',
        link: null,
        footer: null,
        unsubscribe_path: null,
        message_id: '<a@b>',
        created_at: '2026-01-01',
      }
      expect(() => composeMail(mail, { from: 'a@b.example', to: { name: null, email }, urls, language: 'en' })).to.throw(
        'not one e-mail address',
      )
    })

  it('sends a code to the typed address, with nothing that a person chose, and keeps none', async () => {
    bench.accounts.setEmail(userId, 'new@example.org', { confirmed: false })
    bench.unconfirmed = 'new@example.org'
    expect(await bench.letters.sendCode(userId, by)).to.equal('new@example.org')
    await peer.taken(1)
    const [{ to, source } = { to: [], source: '' }] = peer.received
    expect(to).to.deep.equal(['new@example.org'])
    expect(codeIn(source)).to.equal('CODE-0001')
    expect(source).to.include('there is nothing to do')
    expect(source).to.not.match(/\bada\b/i)
    expect([...source.matchAll(/https?:\/\/[^\s"<]+/g)].map(([url]) => url)).to.satisfy((urls: readonly string[]) =>
      urls.every((url) => url === 'https://service.example/profile'),
    )
  })

  it('writes in the language of the person as far as it speaks it, otherwise in English', async () => {
    bench.unconfirmed = 'new@example.org'
    bench.accounts.setLanguage(userId, 'de-AT')
    await bench.letters.sendCode(userId, by)
    await peer.taken(1)
    bench.accounts.setLanguage(userId, 'fr')
    await bench.letters.sendCode(userId, by)
    await peer.taken(2)
    const [german = '', english = ''] = peer.received.map(({ source }) => source)
    expect(german).to.include('Er gilt 30 Minuten.').and.include('<html lang=3D"de">')
    expect(codeIn(german)).to.equal('CODE-0001')
    expect(english).to.include('It is valid for 30 minutes.')
    expect(Object.keys(letters.de)).to.deep.equal(Object.keys(letters.en))
  })

  it('makes another code with each attempt, under another Message-ID, and stores none', async () => {
    bench.unconfirmed = 'new@example.org'
    peer.behaviour.drop = 'after'
    await bench.letters.sendCode(userId, by)
    await peer.taken(1)
    const waiting = await bench.waiting()
    expect(waiting).to.have.length(1)
    expect(JSON.stringify(waiting)).to.not.match(/CODE-/)
    const [{ id } = { id: '' }] = waiting
    await bench.until(id, 'unknown')
    peer.behaviour.drop = undefined
    await bench.clock.advance(60_000)
    const sent = await bench.until(id, 'sent')
    expect(sent).to.include({ to: null, text: '' })
    expect(peer.received.map(({ source }) => codeIn(source))).to.deep.equal(['CODE-0001', 'CODE-0002'])
    const ids = peer.received.map(({ source }) => /^Message-ID: (.*)\r$/im.exec(source)?.[1])
    expect(new Set(ids).size).to.equal(2)
    expect(bench.retried).to.deep.equal([false, true])
  })

  it('gives up a code half an hour after it was asked for, and makes none any more', async () => {
    bench.unconfirmed = 'new@example.org'
    peer.behaviour.refuse = { code: 451, text: 'Later' }
    await bench.letters.sendCode(userId, by)
    const [{ id } = { id: '' }] = await bench.waiting()
    // After 1, 2, 4, 8 minutes; the next would be in 16, after 31 in all.
    for (const [index, minutes] of [1, 2, 4, 8].entries()) {
      await bench.until(id, 'pending', index + 1)
      await bench.clock.advance(minutes * 60_000)
    }
    await bench.until(id, 'pending', 5)
    const asked = bench.retried.length
    peer.behaviour.refuse = undefined
    await bench.clock.advance(16 * 60_000)
    const { error } = await bench.until(id, 'failed')
    expect(error).to.include('half an hour').and.include('Later')
    expect(bench.retried).to.have.length(asked)
    expect(peer.received).to.have.length(0)
  })

  it('sends no code to an address that the account has no more', async () => {
    bench.unconfirmed = 'new@example.org'
    peer.behaviour.refuse = { code: 451, text: 'Later' }
    await bench.letters.sendCode(userId, by)
    const [{ id } = { id: '' }] = await bench.waiting()
    await bench.until(id, 'pending', 1)
    bench.unconfirmed = 'another@example.org'
    peer.behaviour.refuse = undefined
    await bench.clock.advance(60_000)
    expect((await bench.until(id, 'failed')).error).to.include('another e-mail address by now')
    expect(peer.received).to.have.length(0)
  })

  it('tells the earlier address that it was changed, without the new one, and sends a code to that', async () => {
    bench.unconfirmed = 'new@example.org'
    await bench.letters.follow({ userId, confirmedBefore: 'old@example.org', wantsCode: true })
    await peer.taken(2)
    const told = peer.received.find(({ to }) => to.includes('old@example.org'))
    expect(told?.source).to.match(/^Subject: The e-mail address of your account was changed\r$/m)
    expect(told?.source)
      .to.not.include('new@example.org')
      .and.not.to.match(/\bada\b/i)
    expect(codeIn(peer.received.find(({ to }) => to.includes('new@example.org'))?.source ?? '')).to.equal('CODE-0001')
  })
})
