/**
 * A process for the tests of the folder lock: takes the lock of a folder on request, reports the
 * result, and stays. With `--expose-gc` it then collects garbage.
 */
import { acquireFolderLock } from '../folder/folder-lock.js'

const [folder = ''] = process.argv.slice(2)

process.on('message', () => {
  acquireFolderLock(folder, { now: () => Date.now() }).then(
    () =>
      setImmediate(() => {
        globalThis.gc?.()
        setImmediate(() => process.send?.('locked'))
      }),
    (error: unknown) => process.send?.(error instanceof Error ? error.message : String(error)),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
