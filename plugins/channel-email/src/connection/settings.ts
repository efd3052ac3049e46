import { isIP } from 'node:net'
import type { JsonObject } from '@agent-service/sdk'
import { type ChannelConnection, channelConnectionInvalidError } from '@agent-service/sdk/contracts/channel'
import { emailAddress, isGreetingName } from '@agent-service/sdk/email-addresses'
import { addressOf, domainOf } from '../incoming/addresses.js'

/** How a connection to a server is protected. `none` only where the server's address is not public. */
export type Security = 'tls' | 'starttls' | 'none'

/** One of the two servers. */
export interface ServerSettings {
  readonly protocol: 'imap' | 'smtp'
  readonly host: string
  readonly port: number
  readonly security: Security
  readonly user: string
  readonly password: string
  /** Certificates that are trusted besides those of the system, as PEM. */
  readonly ca?: string
}

/** A connection's members, read. */
export interface EmailSettings {
  /** Of the account, in lower case. */
  readonly address: string
  /** What people see beside the address; may be empty. */
  readonly name: string
  readonly mailbox: string
  /** What this service calls itself to the SMTP server. */
  readonly ehloName: string
  /** The name under which our own server writes `Authentication-Results`. Absent: no sender is verified. */
  readonly authservId?: string
  readonly imap: ServerSettings
  readonly smtp: ServerSettings
}

const ports = { imap: { tls: 993, starttls: 143, none: 143 }, smtp: { tls: 465, starttls: 587, none: 587 } } as const

/** Reads the members. @throws `channel_connection_invalid` for what can be seen to be of no use. */
export function readSettings({ members, origin }: Pick<ChannelConnection, 'members' | 'origin'>): EmailSettings {
  const address = addressOf(emailAddress(textOf(members, 'address')))
  if (address === undefined) throw invalid('address', 'is no e-mail address. Give one such as help@town.example')
  const name = textOf(members, 'name')
  if (!isOneLine(name)) throw invalid('name', 'must be one line')
  const authservId = textOf(members, 'authserv_id').toLowerCase()
  const ca = textOf(members, 'ca')
  const ehloName = textOf(members, 'smtp_ehlo_name') || domainOf(address)
  if (!isGreetingName(ehloName))
    throw invalid('smtp_ehlo_name', 'must be a host name such as agents.town.example, or an IP address in brackets such as [192.0.2.1]')
  const server = (protocol: 'imap' | 'smtp'): ServerSettings => {
    const security = (members[`${protocol}_security`] ?? 'tls') as Security
    if (security === 'none' && origin === 'user')
      throw invalid(`${protocol}_security`, 'must be “tls” or “starttls”: the password would cross the network in plain text')
    const user = textOf(members, `${protocol}_user`) || textOf(members, 'user') || address
    const password = String(members[`${protocol}_password`] ?? members['password'] ?? '')
    if (!isOneLine(user)) throw invalid('user', 'must be one line')
    if (password === '' || !isOneLine(password)) throw invalid('password', 'must be one line, and not empty')
    const port = Number(members[`${protocol}_port`] ?? ports[protocol][security])
    return { protocol, host: hostOf(members, `${protocol}_host`), port, security, user, password, ...(ca !== '' && { ca }) }
  }
  return {
    ...{ address, name, ehloName, mailbox: textOf(members, 'mailbox') || 'INBOX' },
    ...(authservId !== '' && { authservId }),
    ...{ imap: server('imap'), smtp: server('smtp') },
  }
}

const textOf = (members: JsonObject, name: string): string => String(members[name] ?? '').trim()

const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)

function hostOf(members: JsonObject, member: string): string {
  const host = textOf(members, member).replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 || /^(?=.{1,253}$)[a-z\d](?:[a-z\d_.-]*[a-z\d])?\.?$/i.test(host)) return host
  throw invalid(member, 'is no name of a server. Give one such as mail.town.example, without a protocol and a port')
}

const invalid = (member: string, reason: string): Error => channelConnectionInvalidError.create({ member, reason })
