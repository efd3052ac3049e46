export * from './create-test-command.js'
export { type CommandExample, type CommandRequest, type CommandSuiteOptions, describeCliCommand } from './describe-cli-command.js'
