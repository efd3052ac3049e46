import type { AuditEntry } from '@agent-service/kernel-core/audit'
import { actorOfRequest } from '@agent-service/kernel-core/audit'
import { configurationInvalidError } from '@agent-service/kernel-core/config'
import { examineInstallation, type InstallationOptions } from '@agent-service/kernel-core/installation'
import { type JsonObject, type Logger, type Problem, ServiceError, Type } from '@agent-service/sdk'
import { accepted, defineRoute, type HttpRoute, ok, requireConfirmedAdmin } from '@agent-service/sdk/contracts/http-route'
import type { ConfigurationEditor, ConfigurationPatch, RunningInstallation } from '../save/index.js'
import type { CurrentFile } from './describe-configuration.js'
import { restartRefusedError, revisionRequiredError } from './errors.js'
import { touchesGuarded } from './guarded-paths.js'

/** What the start hands over. */
export interface ConfigurationRoutesOptions {
  readonly installation: InstallationOptions
  readonly running: RunningInstallation
  readonly logger: Logger
  /** Remembers that these paths have been given values: a default that was chosen leaves no trace in the file. */
  readonly choose: (paths: readonly string[]) => Promise<void>
  /** Notes in the audit log what is about to happen; durable when it resolves. */
  readonly note: (entry: AuditEntry) => Promise<void>
}

/** The routes of the configuration, and the restart that they may ask for. */
export interface ConfigurationRoutes {
  readonly routes: readonly HttpRoute[]
  /** Resolves when someone has asked for a restart, before the answer is written. */
  readonly restartRequested: Promise<void>
}

const text = () => Type.String()
const problem = Type.Object({ path: text(), message: text() })
const locked = Type.Array(Type.Object({ path: text(), variable: text() }), {
  description: 'Paths that the environment sets: what the file says there takes effect once the variable is gone.',
})

const patchProperties = {
  set: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Values by dotted path (`models.primary.retry.max_retries`). A key with a dot or a quote stands in double quotes. A value that is the default is taken out of the file.',
    }),
  ),
  reset: Type.Optional(
    Type.Array(Type.String(), { description: 'Dotted paths that the file shall no longer say, so that the default holds.' }),
  ),
}

const configuration = Type.Object({
  revision: Type.String({ description: 'Of the file: what a change names as `If-Match`. Also the `ETag`.' }),
  values: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The effective values of the running service, nested like the file. A secret is `{is_set, source, reference?}`.',
  }),
  saved: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the file says now, as it is written there, secrets as in `values`; empty while it cannot be parsed.',
  }),
  references: Type.Record(Type.String(), Type.String(), {
    description: 'The `${NAME}` references that effective values were made from, by dotted path.',
  }),
  sources: Type.Record(Type.String(), Type.Union([Type.Literal('default'), Type.Literal('file'), Type.Literal('environment')]), {
    description: 'Where each effective value comes from, by dotted path.',
  }),
  locked,
  schema: Type.Record(Type.String(), Type.Unknown(), { description: 'The JSON Schema of the file.' }),
  restart_required: Type.Boolean({ description: 'Whether the next start would change an effective value.' }),
  pending: Type.Array(text(), { description: 'The dotted paths whose effective values the next start would change.' }),
  problems: Type.Array(problem, { description: 'What would stop the next start.' }),
})

/**
 * Seeing, changing and checking the configuration file, and the restart that makes a change
 * effective. For administrators; owned by the kernel. What explains, edits and saves is loaded by the
 * first request that needs it.
 */
