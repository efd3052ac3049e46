import { type Static, Type } from '@agent-service/sdk'

/** Section `mail`. */
export const mailSection = Type.Object(
  {
    host: Type.Optional(
      Type.String({ description: 'Name or address of the mail server.', format: 'host', minLength: 1, examples: ['smtp.example.org'] }),
    ),
    port: Type.Integer({ description: 'Port of the mail server.', default: 587, minimum: 1, maximum: 65_535 }),
    security: Type.Union([Type.Literal('starttls'), Type.Literal('tls'), Type.Literal('none')], {
      description: 'How the connection is protected: starttls (ports 587 and 25), tls from the start (port 465), or none.',
      default: 'starttls',
    }),
    user: Type.Optional(Type.String({ description: 'User name at the mail server. Unset: it is used without signing in.', minLength: 1 })),
    password: Type.Optional(Type.String({ description: 'Password at the mail server.', 'x-secret': true })),
    from: Type.Optional(
      Type.String({
        description: 'Sender of the messages. A name with a comma or another special character stands in quotes.',
        minLength: 1,
        examples: ['Agent Service <agents@example.org>', '"Agents, House" <agents@example.org>'],
      }),
    ),
    ehlo_name: Type.Optional(
      Type.String({
        description: 'Host name with which the service greets the mail server (EHLO).',
        'x-default-text': 'host of server.base_url, else domain of mail.from',
        minLength: 1,
        maxLength: 255,
        examples: ['agents.example.org'],
      }),
    ),
    max_per_hour: Type.Integer({
      ...{ default: 500, minimum: 1, maximum: 1_000_000 },
      description: 'How many e-mails are sent in an hour; more wait.',
    }),
    max_per_user_per_hour: Type.Integer({
      ...{ default: 30, minimum: 1, maximum: 100_000 },
      description: 'How many e-mails one user gets in an hour; more wait.',
    }),
  },
  { title: 'Mail', description: 'The mail server (SMTP) that messages to people go through. Without host none are sent.' },
)

export type MailSettings = Static<typeof mailSection>
