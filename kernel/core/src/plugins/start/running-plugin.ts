import { createHook } from 'node:async_hooks'
import type { Disposer } from '@agent-service/sdk'
import { currentWork } from '../../work/work-context.js'

let tell: ((pluginId: string | undefined) => void) | undefined

const hook = createHook({ before: noteRunning })

/** Tells whose code runs from here on. */
export function noteRunning(): void {
  tell?.(currentWork().plugin?.id)
}

/**
 * Calls back before each callback and promise of this thread with the plugin whose code runs next;
 * `undefined` for the kernel's. Too dear for a service at work. One at a time.
 */
export function watchRunningPlugin(onRun: (pluginId: string | undefined) => void): Disposer {
  tell = onRun
  hook.enable()
  return () => {
    hook.disable()
    tell = undefined
  }
}