export function openConfigurationRoutes(options: ConfigurationRoutesOptions): ConfigurationRoutes {
  const { installation, running, logger, choose, note } = options
  let requestRestart: () => void = () => undefined
  const restartRequested = new Promise<void>((resolve) => {
    requestRestart = resolve
  })
  let editor: Promise<ConfigurationEditor> | undefined
  const openEditor = (): Promise<ConfigurationEditor> =>
    (editor ??= import('../save/index.js').then((save) => save.createInstallationEditor(installation, running)))
  const routes = [
    defineRoute({
      method: 'GET',
      path: '/api/admin/config',
      operationId: 'getConfiguration',
      summary: 'The effective configuration, and what the file says',
      tags: ['administration'],
      auth: 'admin',
      answers: { 200: { description: 'Both, with the schema.', schema: configuration } },
      async handle() {
        // Only who asks pays for it: the start stays quick.
        const { describeConfiguration } = await import('./describe-configuration.js')
        const current = await readCurrent(await openEditor(), options)
        return { ...ok(describeConfiguration(running.examination, current)), headers: { etag: `"${current.revision}"` } }
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/admin/config',
      operationId: 'changeConfiguration',
      summary: 'Write changes into the file, for the next start',
      description:
        'What names `plugins.sources`, `server.static_dir`, `storage`, `database`, `sso.authority` or something around or in them needs a session that has confirmed who it is: 403 `confirmation_required`, and `session_required` for a token. A new `${NAME}` reference is taken in secret fields alone. Needs `If-Match` with the revision that the change was made against: 428 `revision_required` without it, 412 `stale_config` when the file has changed since. 422 `configuration_patch_invalid` with every path when the service would not start with the change. Nothing was written then.',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: Type.Object(patchProperties) },
      answers: {
        200: {
          description: 'The new revision.',
          schema: Type.Object({ revision: text(), restart_required: Type.Boolean(), locked }),
        },
      },
      async handle(request) {
        const { body, headers } = request
        const patch = body as ConfigurationPatch
        if (touchesGuarded(patch)) requireConfirmedAdmin(request.principal)
        const result = await (await openEditor()).save(patch, revisionOf(headers['if-match']), {
          announce: ({ before, after, ...details }) =>
            note({ kind: 'configuration.changed', actor: actorOfRequest(request), subjectId: null, before, after, details }),
        })
        await choose(Object.keys(patch.set ?? {}))
        const answer: JsonObject = {
          revision: result.revision,
          restart_required: true,
          locked: result.locked.map(({ path, variable }) => ({ path, variable })),
        }
        return { ...ok(answer), headers: { etag: `"${result.revision}"` } }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/config/check',
      operationId: 'checkConfiguration',
      changes: false,
      summary: 'Judge the configuration as the next start would; writes nothing',
      description:
        'With `set` and `reset` as a change has them, or `{}` for the file as it is. Of plugins that do not run yet only the manifests are read: what their rules ask for is checked when they start.',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: Type.Object(patchProperties) },
      answers: {
        200: {
          description: 'Everything that is wrong, and custom values that override a typed setting.',
          schema: Type.Object({
            problems: Type.Array(problem),
            warnings: Type.Array(text()),
            overlaps: Type.Array(
              Type.Object({
                path: Type.String({ description: 'Of the custom value.' }),
                typed: Type.String({ description: 'The typed setting, as it is written in the group.' }),
                custom: Type.String({ description: 'The custom value’s path below `extra_params`.' }),
              }),
            ),
          }),
        },
      },
      async handle({ body }) {
        const { problems, warnings, overlaps } = await (await openEditor()).check(body as ConfigurationPatch)
        return ok({
          problems: problems.map(({ path, message }) => ({ path, message })),
          warnings: [...warnings],
          overlaps: overlaps.map(({ path, typed, custom }) => ({ path, typed, custom })),
        })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/restart',
      operationId: 'restart',
      summary: 'Stop in order and start again, in the same process, with the configuration as it is saved now',
      description:
        'As at a stop, event streams end with a closing event that says when to come back, and what has begun may finish. 422 `restart_refused` with every path when the service would not start with what is saved.',
      tags: ['administration'],
      auth: 'admin',
      answers: { 202: { description: 'The service is about to restart.', schema: Type.Object({ status: Type.Literal('restarting') }) } },
      async handle(request) {
        const problems = await judgeStart(installation)
        if (problems.length > 0) throw restartRefusedError.create({}, { problems })
        await note({ kind: 'service.restart_requested', actor: actorOfRequest(request), subjectId: null })
        logger.info('A restart was asked for.')
        requestRestart()
        return accepted({ status: 'restarting' })
      },
    }),
  ]
  return { routes, restartRequested }
}

/** Reads file, environment and manifests again, as the next start would, and imports no code that does not run already. */
async function readCurrent(
  editor: ConfigurationEditor,
  { installation, running: { consent } }: ConfigurationRoutesOptions,
): Promise<CurrentFile> {
  const { revision, problems } = await editor.read()
  if (problems.length > 0) return { revision, problems }
  const { examination } = await examineInstallation(installation, { consent })
  return { revision, examination, problems: examination.problems }
}

/** The rules of plugins run here as they do at the start, which is about to come. */
async function judgeStart(installation: InstallationOptions): Promise<readonly Problem[]> {
  try {
    return (await examineInstallation(installation)).examination.problems
  } catch (error) {
    if (configurationInvalidError.isInstance(error) && ServiceError.isInstance(error)) return error.problems
    throw error
  }
}

/** The revision in an `If-Match`, quoted as an entity tag or bare. `*` names none. @throws `revision_required`. */
function revisionOf(header: string | undefined): string {
  const revision = header?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  if (revision === '' || revision === '*') throw revisionRequiredError.create({})
  return revision
}
