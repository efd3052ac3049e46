import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { definePlugin, type JsonObject, type Plugin, Type } from '@agent-service/sdk'
import { defineRoute, httpRoutes, ok } from '@agent-service/sdk/contracts/http-route'
import { databaseService } from '@agent-service/sdk/services/database'
import { eventsService } from '@agent-service/sdk/services/events'

/**
 * When the process of the reader kills itself: at which event, before or behind its line in the
 * journal.
 */
export interface KillPlan {
  readonly n: number
  readonly moment: 'before' | 'behind'
}

/** One line of the journal: an event that was handled. */
export interface JournalEntry {
  readonly n: number
  readonly userId: string
  readonly id: string
}

const noted = { description: 'A number was noted.', schema: Type.Object({ n: Type.Integer() }) }

/** Records events of its own type, one commit each, for the caller. */
export const eventWriter = (): Plugin =>
  definePlugin({
    manifest: { id: 'event-writer', apiVersion: 1, contributes: ['http.route'], events: { 'event-writer.noted': noted } },
    setup(context) {
      const database = context.use(databaseService)
      const events = context.use(eventsService)
      const record = (userId: string, name: string, data: JsonObject): Promise<void> =>
        database.transaction(async (transaction) => events.record(transaction, { userId, name, data }))
      const route = (
        operation: string,
        bodySchema: Parameters<typeof Type.Object>[0],
        work: (userId: string, body: JsonObject) => Promise<void>,
      ) =>
        context.contribute(
          httpRoutes,
          defineRoute({
            method: 'POST',
            path: `/api/plugins/event-writer/${operation}`,
            operationId: operation === 'notes' ? 'eventWriterNote' : 'eventWriterNoteWrongly',
            summary: 'Records events',
            auth: 'user',
            body: { kind: 'json', schema: Type.Object(bodySchema) },
            answers: { 200: { description: 'It did.', schema: Type.Object({ done: Type.Boolean() }) } },
            async handle({ principal, body }) {
              await work(principal?.userId ?? '', body as JsonObject)
              return ok({ done: true })
            },
          }),
        )
      route('notes', { from: Type.Integer(), count: Type.Integer() }, async (userId, { from, count }) => {
        for (let n = Number(from); n < Number(from) + Number(count); n += 1) await record(userId, 'event-writer.noted', { n })
      })
      route('wrong', { name: Type.String(), n: Type.String() }, (userId, { name, n }) => record(userId, String(name), { n: n ?? null }))
    },
  })

/**
 * Writes each event of the writer to a journal, and dies as the file `plan.json` of its folder
 * says.
 */
export const eventReader = ({ folder }: { readonly folder: string }): Plugin =>
  definePlugin({
    manifest: { id: 'event-reader', apiVersion: 1 },
    async setup(context) {
      const plan = path.join(folder, 'plan.json')
      const dieAt = (n: number, moment: KillPlan['moment']): void => {
        if (!existsSync(plan)) return
        const planned = JSON.parse(readFileSync(plan, 'utf8')) as KillPlan
        if (planned.n !== n || planned.moment !== moment) return
        rmSync(plan)
        process.kill(process.pid, 'SIGKILL')
      }
      await context.use(eventsService).subscribe({
        id: 'journal',
        names: ['event-writer.noted'],
        async handle(event) {
          if (event.kind === 'gap') throw new Error('There is no reason for a gap.')
          const n = Number(event.data['n'])
          dieAt(n, 'before')
          const entry: JournalEntry = { n, userId: event.userId, id: event.id }
          appendFileSync(path.join(folder, 'journal.jsonl'), `${JSON.stringify(entry)}\n`)
          dieAt(n, 'behind')
        },
      })
    },
  })
