import { createSystemClock } from '@agent-service/kernel-core/clock'
import { configurationInvalidError } from '@agent-service/kernel-core/config'
import { createLog, createRedactor } from '@agent-service/kernel-core/log'
import { discoverPlugins } from '@agent-service/kernel-core/plugins'
import type { ServiceError } from '@agent-service/sdk'
import { prepare } from '../../composition/prepare.js'
import { type Invocation, quietEnvironment } from '../invocation.js'
import { type CommandPlugins, startCommandPlugins } from './command-plugins.js'
import { type ContributorsOptions, contributorsOf } from './contributors.js'

/** The started plugins that have commands. */
export interface StartedPlugins {
  readonly plugins: CommandPlugins
  /** The configuration is invalid, so only built-in plugins were started. */
  readonly invalid?: ServiceError
}

/**
 * Starts the plugins that have commands: only the built-in ones if one of them has the called
 * command or the configuration is invalid. `word`: the first word of the call; `undefined` starts
 * all of them.
 */
export async function startPlugins(invocation: Invocation, word: string | undefined): Promise<StartedPlugins> {
  const { options, invalid } = await findPlugins(invocation)
  if (word === undefined && invalid === undefined) return { plugins: await startCommandPlugins(options) }
  const builtIn = await startCommandPlugins({ ...options, discovered: options.discovered.filter((plugin) => plugin.builtIn) })
  if (invalid) return { plugins: builtIn, invalid }
  if (builtIn.commands.some(({ command }) => command.name.split(' ')[0] === word)) return { plugins: builtIn }
  await builtIn.stop()
  return { plugins: await startCommandPlugins(options) }
}

async function findPlugins(invocation: Invocation): Promise<{ readonly options: ContributorsOptions; readonly invalid?: ServiceError }> {
  const { installation, environment, workingDirectory } = invocation
  const stream = { write: (line: string) => void process.stderr.write(line) }
  const clock = createSystemClock()
  try {
    const prepared = await prepare({
      ...{ ...installation, environment: quietEnvironment(environment), workingDirectory, log: { stream } },
    })
    return { options: contributorsOf(prepared, clock) }
  } catch (error) {
    if (!configurationInvalidError.isInstance(error)) throw error
    const redactor = createRedactor({ pinned: [] })
    const { builtInFolder, installFolder } = installation
    return {
      options: {
        ...{ clock, redactor, log: createLog({ redactor, level: 'error', stream }).logger, isOff: () => false },
        // Plugins with settings cannot run without them.
        discovered: (await discoverPlugins({ builtInFolder, installFolder, sources: [] })).filter(
          (plugin) => plugin.status === 'valid' && plugin.manifest.config === undefined,
        ),
        configurationOf: () => ({}),
      },
      invalid: error,
    }
  }
}
