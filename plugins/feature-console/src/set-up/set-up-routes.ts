import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Database } from '@agent-service/sdk/services/database'
import { changeProgress, progressChangeSchema, progressSchema, readProgress } from './set-up-progress.js'

/** The path of the progress. */
export const setUpPath = '/api/admin/set-up'
const tags = ['administration']

/** `/api/admin/set-up`: which steps after the first account are done, skipped or open. */
export function createSetUpRoutes({
  database,
  audit,
}: {
  readonly database: Database
  readonly audit: Pick<Audit, 'note'>
}): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: setUpPath,
      operationId: 'getSetUpProgress',
      summary: 'Which steps of the set-up are done',
      description: 'As the console and its administrators noted it. What is configured says more: connections, model groups, agents.',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'The steps.', schema: progressSchema } },
      handle: async () => ok({ ...(await readProgress(database)) }),
    }),
    defineRoute({
      method: 'PATCH',
      path: setUpPath,
      operationId: 'changeSetUpProgress',
      summary: 'Note that a step of the set-up is done, skipped or open again',
      tags,
      auth: 'admin',
      body: { kind: 'json', schema: progressChangeSchema },
      answers: { 200: { description: 'The steps.', schema: progressSchema } },
      async handle({ body }) {
        const { before, after } = await changeProgress(database, body)
        await audit.note({ kind: 'set_up.changed', before: { ...before }, after: { ...after } })
        return ok({ ...after })
      },
    }),
  ]
}
