import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Database } from '@agent-service/sdk/services/database'
import { type MailStatus, mailRejectedError } from '@agent-service/sdk/services/mail'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { Urls } from '@agent-service/sdk/services/urls'
import { v7 as uuidv7 } from 'uuid'
import { mailUnavailableError } from '../common/errors.js'
import { type MailLanguage, mailLanguageOf } from '../common/mail-language.js'
import type { MailSettings } from '../common/mail-section.js'
import { unreachableAdmins } from '../common/unreachable-admins.js'
import type { MailEngine } from '../outbox/mail-engine.js'
import { composeMail } from '../smtp/compose.js'
import type { Mailer } from '../smtp/mailer.js'
import { outboxCollection, type StoredMail } from '../store/stored-mail.js'

const tags = ['mail']
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const mailSchema = namedObject('Mail', {
  id: Type.String(),
  user_id: Type.String(),
  subject: Type.String({ examples: ['Summarise the news'] }),
  state: Type.Union(
    ['pending', 'sending', 'unknown', 'sent', 'failed'].map((state) => Type.Literal(state)),
    { description: '`unknown`: whether the server has it is not known; it is sent again with the same Message-ID.' },
  ),
  attempts: Type.Integer({ minimum: 0 }),
  error: nullable('Why it was not sent yet, or not at all.'),
  due_at: nullable('When it is tried next.'),
  created_at: Type.String(),
  ended_at: nullable('When it was sent or given up.'),
})

const viewOf = ({ id, user_id, subject, state, attempts, error, due_at, created_at, ended_at }: StoredMail): JsonObject => ({
  ...{ id, user_id, subject, state, attempts, error, due_at, created_at, ended_at },
})

const statusSchema = namedObject('MailStatus', {
  available: Type.Boolean({ description: 'Whether a server and a sender are configured.' }),
  reason: nullable('Why not.'),
  host: nullable('The mail server.'),
  from: nullable('The sender.'),
  unreachable_admins: Type.Array(Type.String(), {
    description: 'Usernames of administrators whom no e-mail reaches, because they have no confirmed address.',
  }),
  paused: Type.Union([namedObject('MailPause', { reason: Type.String(), until: Type.String() }), Type.Null()], {
    description: 'Why nothing is tried at the moment, and until when.',
  }),
})

/** What administrators see and do. */
export function createMailRoutes(dependencies: {
  readonly database: Database
  readonly accounts: Pick<Accounts, 'contact' | 'admins'>
  readonly audit: Pick<Audit, 'note'>
  readonly urls: Pick<Urls, 'page' | 'external'>
  readonly settings: MailSettings
  readonly status: () => MailStatus
  readonly domain: string
  readonly mailer: Pick<Mailer, 'send' | 'explain'> | undefined
  readonly engine: Pick<MailEngine, 'trouble' | 'wake'> | undefined
  readonly tests: Limit
}): readonly HttpRoute[] {
  const { database, accounts, audit, urls, settings, status, domain, mailer, engine, tests } = dependencies
  const adminOf = ({ principal }: Pick<RouteRequest, 'principal'>): string => {
    if (!principal) throw new Error('A route that requires an administrator was called without a principal.')
    return principal.userId
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/mail',
      operationId: 'getMailStatus',
      summary: 'Say whether e-mail can be sent',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'The state.', schema: statusSchema } },
      async handle() {
        const now = status()
        const { host = null, from = null } = settings
        const reason = now.available ? null : now.reason
        const unreachable = await unreachableAdmins(accounts)
        return ok({ available: now.available, reason, host, from, unreachable_admins: unreachable, paused: engine?.trouble() ?? null })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/mail/messages',
      operationId: 'listMails',
      summary: 'List e-mails by what became of them, newest first',
      description: 'Without what they say and to which address they go.',
      tags,
      auth: 'admin',
      query: Type.Object({
        state: Type.Union(
          ['pending', 'sending', 'unknown', 'sent', 'failed'].map((state) => Type.Literal(state)),
          { default: 'failed' },
        ),
        ...pageQuerySchema.properties,
      }),
      answers: { 200: { description: 'One page.', schema: pageSchema(mailSchema) } },
      async handle(request) {
        const { state, ...query } = request.query as { readonly state: string; readonly limit?: number; readonly cursor?: string }
        const place = { index: 'by_state', equals: [state], order: 'descending' } as const
        const { items, next_cursor } = await pageOfIndex(database.collection(outboxCollection), place, query)
        return ok({ items: items.map(viewOf), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/mail/test',
      operationId: 'sendTestMail',
      summary: 'Send a test e-mail to the caller, at once',
      description: 'To the confirmed address of the caller’s account. The answer says what the mail server said.',
      tags,
      auth: 'admin',
      errors: [mailUnavailableError, mailRejectedError, invalidRequestError],
      answers: { 200: { description: 'The server has taken it.', schema: namedObject('MailTest', { to: Type.String() }) } },
      async handle(request) {
        const now = status()
        if (!now.available || !mailer || settings.from === undefined)
          throw mailUnavailableError.create({ reason: now.available ? '' : now.reason })
        const userId = adminOf(request)
        const contact = await accounts.contact(userId)
        if (!contact?.email) throw mailUnavailableError.create({ reason: noAddress(contact?.hasUnconfirmedEmail === true) })
        const hold = tests.take(`user:${userId}`)
        try {
          await audit.note({ kind: 'mail.tested', details: { host: settings.host ?? '' } })
          const language = mailLanguageOf(contact.language)
          const to = { name: contact.name, email: contact.email }
          const mail = composeMail(testMail(domain, language), { from: settings.from, urls, to, language })
          await mailer.send(mail)
          engine?.wake()
          return ok({ to: contact.email })
        } catch (error) {
          throw mailRejectedError.create({ reason: mailer.explain(error).reason }, { cause: error })
        } finally {
          hold.release()
        }
      },
    }),
  ]
}

const noAddress = (isUnconfirmed: boolean): string =>
  isUnconfirmed
    ? 'The address of your account is not confirmed. Send a code to it from your profile: that goes through the same server.'
    : 'Your account has no e-mail address.'

const testWords = {
  en: {
    subject: 'Test e-mail',
    text: 'E-mail from this service arrives.',
    link: { label: 'Open', path: '/' },
    footer: 'An administrator of this service has sent it.',
  },
  de: {
    subject: 'Test-E-Mail',
    text: 'E-Mails von diesem Dienst kommen an.',
    link: { label: 'Öffnen', path: '/' },
    footer: 'Ein Administrator dieses Dienstes hat sie gesendet.',
  },
}

const testMail = (domain: string, language: MailLanguage) => ({
  ...testWords[language],
  unsubscribe_path: null,
  ...{ message_id: `<${uuidv7()}@${domain}>`, created_at: new Date().toISOString() },
})
