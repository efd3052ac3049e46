import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import type { MigrationStep } from '@agent-service/kernel-core/database'
import { redactError } from '@agent-service/kernel-core/log'
import { unreadSources } from '@agent-service/kernel-core/plugins'
import { createDisposableScope } from '@agent-service/sdk/host'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { composeKernel, openServices, openStore } from '../../composition/composition-root.js'
import type { Prepared } from '../../composition/prepare.js'
import { kernelCollections, storePhaseToken } from '../../composition/store-phase.js'
import { pluginDataDeletionsToken, pluginDataToken } from '../../composition/tokens.js'
import { goneDataLines } from '../../plugin-data/index.js'
import { type Invocation, quietEnvironment } from '../invocation.js'
import { copyData } from './copied-data.js'

/** What was found about the database. */
export interface DatabaseFindings {
  /** `absent`: the first start creates it. */
  readonly state: 'absent' | 'usable' | 'unusable'
  readonly writable: boolean
  /** Why it cannot be used. */
  readonly problem?: string
  /** Why the policies cannot decide; `undefined` if they can. */
  readonly policies?: string
  /** What a start would migrate. */
  readonly migrations: readonly MigrationStep[]
  /** Plugins that are gone and have data of users, each with what can be done. */
  readonly leftData: readonly string[]
}

/**
 * Examines the database of a service that does not run, on a copy: nothing in the data folder
 * changes, and no lock is taken.
 */
export async function examineDatabase(
  invocation: Invocation,
  prepared: Prepared,
  collections: readonly CollectionDefinition[],
): Promise<DatabaseFindings> {
  const { path } = prepared.configuration.database
  const isThere = existsSync(path)
  const writable =
    !isThere ||
    (await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ))
  try {
    return { state: isThere ? 'usable' : 'absent', writable, ...(await examineCopy(invocation, prepared, collections)) }
  } catch (error) {
    const { message } = redactError(error, prepared.redactor) as Error
    return { state: 'unusable', writable, problem: message, migrations: [], leftData: [] }
  }
}

async function examineCopy(
  invocation: Invocation,
  prepared: Prepared,
  collections: readonly CollectionDefinition[],
): Promise<Pick<DatabaseFindings, 'policies' | 'migrations' | 'leftData'>> {
  const copy = await copyData(prepared)
  const scope = createDisposableScope({ name: 'doctor' })
  try {
    const { installation, environment, workingDirectory } = invocation
    const container = composeKernel({ ...installation, environment: quietEnvironment(environment), workingDirectory }, copy.prepared, scope)
    const database = await container.resolve(storePhaseToken).openDatabase()
    const migrations = await database.planMigrations([...kernelCollections, ...collections])
    await openStore(container)
    const { policies } = await openServices(container)
    const problem = await policies.load().then(
      () => undefined,
      (error: unknown) => policies.failure() ?? String(error),
    )
    const leftData = await goneDataLines({
      host: { report: () => prepared.discovered.map(({ id }) => ({ id, state: 'discovered', reason: null })) },
      data: container.resolve(pluginDataToken),
      deletions: container.resolve(pluginDataDeletionsToken),
      unreadSources: unreadSources(prepared.discovered),
    })
    return { migrations, leftData, ...(problem === undefined ? {} : { policies: problem }) }
  } catch (error) {
    throw inOriginal(error, copy.prepared.configuration.database.path, prepared.configuration.database.path)
  } finally {
    await scope.dispose()
    await copy.remove()
  }
}

/** The error with the path of the original in its message, since the copy is gone. */
function inOriginal(error: unknown, copy: string, original: string): unknown {
  if (!(error instanceof Error) || !error.message.includes(copy)) return error
  return new Error(error.message.replaceAll(copy, original), { cause: error })
}
