import type { LoadedCode } from '../../composition/kernel-options.js'
import { type Prepared, prepare } from '../../composition/prepare.js'
import { type Line, styled } from '../../terminal/terminal.js'
import type { Outcome } from '../command-action.js'
import { exitStatus } from '../exit-status.js'
import { type Invocation, quietEnvironment } from '../invocation.js'
import { type DatabaseFindings, examineDatabase } from './examine-database.js'
import { checkKnownHoles } from './known-holes.js'
import { type PluginsRead, readPlugins } from './read-plugins.js'
import { type CheckFindings, linesOfCheck, runChecks } from './run-checks.js'
import { findRunningService, type RunningService } from './running-service.js'

interface Findings {
  readonly code: LoadedCode | undefined
  readonly prepared: Prepared
  readonly broken: PluginsRead['broken']
  /** It has migrated the database and decides by the policies: both are its own. */
  readonly running: RunningService | undefined
  /** Absent while the service runs. */
  readonly database: DatabaseFindings | undefined
  /** Of the service itself and of the plugins. */
  readonly checks: readonly CheckFindings[]
}

/**
 * Checks what can be checked without starting, and shows what a start would migrate. Changes no
 * file; works beside a running service, which it asks instead of opening its database.
 */
export async function examine(invocation: Invocation): Promise<Outcome> {
  const { installation, environment, workingDirectory } = invocation
  const prepared = await prepare({ ...installation, environment: quietEnvironment(environment), workingDirectory })
  try {
    const { collections, broken } = await readPlugins(prepared)
    const running = await findRunningService(invocation, prepared.configuration.database.path)
    const database = running === undefined ? await examineDatabase(invocation, prepared, collections) : undefined
    const checks = [...(await checkKnownHoles(installation)), ...(await runChecks(prepared))]
    return outcomeOf({ code: installation.code, prepared, broken, running, database, checks })
  } finally {
    prepared.log.flush()
  }
}

function outcomeOf(findings: Findings): Outcome {
  const { code, prepared, broken, running, database, checks } = findings
  const { file, warnings } = prepared.configuration
  const isWell =
    broken.length === 0 &&
    (running?.ready ?? true) &&
    database?.state !== 'unusable' &&
    database?.policies === undefined &&
    database?.writable !== false &&
    checks.every((check) => check.findings.every(({ state }) => state !== 'failed'))
  return {
    status: isWell ? exitStatus.done : exitStatus.failed,
    json: {
      configuration: file.path,
      warnings,
      code: code ?? null,
      invalid_plugins: broken.map(({ id }) => id),
      service: running ?? null,
      ...(database === undefined
        ? {}
        : {
            database: { state: database.state, writable: database.writable, problem: database.problem ?? null },
            policies: database.policies ?? 'usable',
            migrations: database.migrations,
            plugin_data: database.leftData,
          }),
      checks,
    },
    lines: [
      ...installationLines(findings),
      ...(running ? runningLines(running) : []),
      ...(database ? databaseLines(prepared, database) : []),
      ...checks.flatMap(linesOfCheck),
    ],
  }
}

function installationLines({ code, prepared, broken }: Findings): readonly Line[] {
  const { configuration, discovered } = prepared
  const { file, warnings } = configuration
  return [
    `Configuration  ${file.exists ? file.path : `all defaults (${file.path} does not exist)`}`,
    ...warnings.map((warning) => styled('yellow', `  ${warning}`)),
    ...(code ? [codeLine(code)] : []),
    `Plugins        ${discovered.length - broken.length} of ${discovered.length} are usable`,
    ...broken.map(({ id, reason }) => styled('red', `  ${id}: ${reason}`)),
  ]
}

const codeLine = (code: LoadedCode): Line =>
  code.from === 'bundle'
    ? 'Code           is loaded from the bundle'
    : styled('yellow', `Code           is loaded from single files: ${code.reason}. “npm run build” makes the bundle again`)

function runningLines({ pid, state, ready, url }: RunningService): readonly Line[] {
  if (!ready) return [styled('red', `Service        process ${pid} has the database open, but is ${state}`)]
  const where = url === null ? 'at a port that it chose itself, so it was not asked' : `at ${url} and is ready`
  return [`Service        runs as process ${pid} ${where}; its database is not examined`]
}

function databaseLines({ configuration }: Prepared, findings: DatabaseFindings): readonly Line[] {
  const { state, writable, problem, policies, migrations, leftData } = findings
  const { driver, path } = configuration.database
  const place = `Database       ${driver} at ${path}`
  if (state === 'unusable') return [styled('red', `${place}: cannot be used`), styled('red', `  ${problem}`)]
  return [
    state === 'absent'
      ? `${place}: does not exist yet; the first start creates it`
      : writable
        ? `${place}: opens, is writable`
        : styled('red', `${place}: opens, is not writable`),
    `Policies       ${policies === undefined ? 'are usable' : 'are not usable: everything is denied'}`,
    ...(policies === undefined ? [] : [styled('red', `  ${policies}`)]),
    `Migrations     ${migrations.length === 0 ? 'none' : ''}`.trimEnd(),
    ...migrations.map((step) => `  ${step.collection} ${step.from} → ${step.to}: ${step.description} (${step.documents} documents)`),
    ...leftData.map((text, index) => styled('yellow', index === 0 ? `Data left      ${text}` : `  ${text}`)),
  ]
}
