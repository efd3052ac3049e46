export { type ConsolePanelSuiteOptions, describeConsolePanel } from './describe-console-panel.js'
