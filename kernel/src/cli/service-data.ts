import { createDisposableScope } from '@agent-service/sdk/host'
import { composeKernel } from '../composition/composition-root.js'
import { type OpenedServices, openServices } from '../composition/open-services.js'
import { openStore } from '../composition/open-store.js'
import { type Prepared, prepare } from '../composition/prepare.js'
import type { KernelDatabase } from '../database/index.js'
import { redactError } from '../log/index.js'
import { type Invocation, quietEnvironment } from './invocation.js'

/** The service's own data, opened by a command while the service is stopped. */
export interface ServiceData {
  readonly prepared: Prepared
  readonly database: KernelDatabase
  readonly services: OpenedServices
}

/**
 * Opens configuration, store, secrets and accounts as the service would, without HTTP and plugins, and closes them again when the work is done.
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
    const { kernelDatabase } = await openStore(container, scope, { isOff: prepared.isOff })
    const services = await openServices(container, scope, kernelDatabase, {})
    return await work({ prepared, database: kernelDatabase, services })
  } catch (error) {
    throw redactError(error, prepared.redactor)
  } finally {
    await scope.dispose()
    prepared.log.flush()
  }
}
