import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type Static, Type, validate } from '@agent-service/sdk'

const text = Type.String({ maxLength: 20_000 })
const line = Type.String({ maxLength: 1_000 })
const orNull = <Schema extends typeof line | typeof text>(schema: Schema) => Type.Union([schema, Type.Null()])
const share = Type.Number({ minimum: 0, maximum: 1 })
const count = Type.Integer({ minimum: 0 })
const digests = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 500 })
const origin = Type.Union([Type.Literal('person'), Type.Literal('chat'), Type.Literal('tool')])
const kinds = ['fact', 'preference', 'event', 'commitment', 'opinion', 'question'] as const
const shownKinds = ['note', 'statement', 'playbook', 'summary'] as const
const common = { origin, sources: digests, buried: digests }
const time = Type.Union([Type.String({ maxLength: 40 }), Type.Null()])

const short = Type.Object({
  ...common,
  type: Type.Literal('short'),
  kind: Type.Union(kinds.map((kind) => Type.Literal(kind))),
  shown_kind: Type.Union(shownKinds.map((kind) => Type.Literal(kind))),
  title: orNull(line),
  page_id: orNull(line),
  last_seen_at: Type.String({ maxLength: 40 }),
  reinforcements: count,
  weight: share,
  lasting: Type.Boolean(),
  valid_from: time,
  valid_to: time,
  superseded_by: orNull(line),
  statement_id: orNull(line),
  keys: digests,
  about: Type.Optional(Type.Array(line, { maxItems: 10 })),
})
const page = Type.Object({
  ...common,
  type: Type.Literal('page'),
  title: line,
  class: line,
  aliases: Type.Array(line, { maxItems: 50 }),
  links: Type.Array(Type.Object({ relation: line, to: line }), { maxItems: 200 }),
})
const statement = Type.Object({
  ...common,
  type: Type.Literal('statement'),
  page_id: line,
  property: line,
  value: text,
  valid_from: time,
  valid_to: time,
  expired_at: time,
  superseded_by: orNull(line),
  confidence: share,
  disputes: orNull(line),
})
const playbook = Type.Object({
  ...common,
  type: Type.Literal('playbook'),
  title: line,
  when_to_use: line,
  successes: count,
  failures: count,
  last_used_at: time,
})

/** What this back end keeps in the neutral format beside it. */
export type MemoryDetails = Static<typeof short> | Static<typeof page> | Static<typeof statement> | Static<typeof playbook>

const schemas = { short, page, statement, playbook }

/** Digests that details have, as far as they hold: of what the memory said when it was exported, and of all it is not to become again. */
export function readDigests(details: JsonObject | undefined): { readonly own: readonly string[]; readonly all: readonly string[] } {
  const read = (name: string): readonly string[] => {
    const value: JsonValue | undefined = details?.[name]
    return value !== undefined && validate(digests, value).length === 0 ? (value as readonly string[]) : []
  }
  const own = read('digests')
  return { own, all: [...read('buried'), ...own, ...read('sources')] }
}

/** The details of this back end as they were exported; undefined if there are none, or others have changed them. */
export function readDetails(details: JsonObject | undefined): MemoryDetails | undefined {
  const type: JsonValue | undefined = details?.['type']
  if (type !== 'short' && type !== 'page' && type !== 'statement' && type !== 'playbook') return undefined
  const { digests: _, ...stored } = details ?? {}
  return validate(schemas[type], stored).length === 0 ? (stored as unknown as MemoryDetails) : undefined
}
