import type { JsonObject } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, invalidRequestError, ok } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import {
  changeProgress,
  progressChangeSchema,
  progressSchema,
  readProgress,
  type SetUpChange,
  type SetUpProgress,
} from './set-up-progress.js'
import { progressOf, setUpSteps } from './set-up-steps.js'

/** The path of the progress. */
export const setUpPath = '/api/admin/set-up'
const tags = ['administration']

/** `/api/admin/set-up`: which steps after the first account are done, skipped or open. */
export function createSetUpRoutes({
  database,
  audit,
  contributions,
}: {
  readonly database: Database
  readonly audit: Pick<Audit, 'note'>
  readonly contributions: Pick<Contributions, 'list'>
}): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: setUpPath,
      operationId: 'getSetUpProgress',
      summary: 'Which steps of the set-up are done',
      description:
        'As the console and its administrators noted it, of the steps that there are now. What is configured says more: connections, model groups, agents.',
      tags,
      auth: 'admin',
      answers: { 200: { description: 'The steps.', schema: progressSchema } },
      handle: async () => ok(progressOf(setUpSteps(contributions), await readProgress(database))),
    }),
    defineRoute({
      method: 'PATCH',
      path: setUpPath,
      operationId: 'changeSetUpProgress',
      summary: 'Note that a step of the set-up is done, skipped or open again',
      description: 'The other steps stay as they are.',
      tags,
      auth: 'admin',
      body: { kind: 'json', schema: progressChangeSchema },
      answers: { 200: { description: 'The steps.', schema: progressSchema } },
      async handle({ body }) {
        const steps = setUpSteps(contributions)
        requireKnown(body, steps)
        const { before, after } = await changeProgress(database, body)
        await audit.note({ kind: 'set_up.changed', before: noted(progressOf(steps, before)), after: noted(progressOf(steps, after)) })
        return ok(progressOf(steps, after))
      },
    }),
  ]
}

/** @throws `invalid_request` for a step that there is not. */
function requireKnown({ steps = {} }: SetUpChange, known: readonly string[]): void {
  const problems = Object.keys(steps)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: '/steps', message: `has “${name}”, which is no step of the set-up: there are ${known.join(', ')}` }))
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
}

/** Step by step, so that the audit log shows which one changed. */
const noted = ({ steps, connection }: SetUpProgress): JsonObject => ({ ...steps, connection })
