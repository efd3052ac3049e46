import { type Problem, ServiceError } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { configurationInvalidError } from '../config/index.js'
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
  { examination, configuration, ruled, log }: Pick<Prepared, 'examination' | 'configuration' | 'ruled' | 'log'>,
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
    examine: async () => (await examineInstallation(options, { consent: ruled.consent })).examination,
    editor: createInstallationEditor(options, { examination, configuration, ruled }),
    choose,
    judgeStart: () => judgeStart(options),
    note,
    requestRestart,
  })
  return { routes, restartRequested }
}

/** The rules of plugins run here as they do at the start, which is about to come. */
async function judgeStart(options: KernelOptions): Promise<readonly Problem[]> {
  try {
    return (await examineInstallation(options)).examination.problems
  } catch (error) {
    if (configurationInvalidError.isInstance(error) && ServiceError.isInstance(error)) return error.problems
    throw error
  }
}
