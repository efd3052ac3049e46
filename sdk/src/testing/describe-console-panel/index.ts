export { describeConsolePanel } from './describe-console-panel.js'
export type { ConsolePanelSuiteOptions, PanelSuiteRoute } from './suite-options.js'
