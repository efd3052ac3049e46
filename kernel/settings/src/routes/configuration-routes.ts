import { type AuditNotes, actorOfRequest } from '@agent-service/kernel-core/audit'
import { isHarmlessAt, parsePath, type SchemaNode } from '@agent-service/kernel-core/config'
import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import {
  confirmationRequiredError,
  defineRoute,
  type HttpRoute,
  ok,
  requireConfirmedAdmin,
  sessionRequiredError,
} from '@agent-service/sdk/contracts/http-route'
import { examineInstallation, type InstallationOptions } from '../installation/index.js'
import { configurationBusyError, configurationNotWritableError, configurationPatchInvalidError, staleConfigError } from '../save/errors.js'
import type { ConfigurationEditor, ConfigurationPatch, RunningInstallation } from '../save/index.js'
import type { CurrentFile } from './describe-configuration.js'
import { revisionRequiredError } from './errors.js'

/** The options of the routes. */
export interface ConfigurationRoutesOptions {
  readonly installation: InstallationOptions
  readonly running: RunningInstallation
  /** Remembers that these paths were set: a chosen default leaves no trace in the file. */
  readonly choose: (paths: readonly string[]) => Promise<void>
  /** Changes are noted before they take effect. */
  readonly audit: AuditNotes
}

const text = () => Type.String()
const problem = namedObject('ConfigurationProblem', { path: text(), message: text() })
const locked = Type.Array(namedObject('LockedPath', { path: text(), variable: text() }), {
  description: 'Paths that the environment sets: the values in the file take effect once the variable is unset.',
})

const patchProperties = {
  set: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Values by dotted path (`models.primary.retry.max_retries`). A key with a dot or a quote is written in double quotes. A value that equals the default is removed from the file.',
    }),
  ),
  reset: Type.Optional(Type.Array(Type.String(), { description: 'Dotted paths to remove from the file, so that the defaults apply.' })),
}

const configuration = namedObject('Configuration', {
  revision: Type.String({ description: 'The revision of the file, for the `If-Match` of a change. Also the `ETag`.' }),
  file: Type.String({ description: 'The path of the file. It may not exist yet.' }),
  values: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The effective values of the running service, nested like the file. A secret is `{is_set, source, reference?}`.',
  }),
  saved: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'The current values in the file, as they are written there, secrets as in `values`; empty while the file cannot be parsed.',
  }),
  lines: Type.Record(Type.String(), Type.Integer(), {
    description: 'The lines of the current values in the file, by dotted path; empty while the file cannot be parsed.',
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
  problems: Type.Array(problem, { description: 'Problems that would prevent the next start.' }),
})

/**
 * Routes for reading, changing and checking the configuration file. For admins; owned by the kernel. The code that explains, edits and saves is
 * loaded by the first request that needs it.
 */
export function openConfigurationRoutes(options: ConfigurationRoutesOptions): readonly HttpRoute[] {
  const { installation, running, choose, audit } = options
  let editor: Promise<ConfigurationEditor> | undefined
  const openEditor = (): Promise<ConfigurationEditor> =>
    (editor ??= import('../save/index.js').then((save) => save.createInstallationEditor(installation, running)))
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/config',
      operationId: 'getConfiguration',
      summary: 'The effective configuration and the values in the file',
      tags: ['administration'],
      auth: 'admin',
      answers: { 200: { description: 'Both, with the schema.', schema: configuration } },
      async handle() {
        // Loaded on demand, to keep the start fast.
        const { describeConfiguration } = await import('./describe-configuration.js')
        const current = await readCurrent(await openEditor(), options)
        return { ...ok(describeConfiguration(running.examination, current)), headers: { etag: `"${current.revision}"` } }
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/admin/config',
      operationId: 'changeConfiguration',
      summary: 'Save changes to the file, for the next start',
      description:
        'A change of anything that the schema does not mark as harmless (`x-harmless`) needs a confirmed session: 403 `confirmation_required`, and `session_required` for a token. New `${NAME}` references are accepted only in secret fields. Needs `If-Match` with the revision that the change is based on: 428 `revision_required` without it, 412 `stale_config` if the file has changed since. 422 `configuration_patch_invalid` with every path if the service would not start with the change; then nothing is written.',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: Type.Object(patchProperties) },
      errors: [
        revisionRequiredError,
        staleConfigError,
        configurationPatchInvalidError,
        configurationBusyError,
        configurationNotWritableError,
        sessionRequiredError,
        confirmationRequiredError,
      ],
      answers: {
        200: {
          description: 'The new revision.',
          schema: namedObject('SavedConfiguration', { revision: text(), restart_required: Type.Boolean(), locked }),
        },
      },
      async handle(request) {
        const { body, headers } = request
        const patch = body as ConfigurationPatch
        if (!isHarmlessPatch(patch, running.examination.schema)) requireConfirmedAdmin(request.principal)
        const result = await (await openEditor()).save(patch, revisionOf(headers['if-match']), {
          announce: ({ before, after, ...details }) =>
            audit.note({ kind: 'configuration.changed', actor: actorOfRequest(request), subjectId: null, before, after, details }),
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
      summary: 'Check the configuration as the next start would, without saving',
      description:
        'With `set` and `reset` of a change, or `{}` for the file as it is. For plugins that are not running yet, only the manifests are read: their rules are checked when they start.',
      tags: ['administration'],
      auth: 'admin',
      body: { kind: 'json', schema: Type.Object(patchProperties) },
      answers: {
        200: {
          description: 'Every problem, and the custom values that override a typed setting.',
          schema: namedObject('ConfigurationCheck', {
            problems: Type.Array(problem),
            warnings: Type.Array(text()),
            overlaps: Type.Array(
              namedObject('ConfigurationOverlap', {
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
  ]
}

/**
 * Whether a patch sets and resets only what the schema calls harmless: anything else decides what
 * code runs, where data goes or what people may do, and needs a person in a confirmed session.
 * Ignores a text that is not a path; the save refuses it.
 */
const isHarmlessPatch = ({ set = {}, reset = [] }: ConfigurationPatch, schema: SchemaNode): boolean =>
  [...Object.keys(set), ...reset].every((text) => {
    const path = parsePath(text)
    return path === undefined || isHarmlessAt(schema, path)
  })

/**
 * Reads file, environment and manifests again, as the next start would. Imports only code that is
 * already running.
 */
async function readCurrent(
  editor: ConfigurationEditor,
  { installation, running: { consent } }: ConfigurationRoutesOptions,
): Promise<CurrentFile> {
  const { revision, problems } = await editor.read()
  if (problems.length > 0) return { revision, problems }
  const { examination } = await examineInstallation(installation, { consent })
  return { revision, examination, problems: examination.problems }
}

/**
 * The revision in an `If-Match`, quoted as an entity tag or bare. `*` is refused. @throws
 * `revision_required`.
 */
function revisionOf(header: string | undefined): string {
  const revision = header?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  if (revision === '' || revision === '*') throw revisionRequiredError.create({})
  return revision
}
