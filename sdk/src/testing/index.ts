export * from './collecting-runner.js'
export {
  createTestContext,
  type GivenServices,
  manifestInvalidError,
  type PluginTestContext,
  type PluginTestOptions,
  type RecordedLine,
  serviceNotGivenError,
  type TestContext,
  type TestContextOptions,
} from './create-test-context.js'
export * from './describe-agent-prompt-section/index.js'
export * from './describe-agent-run-hook/index.js'
export * from './describe-channel/index.js'
export * from './describe-chat-part/index.js'
export * from './describe-cli-command/index.js'
export * from './describe-console-panel/index.js'
export * from './describe-damaged-answers/index.js'
export * from './describe-database-driver/index.js'
export * from './describe-doctor-check/index.js'
export * from './describe-http-route/index.js'
export * from './describe-memory-backend/index.js'
export * from './describe-policy-engine/index.js'
export * from './describe-provider-adapter/index.js'
export * from './describe-provider-faults/index.js'
export * from './describe-recorded-answers/index.js'
export * from './describe-sandbox-driver/index.js'
export * from './describe-scheduler-job/index.js'
export * from './describe-search-provider/index.js'
export * from './describe-tool/index.js'
export * from './describe-tool-source/index.js'
export * from './describe-user-data/index.js'
export * from './describe-vault-connector/index.js'
export * from './describe-websocket-route/index.js'
export * from './eventually.js'
export * from './fakes/index.js'
export * from './memory-database/index.js'
export * from './memory-database-driver/index.js'
export * from './plain-channel/index.js'
export * from './plain-memory/index.js'
export * from './plain-sandbox-driver/index.js'
export * from './plain-vault/index.js'
export * from './plugin-test/index.js'
export * from './plugin-trial.js'
export { recordSetup, type SetupRecording } from './record-setup.js'
export * from './replay/index.js'
export * from './suite-runner.js'
export type { NotApplicable } from './unchecked-rules.js'
