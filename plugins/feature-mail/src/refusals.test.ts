import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createMailCheck } from './doctor.js'
import { rules } from './rules.js'
import { ehloNameOf } from './smtp/mailer.js'
import { type MailBench, openMailBench } from './testing/mail-bench.js'
import { startMailPeer } from './testing/mail-peer.js'
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.js'

const minuteMs = 60_000
const page = (base: string) => ({ page: (path: string) => `${base}${path}` })

describe('the name in EHLO', () => {
  for (const [what, settings, base, expected] of [
    ['the host of the pages', {}, 'https://agents.example.org:8443/house', 'agents.example.org'],
    ['the host of the pages in ASCII', {}, 'https://häuser.example', 'xn--huser-gra.example'],
    ['the domain of the sender where the pages have no full name', {}, 'http://localhost:3001', 'mail.example'],
    ['the domain of the sender where the pages have a name of a container', {}, 'http://agents:3001', 'mail.example'],
    ['the domain of the sender where the pages have an address', {}, 'http://192.168.1.5:3001', 'mail.example'],
    ['the domain of the sender where the pages have an address of IPv6', {}, 'http://[fd00::1]:3001', 'mail.example'],
    ['the setting before all others', { ehlo_name: 'relay.example' }, 'https://agents.example.org', 'relay.example'],
    ['left to the transport where no name is known', { from: 'agents@localhost' }, 'http://localhost:3001', undefined],
  ] as const)
    it(`is ${what}`, () => expect(ehloNameOf({ from: 'Agents <agents@mail.example>', ...settings }, page(base))).to.equal(expected))
})

describe('the settings of e-mail', () => {
  const problemsOf = (mail: object) =>
    rules.flatMap((rule) => rule({ mail: { host: 'h', from: 'a@b.example', ...mail } } as never, {} as never))

  for (const from of ['"Müller, Ada" <a@b.example>', '🤖 Agents <a@b.example>', 'Agents <a@münchen.example>', 'a@b.example'])
    it(`take the sender ${from}`, () => expect(problemsOf({ from })).to.deep.equal([]))
  for (const from of ['Müller, Ada <a@b.example>', 'a@b.example, c@d.example', '"A\r\nBcc: c@d.example" <a@b.example>', 'Agents'])
    it(`say how a sender is written instead of ${JSON.stringify(from)}`, () =>
      expect(problemsOf({ from })[0]).to.include({ path: 'mail.from' }).and.have.property('message').that.includes('stands in quotes'))
  for (const name of ['agents.example.org', 'AGENTS', '[192.0.2.1]', '[IPv6:2001:db8::1]'])
    it(`take ${name} for EHLO`, () => expect(problemsOf({ ehlo_name: name })).to.deep.equal([]))
  for (const name of ['a b', 'a\r\nMAIL FROM:<x@y>', '192.0.2.1]', '-a.example', 'a..b', 'https://agents.example.org', 'a_b.example'])
    it(`refuse ${JSON.stringify(name)} for EHLO`, () => expect(problemsOf({ ehlo_name: name })[0]).to.include({ path: 'mail.ehlo_name' }))
})

