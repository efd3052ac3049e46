import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { type ConfigRouteDependencies, createConfigRoutes } from '../config/routes/create-config-routes.js'
import { examineInstallation } from './examine-installation.js'
import { createInstallationEditor } from './installation-editor.js'
import type { KernelOptions } from './kernel-options.js'
import type { Prepared } from './prepare.js'

/** The routes of the configuration, and the restart that they may ask for. */
export interface ConfigurationRoutes {
  readonly routes: readonly HttpRoute[]
  readonly restartRequested: Promise<void>
}

/**
 * Joins the configuration that a kernel was started with to the file that the next one will be started with.
 * `choose`: see `SetUp`; `note`: the audit log.
 */
export function openConfigurationRoutes(
  options: KernelOptions,
  { examination, log }: Pick<Prepared, 'examination' | 'log'>,
  { choose, note }: Pick<ConfigRouteDependencies, 'choose' | 'note'>,
): ConfigurationRoutes {
  let requestRestart: () => void = () => undefined
  const restartRequested = new Promise<void>((resolve) => {
    requestRestart = () => {
      log.logger.info('A restart was asked for.')
      resolve()
    }
  })
  const routes = createConfigRoutes({
    running: examination,
    examine: async () => (await examineInstallation(options)).examination,
    editor: createInstallationEditor(options),
    choose,
    note,
    requestRestart,
  })
  return { routes, restartRequested }
}
