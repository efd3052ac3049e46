import type { Logger } from '@agent-service/sdk'
import { restoreIntrinsics } from '@agent-service/sdk/host'
import { refusedPlugin } from '../plugin-errors.js'

/** Finds plugins from elsewhere that change what the language and Node provide, and puts it back. */
export interface IntrinsicsGuard {
  /**
   * Does one step of a start. What has changed before its first wait is the plugin's, and so is what
   * changes later while no other plugin starts. Of any other change a line of the log says who was
   * starting.
   * @throws `plugin_start_failed` with a line for each change, whatever the step itself threw.
   */
  around<Result>(pluginId: string, step: () => Promise<Result>): Promise<Result>
  /** {@link around} for an import. The refusal is remembered, since a module is evaluated once. */
  aroundImport(pluginId: string, file: string, load: () => Promise<unknown>): Promise<unknown>
  /**
   * Calls a hook of a plugin that has started. What that changes before its first wait is put back
   * when this returns, and a line of the log names the plugin.
   */
  aroundHook<Result>(pluginId: string, hook: () => Result): Result
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

/** Why modules were refused, by file. Global, like the process's modules. */
const refusedModules = new Map<string, readonly string[]>()

/** Makes the guard of one host. */
export function createIntrinsicsGuard(log: Logger): IntrinsicsGuard {
  const starting = new Set<string>()
  const write = (lines: readonly string[], who: string, plugins: readonly string[]): void => {
    for (const line of lines) log.error(`${who} changed what belongs to all: ${line}.`, { plugins })
  }
  const tell = (lines: readonly string[]): void => {
    const plugins = [...starting]
    const who = plugins.length === 0 ? 'A plugin that runs' : `One of the plugins that were starting (${plugins.join(', ')})`
    write(lines, who, plugins)
  }
  const observe = async <Result>(
    pluginId: string,
    step: () => Promise<Result>,
  ): Promise<{ readonly outcome: Outcome<Result>; readonly lines: readonly string[] }> => {
    tell(restoreIntrinsics())
    starting.add(pluginId)
    const ending = outcomeOf(step)
    const first = restoreIntrinsics()
    const outcome = await ending
    const later = restoreIntrinsics()
    const isAlone = starting.size === 1
    if (!isAlone) tell(later)
    starting.delete(pluginId)
    return { outcome, lines: isAlone ? [...first, ...later] : first }
  }
  return {
    async around(pluginId, step) {
      const { outcome, lines } = await observe(pluginId, step)
      if (lines.length > 0) throw refusedPlugin(lines)
      return resultOf(outcome)
    },
    async aroundImport(pluginId, file, load) {
      const refused = refusedModules.get(file)
      if (refused !== undefined) throw refusedPlugin(refused)
      const { outcome, lines } = await observe(pluginId, load)
      if (lines.length > 0) {
        refusedModules.set(file, lines)
        throw refusedPlugin(lines)
      }
      return resultOf(outcome)
    },
    aroundHook(pluginId, hook) {
      tell(restoreIntrinsics())
      try {
        return hook()
      } finally {
        write(restoreIntrinsics(), `Plugin “${pluginId}”`, [pluginId])
      }
    },
  }
}

async function outcomeOf<Result>(step: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await step() }
  } catch (error) {
    return { error }
  }
}

function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('error' in outcome) throw outcome.error
  return outcome.result
}