describe('what a mail server refuses', function () {
  this.timeout(20_000)
  let server: ScriptedServer
  let bench: MailBench
  const begin = async (settings: object = {}, options: object = {}): Promise<void> => {
    bench = await openMailBench({ port: server.port, ...settings }, options)
  }
  const trouble = async (): Promise<string> => {
    await eventually(() => bench.engine.trouble())
    return bench.engine.trouble()?.reason ?? ''
  }
  beforeEach(async () => {
    server = await startScriptedServer()
  })
  afterEach(async () => {
    await bench?.close()
    await server.close()
  })

  it('is not the greeting: it has a full name, also in the check of doctor', async () => {
    server.answer = (line) =>
      /^(?:EHLO|HELO) (?:\[127\.|\[::1|localhost|[^.[]+$)/i.test(line) ? '501 5.5.4 this name is not accepted' : undefined
    await begin()
    await bench.until(await bench.send('a'), 'sent')
    expect(server.lines[0]).to.equal('EHLO service.example')
    const settings = { host: '127.0.0.1', port: server.port, security: 'none', from: 'a@mail.example' } as never
    const { findings } = await createMailCheck(settings, page('http://localhost:3001')).run({ signal: new AbortController().signal })
    expect(findings.map(({ state }) => state)).to.deep.equal(['well'])
    expect(server.lines).to.include('EHLO mail.example')
  })

  for (const [at, answer] of [
    [/^(?:EHLO|HELO)/, '501 5.5.4 this name is not accepted'],
    [/^(?:EHLO|HELO)/, '550 5.7.1 bad name'],
    [/^(?:EHLO|HELO)/, '504 5.5.2 need fully-qualified hostname'],
    [/^(?:EHLO|HELO)/, '450 4.7.1 name not found'],
    [/^EHLO/, '421 4.7.0 Try again later, closing connection. (EHLO)'],
    [/^RCPT/, '504 5.5.2 <service.example>: Helo command rejected: need fully-qualified hostname'],
    [/^RCPT/, '450 4.7.1 <service.example>: Helo command rejected: Host not found'],
  ] as const)
    it(`keeps an e-mail if it is the greeting, at ${at}, and names the setting: ${answer}`, async () => {
      server.answer = (line) => (at.test(line) ? answer : undefined)
      await begin()
      const id = await bench.send('a')
      expect(await trouble())
        .to.include('EHLO service.example')
        .and.include(answer.slice(4))
        .and.include('mail.ehlo_name')
      expect((await bench.stored(id)).state).to.equal('pending')
      server.answer = () => undefined
      await bench.clock.advance(2 * minuteMs)
      await bench.until(id, 'sent')
      expect(server.messages).to.have.length(1)
    })

  for (const [at, answer, setting] of [
    [/^MAIL/, '530 5.7.0 Authentication required', 'mail.user'],
    [/^RCPT/, '554 5.7.1 <ada@example.com>: Relay access denied', 'mail.user'],
    [/^RCPT/, '550 5.7.57 Client was not authenticated to send mail', 'mail.user'],
    [/^RCPT/, "553 5.7.1 sorry, that domain isn't in my list of allowed rcpthosts", 'mail.user'],
    [/^RCPT/, '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', 'this machine'],
    [/^RCPT/, '550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]', 'this machine'],
    [/^\.$/, '550 5.7.25 The IP address sending this message does not have a PTR record setup', 'this machine'],
    [/^RCPT/, '550 5.1.0 <agents@example.org>: Sender address rejected: User unknown in virtual mailbox table', 'mail.from'],
    [/^MAIL/, '550 5.1.8 no such domain', 'mail.from'],
    [/^RCPT/, '553 5.7.1 <agents@example.org>: Sender address rejected: not owned by user ada', 'mail.from'],
    [/^\.$/, '554 5.2.252 SendAsDenied; ada@example.org not allowed to send as agents@example.org', 'mail.from'],
    [/^\.$/, '550 5.4.5 Daily user sending limit exceeded', 'no more for now'],
    [/^MAIL/, '421 4.3.2 too many connections', 'too many'],
    [/^MAIL/, '553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1', 'this machine'],
    [/^\.$/, '421 4.7.28 unusual rate', 'unusual rate'],
  ] as const)
    it(`keeps an e-mail if every other one would meet the same: ${answer}`, async () => {
      server.answer = (line) => (at.test(line) ? answer : undefined)
      await begin()
      const id = await bench.send('a')
      expect(await trouble()).to.include(setting)
      expect((await bench.stored(id)).state).to.equal('pending')
      server.answer = () => undefined
      await bench.clock.advance(2 * minuteMs)
      await bench.until(id, 'sent')
    })

  for (const [at, answer] of [
    [/^RCPT/, '550 5.1.1 no such user'],
    [/^RCPT/, '552 5.2.2 mailbox is full'],
    [/^RCPT/, '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table'],
    [/^RCPT/, '550 <helo@relay.example>: no such user here'],
    [/^RCPT/, '554 5.7.1 <ada@example.com>: Recipient address rejected: its owner has denied this sender'],
    [/^\.$/, '550 5.7.1 refused for authentication-required@relay.example'],
    [/^MAIL/, '552 5.3.4 message size exceeds the limit'],
    [/^\.$/, '554 5.7.1 this looks like spam'],
  ] as const)
    it(`ends one e-mail and no other: ${answer}`, async () => {
      server.answer = (line) => (at.test(line) ? answer : undefined)
      await begin()
      expect((await bench.until(await bench.send('a'), 'failed')).error).to.include(answer.slice(4))
      expect(bench.engine.trouble()).to.equal(undefined)
    })

  it('is tried again if it only asks to wait (greylisting)', async () => {
    server.answer = (line) => (/^RCPT/.test(line) ? '450 4.2.0 Greylisted' : undefined)
    await begin()
    const id = await bench.send('a')
    await bench.until(id, 'pending', 1)
    expect(bench.engine.trouble()).to.equal(undefined)
    server.answer = () => undefined
    await bench.clock.advance(minuteMs)
    await bench.until(id, 'sent')
  })

  it('is a sign-in with a password, where it takes tokens alone, and its words show no password', async () => {
    server.answer = (line) =>
      /^EHLO/.test(line)
        ? '250-relay.example.org\r\n250 AUTH XOAUTH2'
        : /^AUTH/.test(line)
          ? `504 5.5.4 Unrecognized authentication type: ${line}`
          : undefined
    await begin({ user: 'agents', password: 'secret-password' })
    await bench.send('a')
    const reason = await trouble()
    expect(reason).to.include('takes no user name with a password')
    expect(reason).to.not.include(Buffer.from('\0agents\0secret-password').toString('base64')).and.not.include('secret-password')
  })

  it('signs in by LOGIN where the server knows no other', async () => {
    server.answer = (line) =>
      /^EHLO/.test(line)
        ? '250-relay.example.org\r\n250 AUTH LOGIN'
        : /^AUTH LOGIN$/.test(line)
          ? '334 VXNlcm5hbWU6'
          : line === Buffer.from('agents').toString('base64')
            ? '334 UGFzc3dvcmQ6'
            : line === Buffer.from('secret').toString('base64')
              ? '235 2.7.0 signed in'
              : undefined
    await begin({ user: 'agents', password: 'secret' })
    await bench.until(await bench.send('a'), 'sent')
  })

  it('is a beginning without TLS, or with it: the setting that fits is named', async () => {
    await begin({ security: 'tls' })
    await bench.send('a')
    expect(await trouble()).to.include(`Port ${server.port} does not begin with TLS: set mail.security to starttls`)
    await bench.close()
    const tls = await startMailPeer({ secure: true })
    try {
      bench = await openMailBench({ port: tls.port, security: 'starttls' }, { times: { greetingTimeout: 50 } })
      await bench.send('b')
      expect(await trouble()).to.include('set mail.security to tls')
    } finally {
      await bench.close()
      await tls.close()
    }
  })

  it('is no greeting that a busy server ends', async () => {
    server.answer = (line) => (/^EHLO/.test(line) ? '421 4.3.2 too busy, try again later' : undefined)
    await begin()
    const id = await bench.send('a')
    expect(await trouble())
      .to.include('too busy')
      .and.not.include('mail.ehlo_name')
    expect((await bench.stored(id)).state).to.equal('pending')
  })

  it('is a handshake that does not end: nothing was handed over, and the setting is named', async () => {
    server.answer = (line) => (/^EHLO/.test(line) ? '250-relay.example.org\r\n250 STARTTLS' : undefined)
    await begin({ security: 'starttls' }, { times: { connectionTimeout: 200, socketTimeout: 200 } })
    const id = await bench.send('a')
    expect(await trouble())
      .to.include('TLS handshake')
      .and.include('mail.security')
    expect((await bench.stored(id)).state).to.equal('pending')
    expect(server.lines.filter((line) => /^(?:AUTH|MAIL)/.test(line))).to.deep.equal([])
  })

  it('is no connection that the server closed while it was idle', async () => {
    await begin()
    await bench.until(await bench.send('a'), 'sent')
    await server.hangUp()
    const id = await bench.send('b')
    // The transport may notice only when it uses the connection; then the e-mail is tried again.
    await eventually(async () => ['sent', 'unknown'].includes((await bench.stored(id)).state) || bench.engine.trouble() !== undefined)
    await bench.clock.advance(2 * minuteMs)
    await bench.until(id, 'sent')
    expect(server.messages).to.have.length(2)
  })

  it('never splits the sender, whatever its name has', async () => {
    await begin({ from: '"Müller, Ada <🤖>; x" <agents@münchen.example>' })
    await bench.until(await bench.send('a'), 'sent')
    expect(server.lines).to.include('MAIL FROM:<agents@xn--mnchen-3ya.example>')
    const from = /^From: (.*(?:\r\n[ \t].*)*)/m.exec(server.messages[0] ?? '')?.[1] ?? ''
    const words = [...from.matchAll(/=\?UTF-8\?Q\?([^?]*)\?=/gi)].map(([, text = '']) =>
      Buffer.from(
        text.replaceAll('_', ' ').replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      ).toString('utf8'),
    )
    expect(words.join('')).to.equal('Müller, Ada <🤖>; x')
    expect(from).to.match(/ <agents@xn--mnchen-3ya\.example>$/)
  })

  it('is no server that has an address of IPv6 alone', async () => {
    await server.close()
    server = await startScriptedServer({ address: '::1' })
    await begin({ host: '::1' })
    await bench.until(await bench.send('a'), 'sent')
  })
})
