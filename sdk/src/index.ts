/**
 * The author's SDK: how a plugin is written, what it is given, and the words that all contracts
 * share. Contracts are under `@agent-service/sdk/contracts/<point>`, services under
 * `@agent-service/sdk/services/<name>`, suites under `@agent-service/sdk/testing`. What only the
 * host of plugins needs is under `@agent-service/sdk/host`.
 *
 * @packageDocumentation
 */
export * from './core/canonical-json.js'
export * from './core/contribution-point.js'
export * from './core/disposer.js'
export * from './core/errors.js'
export * from './core/json.js'
export * from './core/logger.js'
export { named, namedObject, nameOfSchema, schemaNameKeyword } from './core/named.js'
export * from './core/picture-type.js'
export { pluginNotReadyError } from './core/plugin-errors.js'
export { type ServiceConsumer, type ServicePerPlugin, servicePerPlugin } from './core/service-per-plugin.js'
export * from './core/service-reference.js'
export * from './core/time-schemas.js'
export * from './core/type.js'
export * from './core/validate.js'
export * from './core/visible-line.js'
export * from './core/well-formed.js'
export * from './manifest/configuration-of.js'
export * from './manifest/configuration-rule.js'
export * from './manifest/plugin-manifest.js'
export type * from './manifest/recorded-setup.js'
export * from './manifest/schema-annotations.js'
export * from './plugin/declared.js'
export { definePlugin, type Plugin, type PluginDefinition, type SetupContext } from './plugin/define-plugin.js'
export * from './plugin/plugin-context.js'
