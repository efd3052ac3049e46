/**
 * The configuration as it is read and checked. Code that explains, edits, saves and serves it
 * imports from here, and the YAML parser, which is loaded only if there is something to parse, from
 * `yaml`.
 */

// Schemas, paths in a value, and problems
export { findMember, listOf } from './check/check-value.js'
// The configuration of a start
export * from './effective/configuration.js'
export { type SignInPolicy, signInPolicyOf } from './effective/configuration.js'
// Effective values
export { fillDefaults, sourceIn } from './effective/evaluate.js'
export type { Examination, OverlappingSetting } from './effective/examination.js'
export { resolvePaths, valueAt } from './effective/resolve-paths.js'
export { secretsOf } from './effective/secrets-in.js'
export { examineConfiguration } from './examine-configuration.js'
export {
  type ConfigurationOrigin,
  configurationFrom,
  draftConfiguration,
  loadConfiguration,
} from './load-configuration.js'
// The file and its location
export { maxConfigurationBytes, readConfigurationBytes } from './read/configuration-bytes.js'
export {
  absentConfigurationFile,
  type ConfigurationFile,
  decodeConfiguration,
  parseConfigurationFile,
  presentConfigurationFile,
  revisionOf,
} from './read/configuration-file.js'
export { configurationLocation } from './read/configuration-location.js'
// The environment and references to it
export { convertText } from './read/convert-text.js'
export { encryptionVariables, newEncryptionSecretVariable } from './read/encryption-variables.js'
export {
  type EnvironmentValue,
  environmentPrefix,
  isMap,
  variableFor,
} from './read/environment-names.js'
export {
  type Environment,
  expandReferences,
  referencesIn,
  replaceReferences,
  shownReferences,
  variableValue,
} from './read/expand-references.js'
// Where files and folders may lie
export { type NamedFolder, placementFindings, protectedPaths, writableFolders } from './rules/placement-rules.js'
export { composeSchema, kernelSchema } from './schema/compose-schema.js'
export { begins, formatPath, parsePath, pathKey, type ValuePath } from './schema/dotted-path.js'
export {
  configurationInvalid,
  configurationInvalidError,
  type Finding,
  formatProblem,
  problemAt,
} from './schema/problem.js'
export * from './schema/schema-node.js'
export { textsIn } from './schema/schema-node.js'
export * from './sections/index.js'
