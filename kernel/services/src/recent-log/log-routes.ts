import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok, pageCursorError, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import { logEntrySchema } from './log-entry.js'
import { followEntries, type LogSource, latestEntries } from './read-log.js'
import { logLevels } from './recent-lines.js'

const tags = ['administration']

const filters = {
  level: Type.Optional(
    Type.Union(
      logLevels.map((level) => Type.Literal(level)),
      { description: 'This level and those above it. Default: all.' },
    ),
  ),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 214, description: 'Only lines of this plugin or part of the service.' })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the message or of a field, in any case.' })),
}

const place = /^([0-9a-z]{1,20})-([0-9]{1,15})$/

/** The latest lines of the service's log, and those to come. For administrators. */
export function createLogRoutes(source: LogSource): readonly HttpRoute[] {
  const { lines } = source
  /** The number in an id; `undefined` if it is of another process. */
  const numberOf = (id: string): number | undefined => {
    const [, epoch, number] = place.exec(id) ?? []
    return epoch === lines.epoch ? Number(number) : undefined
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/logs',
      operationId: 'listLogEntries',
      summary: 'List the latest lines of the log, the latest first',
      description:
        'The last 5,000 lines (2 MiB at most) of the process that answers, since its start and from `server.log_level` up. Secrets were removed when the lines were written. Older lines are where the service writes its log.',
      tags,
      auth: 'admin',
      query: Type.Object({ ...pageQuerySchema.properties, ...filters }),
      answers: { 200: { description: 'One page.', schema: pageSchema(logEntrySchema) } },
      async handle({ query: { limit = 50, cursor, ...filter }, signal }) {
        const before = cursor === undefined ? undefined : numberOf(cursor)
        if (cursor !== undefined && before === undefined) throw pageCursorError.create({})
        const found = await latestEntries(source, filter, { limit, signal, ...(before === undefined ? {} : { before }) })
        return ok({
          items: found.entries.map((entry) => ({ ...entry })),
          next_cursor: found.before === undefined ? null : `${lines.epoch}-${found.before}`,
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/logs/stream',
      operationId: 'streamLogEntries',
      summary: 'Follow the log as server-sent events',
      description:
        'Events `lines` with `items`, which are `LogEntry`. An event `gap` says how many lines (`missed`) were dropped before a slow client read them; the log itself never waits. The stream begins now; with `Last-Event-ID` or `after` it continues behind that entry, and with one of an earlier process it begins with all kept lines.',
      tags,
      auth: 'admin',
      streaming: true,
      query: Type.Object({ ...filters, after: Type.Optional(Type.String({ maxLength: 40, description: 'The id of an entry.' })) }),
      answers: {
        200: {
          description: 'The stream.',
          contentType: 'text/event-stream',
          example:
            'id: mdc2x1-42\nevent: lines\ndata: {"items":[{"id":"mdc2x1-42","at":"2026-11-23T09:30:00.000Z","level":"info","source":"service","message":"The service is ready.","fields":{}}]}\n\n',
        },
      },
      async handle({ query: { after, ...filter }, headers, signal }) {
        const last = headers['last-event-id'] || after
        const from = last === undefined ? lines.newest() : (numberOf(last) ?? 0)
        return { status: 200, kind: 'events', events: followEntries(source, filter, { after: from, signal }) }
      },
    }),
  ]
}
