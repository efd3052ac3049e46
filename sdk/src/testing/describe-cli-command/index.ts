export * from './create-test-command.js'
export { type CommandExample, type CommandSuiteOptions, describeCliCommand } from './describe-cli-command.js'
