import { defineError } from './errors.js'

/** A plugin did with the process what its service alone may do. */
export const processNotItsOwnError = defineError<{ readonly plugin: string; readonly deed: string; readonly cure: string }>({
  code: 'process_not_its_own',
  status: 500,
  title: 'The process belongs to the service',
  message: ({ plugin, deed, cure }) => `Plugin “${plugin}” ${deed}, but the process belongs to the service and all its plugins. ${cure}`,
})

/**
 * From now on `process.exit` throws where the code of a plugin calls it; other code ends the process
 * by it as ever. `runningPlugin` answers the id of the plugin whose code runs. The result ends that.
 */
export function refuseExits(runningPlugin: () => string | undefined): () => void {
  const { exit } = process
  const refusing = (code?: number | string | null): never => {
    const plugin = runningPlugin()
    if (plugin === undefined) return exit.call(process, code)
    throw processNotItsOwnError.create({ plugin, deed: 'called process.exit()', cure: 'Throw an error instead.' })
  }
  process.exit = refusing
  return () => {
    if (process.exit === refusing) process.exit = exit
  }
}
