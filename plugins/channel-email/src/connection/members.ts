import { Type } from '@agent-service/sdk'

const security = (title: string, ports: string) =>
  Type.Optional(
    Type.Union([Type.Literal('tls'), Type.Literal('starttls'), Type.Literal('none')], {
      title,
      description: `“tls” and “starttls” (${ports}) are verified. “none” is for a server in the local network, set up by an administrator.`,
      default: 'tls',
    }),
  )

const port = (title: string) => Type.Optional(Type.Integer({ title, description: 'Default: the usual one.', minimum: 1, maximum: 65_535 }))

const host = (title: string) => Type.String({ title, minLength: 1, maxLength: 255 })

const text = (title: string, description: string, maxLength = 320) => Type.Optional(Type.String({ title, description, maxLength }))

const secret = (title: string, description: string) =>
  Type.Optional(Type.String({ title, description, maxLength: 4_000, 'x-secret': true }))

/** The settings of a connection. */
export const members = Type.Object({
  address: Type.String({ title: 'E-mail address', description: 'People write to it.', minLength: 3, maxLength: 254 }),
  name: text('Name', 'What people see beside the address.', 100),
  user: text('Username', 'At the mail server. Default: the e-mail address.'),
  password: Type.String({
    title: 'Password',
    description: 'At the mail server. Where it has passwords for programs (“app passwords”), one of those.',
    minLength: 1,
    maxLength: 4_000,
    'x-secret': true,
  }),
  imap_host: host('IMAP server'),
  imap_port: port('IMAP port'),
  imap_security: security('IMAP protection', '993 and 143'),
  mailbox: text('Mailbox', 'The folder that is read. Default: INBOX.', 500),
  smtp_host: host('SMTP server'),
  smtp_port: port('SMTP port'),
  smtp_security: security('SMTP protection', '465 and 587'),
  smtp_ehlo_name: text('Name in EHLO', 'Host name with which the SMTP server is greeted. Default: the domain of the address.', 255),
  smtp_user: text('SMTP username', 'If it is another one.'),
  smtp_password: secret('SMTP password', 'If it is another one.'),
  authserv_id: text(
    'Name in Authentication-Results',
    'The name with which your mail server begins its own header Authentication-Results. Without it no sender is verified.',
    255,
  ),
  ca: text('Certificate authority', 'PEM, for servers whose certificates are not signed by a public one.', 100_000),
})
