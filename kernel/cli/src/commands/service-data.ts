import type { KernelDatabase } from '@agent-service/kernel-core/database'
import { redactError } from '@agent-service/kernel-core/log'
import { createDisposableScope } from '@agent-service/sdk/host'
import { composeKernel, openServices, openStore } from '../composition/composition-root.js'
import { type Prepared, prepare } from '../composition/prepare.js'
import type { OpenedServices } from '../composition/services-phase.js'
import { type Invocation, quietEnvironment } from './invocation.js'

/** The service's own data, opened by a command while the service is stopped. */
export interface ServiceData {
  readonly prepared: Prepared
  readonly database: KernelDatabase
  readonly services: OpenedServices
}

/**
 * Opens configuration, store, secrets and accounts as the service would, without HTTP and plugins,
 * and closes them again when the work is done.
 * @throws `database_locked` while the service runs.
 */
export async function withServiceData<Result>(invocation: Invocation, work: (data: ServiceData) => Promise<Result>): Promise<Result> {
  const options = {
    ...invocation.installation,
    environment: quietEnvironment(invocation.environment),
    workingDirectory: invocation.workingDirectory,
  }
  const prepared = await prepare(options)
  const scope = createDisposableScope({ name: 'command' })
  try {
    const container = composeKernel(options, prepared, scope)
    const database = await openStore(container)
    const services = await openServices(container)
    return await work({ prepared, database, services })
  } catch (error) {
    throw redactError(error, prepared.redactor)
  } finally {
    await scope.dispose()
    prepared.log.flush()
  }
}
