import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ChannelConnection, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { ChannelBench, ChannelBenchMessage, ChannelBenchSent } from '@agent-service/sdk/testing'
import { eventually } from '@agent-service/sdk/testing'
import { createEmailChannel } from '../channel.js'
import { conversationIdOf, idsIn, receivedIdOf, threadOf } from '../incoming/threads.js'
import { startFaultyProxy } from './faulty-proxy.js'
import type { MailServers } from './mail-servers.js'
import type { ArrivedMail } from './sink.js'

/** The time at which a bench's mails come; each a second after the one before. */
const begin = Date.UTC(2026, 8, 1)

/** The name with which the server of the tests vouches for senders. */
export const authservId = 'mx.town.example'

/** A mailbox of its own at the real servers, behind proxies that can misbehave. */
export async function createEmailBench(servers: MailServers): Promise<ChannelBench> {
  const unique = randomBytes(6).toString('hex')
  const [account, person] = [`agent-${unique}`, `ann-${unique}@people.example`]
  const [address, password] = [`${account}@town.example`, `canary-password-${unique}`]
  servers.addAccount(account, password)
  const imap = await startFaultyProxy('imap', servers.ports.imap)
  const smtp = await startFaultyProxy('smtp', servers.ports.smtp)
  const members = {
    ...{ address, name: 'The Agent', user: account, password, authserv_id: authservId },
    ...{ imap_host: '127.0.0.1', imap_port: imap.port, imap_security: 'none' },
    ...{ smtp_host: '127.0.0.1', smtp_port: smtp.port, smtp_security: 'none' },
  }
  const connection: ChannelConnection = { id: `connection-${unique}`, origin: 'system', members }
  const files = new Map<string, string>()
  const mails = new Map<string, { readonly source: string; readonly at: Date }>()
  let isShort = false
  let isRevoked = false
  let count = 0
  const limits = {
    ...{ readMs: 20_000, pollMs: 25, pollWithoutIdleMs: 25 },
    get answerMs() {
      return isShort ? 400 : 20_000
    },
    get sendMs() {
      return isShort ? 1_500 : 20_000
    },
  }
  const lines: string[] = []
  const note = (message: string, fields?: object): void => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`)
  const put = (id: string): string => {
    const { source, at } = mails.get(id) ?? { source: '', at: new Date() }
    const file = servers.store(account, source, at)
    files.set(file, id)
    return file
  }
  /** The files of mails that are marked as seen. */
  const seen = (): readonly string[] =>
    readdirSync(join(servers.folderOf(account), 'cur')).flatMap((name) => {
      const [file = '', flags = ''] = name.split(':2,')
      return flags.includes('S') ? [file.replace(/,.*$/, '')] : []
    })
  return {
    channel: createEmailChannel({
      limits,
      log: { debug: note, warn: note },
      clock: { now: () => Date.now(), wait: (milliseconds, { signal }) => wait(milliseconds, signal) },
    }),
    connection,
    wrong: { 'another password': { ...connection, members: { ...members, password: 'canary-another-password' } } },
    invalid: {
      'an address that is none': { ...connection, members: { ...members, address: 'no address' } },
      'a server that is none': { ...connection, members: { ...members, imap_host: 'https://mail.town.example' } },
      'a folder that is none': { ...connection, members: { ...members, mailbox: 'Nowhere' } },
      'no protection, of a user': { ...connection, origin: 'user' },
    },
    inward: {
      connection: { ...connection, origin: 'user', members: { ...members, imap_security: 'tls', smtp_security: 'tls' } },
      connections: () => imap.seen() + smtp.seen(),
    },
    async deliver(message) {
      count += 1
      const at = new Date(begin + count * 1_000)
      const { source, expected } = mailOf(message, { count, at, unique, address, person })
      mails.set(expected.id, { source, at })
      put(expected.id)
      return expected
    },
    async redeliver(id) {
      const file = put(id)
      // Mails are marked some time after they were stored.
      await eventually(() => seen().includes(file), { what: `the mark of the mail ${id}` })
    },
    acknowledged: () => seen().flatMap((file) => files.get(file) ?? []),
    async garble() {
      for (const source of [
        '',
        '\u0000\u0001 nothing',
        '\r\n\r\n',
        'From: <>\r\n\r\nno sender',
        'From: a@b.example, c@d.example\r\n\r\ntwo senders',
      ])
        servers.store(account, source, new Date(begin))
    },
    sent: () => distinct(servers.sink.arrived.filter(({ to }) => to === person)).map((arrived) => sentOf(arrived, address)),
    marks: 'not applicable',
    connections: () => imap.connections() + smtp.connections(),
    async drop() {
      imap.drop()
      smtp.drop()
    },
    async break(fault) {
      isShort = fault === 'silent' || fault === 'garbled'
      if (fault === 'rejecting') servers.sink.refusals.set(person, { code: 550, text: 'No such person here' })
      else if (fault === 'revoked') {
        isRevoked = true
        await servers.revoke(account)
        const [isOpen, before] = [imap.connections() > 0, imap.seen()]
        imap.drop()
        // A session signs in once more to learn why its connection has ended.
        if (isOpen) await eventually(() => imap.seen() !== before && imap.connections() === 0, { what: 'the last sign-in' })
      } else if (fault !== 'throttled' && fault !== 'redirecting') for (const proxy of [imap, smtp]) await proxy.break(fault)
    },
    async mend() {
      isShort = false
      servers.sink.refusals.delete(person)
      if (isRevoked) await servers.restore(account, password)
      for (const proxy of [imap, smtp]) await proxy.break(undefined)
    },
    lines: () => lines,
    async close() {
      await Promise.all([imap.close(), smtp.close()])
    },
  }
}

const wait = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  await setTimeout(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** Of several mails with one Message-ID people see one, where their server or their program knows it. */
const distinct = (arrived: readonly ArrivedMail[]): readonly ArrivedMail[] =>
  arrived.filter(({ mail }, index) => arrived.findIndex((other) => other.mail.messageId === mail.messageId) === index)

function sentOf({ to, mail }: ArrivedMail, address: string): ChannelBenchSent {
  const [root] = idsIn(mail.references)
  const files = mail.attachments.map(({ filename, content }) => ({ name: filename ?? '', bytes: new Uint8Array(content as ArrayBuffer) }))
  return {
    ...(mail.messageId !== undefined && { id: mail.messageId }),
    conversationId: conversationIdOf(
      to,
      threadOf({ own: undefined, inReplyTo: undefined, references: root === undefined ? [] : [root] }, address),
    ),
    text: (mail.text ?? '').replace(/\r\n/g, '\n').replace(/\n$/, ''),
    ...(files.length > 0 && { files }),
  }
}

/** A mail in the thread of the bench's first one. */
function mailOf(
  { text, by = 'person', attachments = [] }: ChannelBenchMessage,
  {
    count,
    at,
    unique,
    address,
    person,
  }: {
    readonly count: number
    readonly at: Date
    readonly unique: string
    readonly address: string
    readonly person: string
  },
): { readonly source: string; readonly expected: ChannelMessage } {
  const from = by === 'account' ? address : person
  const [own, root] = [`<mail-${count}.${unique}@people.example>`, `<root.${unique}@people.example>`]
  const date = at.toUTCString().replace('GMT', '+0000')
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')
  const body = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(Buffer.from(text))}\r\n`
  const parts = attachments.map(({ name, mediaType, bytes }) => {
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
    return `Content-Type: ${mediaType}\r\nContent-Disposition: ${disposition}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`
  })
  const content =
    parts.length === 0
      ? body
      : `Content-Type: multipart/mixed; boundary="b"\r\n\r\n${[body, ...parts].map((part) => `--b\r\n${part}`).join('')}--b--\r\n`
  const source = [
    `Authentication-Results: ${authservId}; dmarc=pass header.from=people.example`,
    `From: Ann <${from}>`,
    ...[`To: <${address}>`, `Date: ${date}`, `Message-ID: ${own}`, `References: ${root}`, 'MIME-Version: 1.0'],
    content,
  ].join('\r\n')
  const thread = threadOf({ own, inReplyTo: undefined, references: [root] }, address)
  return {
    source,
    expected: {
      id: receivedIdOf(own, [from, own, date, '']),
      conversation: { id: conversationIdOf(from, thread), kind: 'direct' },
      sender: { id: from, name: 'Ann', bot: false },
      ...{ text, at: at.getTime(), mentioned: true },
      ...(attachments.length > 0 && { attachments: attachments.map(({ name }) => ({ id: 'file', name })) }),
    },
  }
}
