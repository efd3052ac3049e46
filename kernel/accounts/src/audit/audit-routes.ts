import { instant, named, namedObject, type Problem, periodProblems, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, invalidRequestError, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { AuditFilter, AuditLog } from './audit-log.js'
import { auditOutcomes, outcomeOf } from './audit-outcome.js'
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
  outcome: Type.Union(
    auditOutcomes.map((outcome) => Type.Literal(outcome)),
    { description: 'Whether it took place. `failed`: it was refused, or went wrong.' },
  ),
  actor_id: textOrNull,
  actor_name: Type.Union([Type.String(), Type.Null()], { description: 'The username now; null if there is no such account.' }),
  session_id: Type.Union([Type.String(), Type.Null()], { description: 'The session of the actor, if any.' }),
  token_id: Type.Union([Type.String(), Type.Null()], { description: 'The personal access token of the actor, if any.' }),
  address: textOrNull,
  operation: Type.Union([Type.String(), Type.Null()], { description: 'The operation id of the request, or the command.' }),
  request_id: Type.Union([Type.String(), Type.Null()], { description: 'The id of the request, as in `X-Request-Id` and in the log.' }),
  subject_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The account that the event is about, or the id of the object that `kind` names.',
  }),
  subject_name: Type.Union([Type.String(), Type.Null()], { description: 'The username now, if the event is about an account.' }),
  before: stateSchema,
  after: stateSchema,
  details: Type.Record(Type.String(), Type.Unknown()),
})

const filterSchema = Type.Object({
  ...pageQuerySchema.properties,
  kind: Type.Optional(kindSchema),
  actor_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only events caused by this account.' })),
  subject_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only events about this account or object.' })),
  outcome: Type.Optional(Type.Union(auditOutcomes.map((outcome) => Type.Literal(outcome)))),
  from: Type.Optional(instant({ description: 'Start of the period, inclusive.' })),
  to: Type.Optional(instant({ description: 'End of the period, exclusive. Not before its start.' })),
})

/** The routes of the audit log, for administrators. */
export function createAuditRoutes(dependencies: {
  readonly audit: AuditLog
  /** The present username of an account. */
  readonly usernameOf: (userId: string) => Promise<string | undefined>
}): readonly HttpRoute[] {
  const { audit, usernameOf } = dependencies
  const namesOf = async (events: readonly AuditRecord[]): Promise<ReadonlyMap<string, string>> => {
    const ids = new Set(events.flatMap(({ actor_id, subject_id }) => [actor_id, subject_id]))
    const found = await Promise.all(
      [...ids].map(async (id) => [id, id !== null && isUuid.test(id) ? await usernameOf(id) : undefined] as const),
    )
    return new Map(found.flatMap(([id, name]) => (id === null || name === undefined ? [] : [[id, name] as const])))
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/audit',
      operationId: 'listAuditEvents',
      summary: 'List security events, the latest first',
      description:
        'Filters can be combined. With more than one of `kind`, `actor_id`, `subject_id` and `outcome`, or `outcome` alone, a page may have fewer events than its limit, or none, while `next_cursor` leads to more. Events are kept for a year.',
      tags: ['administration'],
      auth: 'admin',
      query: filterSchema,
      answers: { 200: { description: 'One page of events.', schema: pageSchema(auditEventSchema) } },
      async handle({ query: { actor_id, subject_id, from, to, ...page } }) {
        const problems = periodProblems({ from, to })
        if (problems.length > 0) throw invalidQuery(problems)
        const filter: AuditFilter = {
          ...page,
          ...(actor_id === undefined ? {} : { actorId: actor_id }),
          ...(subject_id === undefined ? {} : { subjectId: subject_id }),
          ...(from === undefined ? {} : { from: storedTime(from) }),
          ...(to === undefined ? {} : { to: storedTime(to) }),
        }
        const events = await audit.list(filter)
        const names = await namesOf(events.items)
        return ok({ items: events.items.map((event) => shown(event, names)), next_cursor: events.nextCursor ?? null })
      },
    }),
  ]
}

/** Fills the members that entries of earlier releases lack with null, and adds what they mean. */
const shown = (event: AuditRecord, names: ReadonlyMap<string, string>) => ({
  ...{ source: null, session_id: null, token_id: null, operation: null, request_id: null, before: null, after: null },
  ...event,
  outcome: outcomeOf(event),
  actor_name: names.get(event.actor_id ?? '') ?? null,
  subject_name: names.get(event.subject_id ?? '') ?? null,
})

/** Ids of accounts are UUIDs; other subjects need no look-up. */
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A time in the format in which times are stored. */
const storedTime = (text: string): string => new Date(text).toISOString()

const invalidQuery = (problems: readonly Problem[]): Error => invalidRequestError.create({ where: 'query' }, { problems })
