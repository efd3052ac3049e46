import { currentPath } from '@agent-service/sdk/web'
import { type Rendered, type RenderOptions, render } from '@agent-service/sdk/web/testing'
import Sandbox from '../sandbox.js'

/** The parameters that the routes of the screen have in a path. */
function paramsOf(path: string): Readonly<Record<string, string>> {
  const [, , place, id] = path.split('/')
  if (id === undefined) return {}
  return place === 'agents' ? { agentId: id } : { processId: id }
}

/** The screen of the sandbox at a path, as the console shows it there and wherever its links lead. */
export const showSandbox = (at: string, options: Omit<RenderOptions, 'at'> = {}): Rendered =>
  render(() => <Sandbox params={paramsOf(currentPath())} />, { at, ...options })
