export { type CommandExample, type CommandSuiteOptions, describeCliCommand } from './describe-cli-command.js'
