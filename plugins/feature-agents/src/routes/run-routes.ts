import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { idSchema } from '../common/id-schema.js'
import { ownerOf } from '../common/owner.js'
import type { RunsWithin } from '../run-service/create-runs.js'
import { callsOf, runCallSchema } from '../run-service/run-calls.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import type { RunLog } from '../runs/log/run-log.js'
import { presentRun, runSchema } from '../store/runs/run.js'

const params = Type.Object({ run_id: idSchema })
const tags = ['runs']

/** The routes under `/api/runs`. */
export function createRunRoutes({
  runs,
  manager,
  log,
}: {
  readonly runs: Pick<RunsWithin, 'record' | 'end'>
  readonly manager: Pick<RunManager, 'liveOutput'>
  readonly log: Pick<RunLog, 'read'>
}): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}',
      operationId: 'getRun',
      summary: 'Get a run',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The run.', schema: runSchema } },
      handle: async (request) => ok(presentRun(await runs.record({ userId: ownerOf(request), runId: request.params.run_id }))),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/calls',
      operationId: 'listRunCalls',
      summary: 'Get the tool calls of a run',
      description:
        'When each began and ended, in the order of the model; the newest 200. A call in progress has the end of its output so far: `tool_call.delta` continues it.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: {
        200: { description: 'The calls.', schema: namedObject('RunCalls', { calls: Type.Array(runCallSchema) }) },
      },
      async handle(request) {
        const run = await runs.record({ userId: ownerOf(request), runId: request.params.run_id })
        return ok({ calls: [...callsOf(await log.read(run.id), (callId) => manager.liveOutput(run.id, callId))] })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/cancel',
      operationId: 'cancelRun',
      summary: 'Cancel a run',
      description:
        'Aborts the model call and the tools, and responds after the run has stopped, within 10 seconds. A run that has ended stays as it is.',
      tags,
      auth: 'user',
      params,
      answers: { 200: { description: 'The run.', schema: runSchema } },
      async handle(request) {
        const {
          signal,
          params: { run_id: runId },
        } = request
        return ok(presentRun(await runs.end({ userId: ownerOf(request), runId }, { signal })))
      },
    }),
  ]
}
