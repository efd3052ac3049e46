import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, invalidRequestError, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { AuditFilter, AuditLog } from './audit-log.js'
import { type AuditRecord, auditKindPattern, auditKinds, auditSources } from './audit-records.js'

const textOrNull = Type.Union([Type.String(), Type.Null()])
const kindSchema = Type.String({
  pattern: auditKindPattern,
  maxLength: 60,
  description: `What happened: ${auditKinds.join(', ')}, or what plugins note.`,
})

const stateSchema = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'Without secrets: of one there is at most whether it is set.',
})

const auditEventSchema = Type.Object({
  id: Type.String(),
  at: Type.String(),
  kind: kindSchema,
  source: Type.Union([...auditSources.map((source) => Type.Literal(source)), Type.Null()], {
    description: 'A request, a command of `agent-service`, or the service by itself. Null in entries of earlier releases.',
  }),
  actor_id: textOrNull,
  session_id: Type.Union([Type.String(), Type.Null()], { description: 'Of the actor, where it was a session.' }),
  token_id: Type.Union([Type.String(), Type.Null()], { description: 'Of the actor, where it was a personal access token.' }),
  address: textOrNull,
  operation: Type.Union([Type.String(), Type.Null()], { description: 'The operation of this API, or the command.' }),
  request_id: Type.Union([Type.String(), Type.Null()], { description: 'As `X-Request-Id` and the log have it.' }),
  subject_id: Type.Union([Type.String(), Type.Null()], { description: 'Whose account it is about, or the id of what `kind` names.' }),
  before: stateSchema,
  after: stateSchema,
  details: Type.Record(Type.String(), Type.Unknown()),
})

const filterSchema = Type.Object({
  ...pageQuerySchema.properties,
  kind: Type.Optional(kindSchema),
  actor_id: Type.Optional(Type.String({ maxLength: 100, description: 'Who did it.' })),
  subject_id: Type.Optional(Type.String({ maxLength: 100, description: 'Whose account, or what, it is about.' })),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339, inclusive.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339, exclusive.' })),
})

/** The audit log for admins. */
export function createAuditRoutes({ audit }: { readonly audit: AuditLog }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/audit',
      operationId: 'listAuditEvents',
      summary: 'Security events, the latest first',
      description: 'Filtered by at most one of `kind`, `actor_id` and `subject_id`, and by time. Events are kept for a year.',
      tags: ['administration'],
      auth: 'admin',
      query: filterSchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(auditEventSchema) } },
      async handle({ query: { kind, actor_id, subject_id, from, to, ...page } }) {
        const chosen = (
          [
            ['by_kind', kind],
            ['by_actor', actor_id],
            ['by_subject', subject_id],
          ] as const
        ).flatMap(([index, value]) => (value === undefined ? [] : [{ index, value }]))
        if (chosen.length > 1) throw invalidQuery('/', 'may have one of kind, actor_id and subject_id')
        const filter: AuditFilter = {
          ...page,
          ...(chosen[0] ? { by: chosen[0] } : {}),
          ...(from === undefined ? {} : { from: momentOf(from, '/from') }),
          ...(to === undefined ? {} : { to: momentOf(to, '/to') }),
        }
        const events = await audit.list(filter)
        return ok({ items: events.items.map(shown), next_cursor: events.nextCursor ?? null })
      },
    }),
  ]
}

/** Entries of earlier releases know less. */
const shown = (event: AuditRecord) => ({
  ...{ source: null, session_id: null, token_id: null, operation: null, request_id: null, before: null, after: null },
  ...event,
})

/** A moment in the one spelling in which moments are stored. */
function momentOf(text: string, path: string): string {
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isMoment) throw invalidQuery(path, 'must be a moment such as 2026-11-21T10:00:00Z')
  return new Date(text).toISOString()
}

const invalidQuery = (path: string, message: string): Error =>
  invalidRequestError.create({ where: 'query' }, { problems: [{ path, message }] })
