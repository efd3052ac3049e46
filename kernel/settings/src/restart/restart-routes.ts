import { type AuditNotes, actorOfRequest } from '@agent-service/kernel-core/audit'
import { configurationInvalidError } from '@agent-service/kernel-core/config'
import { type JsonObject, type Logger, namedObject, type Problem, ServiceError, Type } from '@agent-service/sdk'
import {
  accepted,
  confirmationRequiredError,
  defineRoute,
  type HttpRoute,
  ok,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import { examineInstallation, type InstallationOptions } from '../installation/index.js'
import { restartRefusedError } from './errors.js'
import type { Restarts, WorkUnderWay } from './restarts.js'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const work = namedObject('RestartWork', {
  calls: count('Tool calls that can neither be interrupted nor repeated, such as programs that agents run. A restart waits for them.'),
  requests: count('Other requests that are being answered, such as uploads. A restart waits for them.'),
  resumes: count('Answers that are being written. They go on by themselves after the restart.'),
  ends: count('Programs and terminals that end with the restart.'),
})

/** The routes by which admins restart the service in place. */
export function createRestartRoutes(options: {
  readonly restarts: Restarts
  readonly installation: InstallationOptions
  readonly logger: Logger
  /** A restart is noted before it begins. */
  readonly audit: AuditNotes
}): readonly HttpRoute[] {
  const { restarts, installation, logger, audit } = options
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/restart',
      operationId: 'getRestart',
      summary: 'Whether a restart in place was asked for, and what it would wait for and interrupt',
      tags: ['administration'],
      auth: 'admin',
      answers: {
        200: {
          description: 'The work under way, without this request.',
          schema: namedObject('RestartState', {
            status: Type.Union([Type.Literal('none'), Type.Literal('waiting'), Type.Literal('restarting')], {
              description: '`waiting`: a restart was asked for and begins as soon as what it waits for has ended.',
            }),
            work,
          }),
        },
      },
      handle: async () => ok({ status: restarts.status(), work: withoutCaller(restarts.work()) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/restart',
      operationId: 'restart',
      summary: 'Restart the service in the same process, with the saved configuration',
      description:
        'The port stays open: requests that come meanwhile are answered afterwards, and event streams end with a closing event (`restarting`) that says when to come back. Answers that are being written go on by themselves. The restart waits for tool calls that can neither be interrupted nor repeated and for requests that are being answered, up to `server.shutdown_timeout_secs`; `when=now`, also while it waits, does not. 422 `restart_refused` with every path if the service would not start with the saved configuration.',
      tags: ['administration'],
      auth: 'admin',
      query: Type.Object({
        when: Type.Optional(
          Type.Union([Type.Literal('quiet'), Type.Literal('now')], {
            description: '`quiet`, the default: once nothing is interrupted that cannot go on. `now`: at once.',
          }),
        ),
      }),
      errors: [restartRefusedError, sessionRequiredError, confirmationRequiredError],
      answers: {
        202: {
          description: 'The service is about to restart, or waits for what is under way.',
          schema: namedObject('Restarting', { status: Type.Union([Type.Literal('restarting'), Type.Literal('waiting')]), work }),
        },
      },
      async handle(request) {
        const problems = await checkStart(installation)
        if (problems.length > 0) throw restartRefusedError.create({}, { problems })
        const actor = actorOfRequest(request)
        const now = request.query.when === 'now'
        const before = withoutCaller(restarts.work())
        const status = restarts.status()
        if (status === 'none' || (status === 'waiting' && now)) {
          await audit.note({ kind: 'service.restart_requested', actor, subjectId: null, details: { when: now ? 'now' : 'quiet' } })
          logger.info(status === 'none' ? 'A restart was requested.' : 'A restart that waited was told to begin at once.')
        }
        restarts.request({ actor, now })
        const waits = !now && restarts.status() === 'waiting' && before.calls + before.requests > 0
        return accepted({ status: waits ? 'waiting' : 'restarting', work: before })
      },
    }),
  ]
}

/** The request that asks is one of those that are being answered. */
const withoutCaller = ({ calls, requests, resumes, ends }: WorkUnderWay): JsonObject & WorkUnderWay => ({
  calls,
  requests: Math.max(0, requests - 1),
  resumes,
  ends,
})

/** The problems of the next start. Runs the rules of plugins, as the imminent start will. */
async function checkStart(installation: InstallationOptions): Promise<readonly Problem[]> {
  try {
    return (await examineInstallation(installation)).examination.problems
  } catch (error) {
    if (configurationInvalidError.isInstance(error) && ServiceError.isInstance(error)) return error.problems
    throw error
  }
}
