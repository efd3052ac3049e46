export { type LaunchedProcess, type LaunchPlan, launchPiped } from './launch-piped.js'
export { launchTerminal, type OpenedTerminal, type OpenTerminal } from './launch-terminal.js'
export { mergeOutput, type ProcessOutput } from './output.js'
