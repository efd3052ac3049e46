import { type Logger, type Problem, ServiceError } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { examineInstallation, type InstallationOptions } from '../../installation/examine-installation.js'
import { configurationInvalidError } from '../index.js'
import type { ConfigurationEditor, RunningInstallation } from '../save/index.js'
import { type ConfigRouteDependencies, createConfigRoutes } from './create-config-routes.js'

/** The routes of the configuration, and the restart that they may ask for. */
export interface ConfigurationRoutes {
  readonly routes: readonly HttpRoute[]
  readonly restartRequested: Promise<void>
}

/** What the start hands over. */
export interface ConfigurationRoutesOptions extends Pick<ConfigRouteDependencies, 'choose' | 'note'> {
  readonly installation: InstallationOptions
  readonly running: RunningInstallation
  readonly logger: Logger
}

/**
 * Joins the configuration that a kernel was started with to the file that the next one will be
 * started with. What explains, edits and saves is loaded by the first request that needs it.
 */
export function openConfigurationRoutes(options: ConfigurationRoutesOptions): ConfigurationRoutes {
  const { installation, running, logger, choose, note } = options
  let requestRestart: () => void = () => undefined
  const restartRequested = new Promise<void>((resolve) => {
    requestRestart = () => {
      logger.info('A restart was asked for.')
      resolve()
    }
  })
  let editor: Promise<ConfigurationEditor> | undefined
  const openEditor = async (): Promise<ConfigurationEditor> => {
    const { createInstallationEditor } = await import('../save/index.js')
    return createInstallationEditor(installation, running)
  }
  const routes = createConfigRoutes({
    running: running.examination,
    examine: async () => (await examineInstallation(installation, { consent: running.consent })).examination,
    editor: () => (editor ??= openEditor()),
    judgeStart: () => judgeStart(installation),
    ...{ choose, note, requestRestart },
  })
  return { routes, restartRequested }
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
