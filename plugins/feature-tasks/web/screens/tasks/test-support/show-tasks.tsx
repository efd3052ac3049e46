import { currentPath } from '@agent-service/sdk/web'
import { type Rendered, type RenderOptions, render } from '@agent-service/sdk/web/testing'
import Tasks from '../tasks.js'

/** The screen of tasks at a path, as the console shows it there and wherever its links lead. */
export const showTasks = (at: string, options: Omit<RenderOptions, 'at'> = {}): Rendered =>
  render(() => <Tasks params={{ rest: currentPath().replace(/^\/tasks\/?/, '') }} />, { at, ...options })
