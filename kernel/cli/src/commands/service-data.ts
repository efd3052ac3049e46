import { readdir } from 'node:fs/promises'
import type { KernelDatabase } from '@agent-service/kernel-core/database'
import { redactError } from '@agent-service/kernel-core/log'
import { createDisposableScope } from '@agent-service/sdk/host'
import { composeKernel, openServices, openStore } from '../composition/composition-root.js'
import { type Prepared, prepare } from '../composition/prepare.js'
import type { OpenedServices } from '../composition/services-phase.js'
import { serviceDataMissingError } from './errors.js'
import { type Invocation, quietEnvironment } from './invocation.js'

/** The service's own data, opened by a command while the service is stopped. */
export interface ServiceData {
  readonly prepared: Prepared
  readonly database: KernelDatabase
  readonly services: OpenedServices
}

/**
 * Opens configuration, store, secrets and accounts as the service would, without HTTP and plugins,
 * and closes them again when the work is done. What only `make`s accounts creates the data folder;
 * for any other command a folder without a service is a wrong one, in which nothing may be left.
 * @throws `database_locked` while the service runs, `service_data_missing` without `make`.
 */
export async function withServiceData<Result>(
  invocation: Invocation,
  work: (data: ServiceData) => Promise<Result>,
  { make = false }: { readonly make?: boolean } = {},
): Promise<Result> {
  const options = {
    ...invocation.installation,
    environment: quietEnvironment(invocation.environment),
    workingDirectory: invocation.workingDirectory,
  }
  const prepared = await prepare(options)
  const { database: place, storage } = prepared.configuration
  if (!make && !(await hasDatabase(place.path))) throw serviceDataMissingError.create({ folder: storage.data_dir, database: place.path })
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

/** Whether there is a folder with something in it: an empty one is that of a volume at which no service was started. */
const hasDatabase = async (folder: string): Promise<boolean> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    // A file in its place: the database says what is wrong with it.
    if (error.code === 'ENOTDIR') return [folder]
    throw error
  })
  return names.length > 0
}
