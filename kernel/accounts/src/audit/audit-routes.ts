import { instant, named, namedObject, type Problem, periodProblems, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, invalidRequestError, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { AuditFilter, AuditLog } from './audit-log.js'
import { type AuditRecord, auditKindPattern, auditKinds, auditSources } from './audit-records.js'

const textOrNull = Type.Union([Type.String(), Type.Null()])
const kindSchema = Type.String({
  pattern: auditKindPattern,
  examples: ['session.started'],
  maxLength: 60,
  description: `The kind of event: ${auditKinds.join(', ')}, or a kind of a plugin.`,
})

const stateSchema = Type.Union([named('AuditState', Type.Record(Type.String(), Type.Unknown())), Type.Null()], {
  description: 'The state without secrets: for a secret, at most whether it is set. Null if there is none.',
})

const auditEventSchema = namedObject('AuditEntry', {
  id: Type.String(),
  at: Type.String(),
  kind: kindSchema,
  source: Type.Union([...auditSources.map((source) => Type.Literal(source)), Type.Null()], {
    description: 'A request, a command of `agent-service`, or the service itself. Null in entries of earlier releases.',
  }),
  actor_id: textOrNull,
  session_id: Type.Union([Type.String(), Type.Null()], { description: 'The session of the actor, if any.' }),
  token_id: Type.Union([Type.String(), Type.Null()], { description: 'The personal access token of the actor, if any.' }),
  address: textOrNull,
  operation: Type.Union([Type.String(), Type.Null()], { description: 'The operation id of the request, or the command.' }),
  request_id: Type.Union([Type.String(), Type.Null()], { description: 'The id of the request, as in `X-Request-Id` and in the log.' }),
  subject_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The account that the event is about, or the id of the object that `kind` names.',
  }),
  before: stateSchema,
  after: stateSchema,
  details: Type.Record(Type.String(), Type.Unknown()),
})

const filterSchema = Type.Object({
  ...pageQuerySchema.properties,
  kind: Type.Optional(kindSchema),
  actor_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only events caused by this account.' })),
  subject_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only events about this account or object.' })),
  from: Type.Optional(instant({ description: 'Start of the period, inclusive.' })),
  to: Type.Optional(instant({ description: 'End of the period, exclusive. Not before its start.' })),
})

/** The routes of the audit log, for administrators. */
export function createAuditRoutes({ audit }: { readonly audit: AuditLog }): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/audit',
      operationId: 'listAuditEvents',
      summary: 'List security events, the latest first',
      description:
        'Use at most one of the filters `kind`, `actor_id` and `subject_id`; the period can be combined with each. Events are kept for a year.',
      tags: ['administration'],
      auth: 'admin',
      query: filterSchema,
      answers: { 200: { description: 'One page of events.', schema: pageSchema(auditEventSchema) } },
      async handle({ query: { kind, actor_id, subject_id, from, to, ...page } }) {
        const chosen = (
          [
            ['by_kind', kind],
            ['by_actor', actor_id],
            ['by_subject', subject_id],
          ] as const
        ).flatMap(([index, value]) => (value === undefined ? [] : [{ index, value }]))
        if (chosen.length > 1) throw invalidQuery([{ path: '/', message: 'must have at most one of kind, actor_id and subject_id' }])
        const problems = periodProblems({ from, to })
        if (problems.length > 0) throw invalidQuery(problems)
        const filter: AuditFilter = {
          ...page,
          ...(chosen[0] ? { by: chosen[0] } : {}),
          ...(from === undefined ? {} : { from: storedTime(from) }),
          ...(to === undefined ? {} : { to: storedTime(to) }),
        }
        const events = await audit.list(filter)
        return ok({ items: events.items.map(shown), next_cursor: events.nextCursor ?? null })
      },
    }),
  ]
}

/** Fills the members that entries of earlier releases lack with null. */
const shown = (event: AuditRecord) => ({
  ...{ source: null, session_id: null, token_id: null, operation: null, request_id: null, before: null, after: null },
  ...event,
})

/** A time in the format in which times are stored. */
const storedTime = (text: string): string => new Date(text).toISOString()

const invalidQuery = (problems: readonly Problem[]): Error => invalidRequestError.create({ where: 'query' }, { problems })
