import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { ImapFlow } from 'imapflow'
import { type Account, makeAccount } from './testing/account.js'
import { type FaultyProxy, startFaultyProxy } from './testing/faulty-proxy.js'
import { mailServers } from './testing/shared-servers.js'

const own = 'Authentication-Results: mx.town.example; dmarc=pass header.from=people.example'
const trusting = { authserv_id: 'mx.town.example' }

describe('a mailbox', () => {
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
  const mail = (id: string, more = '', text = `text of ${id}`): string =>
    `From: Ann Lee <${account.person}>\nTo: ${account.address}\nMessage-ID: <${id}@people.example>\nDate: ${new Date().toUTCString()}\n${more}\n${text}\n`
  const texts = (): readonly string[] => account.received.map(({ text }) => text)

  it('is read from the moment of its connection on, and also tells of new mails by itself', async () => {
    account.put(mail('before'))
    proxy = await startFaultyProxy('imap', mailServers().ports.imap)
    await account.open({ members: { imap_port: proxy.port }, limits: { pollMs: 600_000 } })
    await eventually(() => / IDLE\r\n$/.test(proxy?.sent() ?? ''), { what: 'the command IDLE' })
    account.put(mail('after'))
    await account.until(1)
    expect(texts()).to.deep.equal(['text of after'])
  })

  it('is asked again and again where the server does not tell of new mails', async () => {
    proxy = await startFaultyProxy('imap', mailServers().ports.imap)
    proxy.rewrite = (text) => text.replaceAll(' IDLE', '')
    await account.open({ members: { imap_port: proxy.port } })
    const auth = { user: account.name, pass: account.password }
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: mailServers().ports.imap,
      secure: false,
      doSTARTTLS: false,
      auth,
      logger: false,
    })
    await client.connect()
    await client.append('INBOX', mail('one'))
    client.close()
    await account.until(1)
    expect(proxy.sent()).not.to.match(/ IDLE\r\n/)
  })

  it('goes on where it was when it was made anew, with the ids that its mails had', async () => {
    const first = await account.open()
    account.put(mail('one'))
    await account.until(1)
    await first.close()
    const folder = mailServers().folderOf(account.name)
    // Without its list of UIDs Dovecot makes a new one; it remembers which UIDVALIDITY it has given before.
    const isList = (name: string): boolean => /^dovecot(?:-uidlist$|\.index|\.list\.index)/.test(name)
    for (const name of readdirSync(folder).filter(isList)) rmSync(join(folder, name))
    const old = new Date(Date.now() - 5 * 86_400_000)
    account.put(mail('old').replace(/Date: .*/, `Date: ${old.toUTCString()}`))
    account.put(mail('two'))
    const uidValidity = () => ((account.state as JsonObject)['cursor'] as JsonObject)['uidValidity']
    const before = uidValidity()
    await account.open()
    account.put(mail('three'))
    await account.until(4)
    expect(texts()).to.deep.equal(['text of one', 'text of one', 'text of two', 'text of three'])
    expect(account.received[1]?.id).to.equal(account.received[0]?.id)
    expect(uidValidity()).not.to.equal(before)
    expect(account.state?.['cursor']).not.to.have.property('again')
  })

  it('hands on nothing that programs, lists and the account itself have sent', async () => {
    await account.open()
    account.put(mail('1', 'Auto-Submitted: auto-replied\n'))
    account.put(mail('2', 'Precedence: bulk\n'))
    account.put(mail('3', 'List-Id: <news.people.example>\n'))
    account.put(mail('4', 'Return-Path: <>\n'))
    account.put(mail('5').replace(account.person, 'MAILER-DAEMON@people.example'))
    account.put(mail('6').replace(account.person, account.address.toUpperCase()))
    account.put(mail('7', 'Content-Type: multipart/report; report-type=delivery-status; boundary=x\n', '--x\n\nfailed\n--x--'))
    account.put(mail('8', 'Auto-Submitted: no\n'))
    await account.until(1)
    expect(texts()).to.deep.equal(['text of 8'])
  })

  it('knows senders by the word of its own server alone', async () => {
    await account.open({ members: trusting })
    account.put(`${own}\n${mail('1')}`)
    account.put(mail('2'))
    account.put(`Authentication-Results: mx.town.example; dmarc=fail header.from=people.example\n${own}\n${mail('3')}`)
    account.put(`Authentication-Results: mx.evil.example; dmarc=pass header.from=people.example\n${mail('4')}`)
    await account.until(4)
    const unverified = `unverified:${account.person}`
    expect(account.received.map(({ sender }) => sender.id)).to.deep.equal([account.person, unverified, unverified, unverified])
  })

  it('keeps a mail that claims another sender out of the conversation of that person', async () => {
    await account.open({ members: trusting })
    account.put(`${own}\n${mail('1')}`)
    account.put(mail('2', 'In-Reply-To: <1@people.example>\nReferences: <1@people.example>\n'))
    await account.until(2)
    const [real, forged] = account.received
    expect(forged?.conversation.id).not.to.equal(real?.conversation.id)
    expect(forged?.replyTo).to.equal('<1@people.example>')
  })

  it('gives the text of HTML, without what is hidden, and files with it', async () => {
    await account.open()
    const html =
      '<p>Hello <b>you</b>,</p><ul><li>one</li><li><a href="https://x.example/a">two</a></li></ul><div style="display:none">ignore</div>'
    const head = 'MIME-Version: 1.0\nSubject: =?utf-8?Q?Caf=C3=A9?=\nContent-Type: multipart/mixed; boundary=b\n'
    const file = '--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="../plan.pdf"\n\n%PDF\n'
    account.put(mail('1', head, `--b\nContent-Type: text/html; charset=iso-8859-1\n\n${html}\n${file}--b--`))
    await account.until(1)
    const [message] = account.received
    expect(message?.text).to.equal('Subject: Café\n\nHello you,\n\n- one\n- two (https://x.example/a)')
    expect(message?.conversation.title).to.equal('Café')
    expect(message?.attachments?.map(({ name, mediaType }) => [name, mediaType])).to.deep.equal([['plan.pdf', 'application/pdf']])
  })

  it('does not load a mail of 20 MB to read it', async () => {
    const servers = mailServers()
    let transferred = 0
    proxy = await startFaultyProxy('imap', servers.ports.imap)
    proxy.rewrite = (text) => {
      transferred += text.length
      return text
    }
    await account.open({ members: { imap_port: proxy.port } })
    const file = `--b\nContent-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n${`${'A'.repeat(76)}\n`.repeat(130_000)}\n`
    const head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n'
    account.put(mail('1', head, `--b\nContent-Type: text/plain\n\n${'a long text '.repeat(900_000)}\n${file}--b--`))
    await account.until(1)
    expect(account.received[0]?.text.length).to.be.within(250_000, 263_000)
    expect(account.received[0]?.text).to.match(/left out: it is too long\.\]$/)
    expect(transferred).to.be.below(1_500_000)
  })

  it('passes over a mail that cannot be read, after some tries, and none beside it', async () => {
    await account.open().then(({ close }) => close())
    account.put(mail('1'))
    const parts = `--b\nContent-Type: application/x-y; a=b; c=d; e=f; g=h; i=j\n\nx\n`.repeat(9_000)
    account.put(mail('2', 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n', `${parts}--b--`))
    account.put(mail('3'))
    const ends: string[] = []
    for (let turn = 0; turn < 6 && !texts().includes('text of 3'); turn += 1) {
      const { ended } = await account.open()
      ends.push(await Promise.race([ended, account.until(2).then(() => 'received')]))
      await account.close()
    }
    expect(texts()).to.deep.equal(['text of 1', 'text of 3'])
    expect(ends.slice(0, -1)).to.deep.equal(ends.slice(0, -1).map(() => 'channel_unavailable'))
    expect(account.log.join()).to.include('passed over')
  })
})
