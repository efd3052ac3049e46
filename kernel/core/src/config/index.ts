/**
 * The configuration as it is read and checked. Code that explains, edits, saves and serves it
 * imports from here, and the YAML parser, which is loaded only if there is something to parse, from
 * `yaml`.
 */

export { findMember, listOf } from './check/check-value.js'
export * from './effective/configuration.js'
export { fillDefaults, sourceIn } from './effective/evaluate.js'
export type { Examination, OverlappingSetting } from './effective/examination.js'
export { resolvePaths, valueAt } from './effective/resolve-paths.js'
export { secretsOf } from './effective/secrets-in.js'
export { examineConfiguration } from './examine-configuration.js'
export * from './load-configuration.js'
export { maxConfigurationBytes, readConfigurationBytes } from './read/configuration-bytes.js'
export * from './read/configuration-file.js'
export { configurationLocation } from './read/configuration-location.js'
export { convertText } from './read/convert-text.js'
export { encryptionVariables, newEncryptionSecretVariable } from './read/encryption-variables.js'
export { type EnvironmentValue, environmentPrefix, isMap, variableFor } from './read/environment-names.js'
export * from './read/expand-references.js'
export { referencesIn, shownReferences } from './read/references.js'
export { type NamedFolder, placementFindings, protectedPaths, writableFolders } from './rules/placement-rules.js'
export { composeSchema, kernelSchema } from './schema/compose-schema.js'
export { begins, formatPath, parsePath, pathKey, type ValuePath } from './schema/dotted-path.js'
export { isHarmlessAt } from './schema/harmless.js'
export * from './schema/problem.js'
export * from './schema/schema-node.js'
export * from './sections/index.js'
