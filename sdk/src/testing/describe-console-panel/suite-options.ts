import type { ConsolePanel } from '../../contracts/console-panel/index.js'
import type { HttpRoute } from '../../contracts/http-route/index.js'
import type { SuiteRunner } from '../suite-runner.js'

/** What the suite reads of a route. */
export type PanelSuiteRoute = Pick<HttpRoute, 'method' | 'path' | 'answers'> &
  Partial<Pick<HttpRoute, 'auth' | 'body' | 'foreign' | 'query'>>

/** The options of {@link describeConsolePanel}. */
export interface ConsolePanelSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the panel. Called for each test. */
  create(): ConsolePanel | Promise<ConsolePanel>
  /**
   * The routes of the plugin, which the panel calls. Default: none; what a component calls is not checked then.
   * `[]` if it has none.
   */
  readonly routes?: readonly PanelSuiteRoute[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
}
