/**
 * The SDK's core: how a plugin is written, what it is given, and the words that all contracts share. Contracts are under
 * `@agent-service/sdk/contracts/<point>`, services under `@agent-service/sdk/services/<name>`, suites under `@agent-service/sdk/testing`.
 *
 * @packageDocumentation
 */
export * from './core/contribution-point.js'
export * from './core/define-plugin.js'
export * from './core/disposable-scope.js'
export * from './core/disposer.js'
export * from './core/errors.js'
export * from './core/json.js'
export * from './core/logger.js'
export * from './core/nearest.js'
export * from './core/plugin-context.js'
export * from './core/plugin-errors.js'
export * from './core/service-per-plugin.js'
export * from './core/service-reference.js'
export * from './core/stopping-hooks.js'
export * from './core/type.js'
export * from './core/validate.js'
export * from './manifest/canonical-json.js'
export * from './manifest/check-manifest.js'
export * from './manifest/configuration-of.js'
export * from './manifest/configuration-rule.js'
export { manifestFileSchema, pluginIdPattern } from './manifest/manifest-schema.js'
export * from './manifest/plugin-manifest.js'
export * from './manifest/portable-schema.js'
export * from './manifest/schema-annotations.js'
