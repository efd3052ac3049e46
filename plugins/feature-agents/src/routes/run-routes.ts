import { Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { presentRun, type Run, runCollection, runSchema } from '../store/runs/run.js'

const params = Type.Object({ run_id: idSchema })
const tags = ['runs']

/** The routes under `/api/runs`. */
export function createRunRoutes(dependencies: { readonly database: Database; readonly runs: RunManager }): readonly HttpRoute[] {
  const { runs } = dependencies
  const stored = dependencies.database.collection(runCollection)

  const owned = async (id: string, userId: string): Promise<Run> => ownDocument('run', await stored.get(id), userId)

  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}',
      operationId: 'getRun',
      summary: 'One run',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The run.', schema: runSchema } },
      handle: async (request) => ok(presentRun(await owned(request.params.run_id, ownerOf(request)))),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/cancel',
      operationId: 'cancelRun',
      summary: 'Stop a run',
      description:
        'Ends the model call and the tools, and answers when that is confirmed, within 10 seconds. A run that has ended stays as it is.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The run.', schema: runSchema } },
      async handle(request) {
        const run = await owned(request.params.run_id, ownerOf(request))
        return ok(presentRun(await runs.cancel(run.id, { signal: request.signal })))
      },
    }),
  ]
}
