import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { ConfigurationFacts, ConfigurationFinding, ConfigurationRule, JsonObject, JsonValue, SettingOverlap } from '@agent-service/sdk'
import { importFile } from '../../modules/import-file.js'
import type { DiscoveredManifest } from '../effective/configuration.js'

/**
 * Loads and runs the rules of every plugin that has some. Rules that cannot be loaded, or that
 * throw, become findings themselves.
 * `ignoreThrows`: the configuration is known to be invalid, so a rule may throw on it.
 */
export async function runPluginRules(
  plugins: readonly DiscoveredManifest[],
  configuration: JsonObject,
  facts: ConfigurationFacts,
  options: { readonly ignoreThrows: boolean },
): Promise<readonly ConfigurationFinding[]> {
  const findings = await Promise.all(
    plugins.map(async ({ manifest, folder }): Promise<readonly ConfigurationFinding[]> => {
      if (manifest.rules === undefined) return []
      try {
        const rules = await loadRules(folder, manifest.rules)
        return rules.flatMap((rule) => run(rule, configuration, facts, options))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return [{ path: '', message: `the configuration rules of plugin “${manifest.id}” failed: ${reason}` }]
      }
    }),
  )
  return findings.flat()
}

function run(
  rule: ConfigurationRule,
  configuration: JsonObject,
  facts: ConfigurationFacts,
  options: { readonly ignoreThrows: boolean },
): readonly ConfigurationFinding[] {
  try {
    return asFindings(rule(configuration, facts))
  } catch (error) {
    if (options.ignoreThrows) return []
    throw error
  }
}

async function loadRules(folder: string, file: string): Promise<readonly ConfigurationRule[]> {
  const root = await realpath(folder)
  const path = await realpath(resolve(root, file))
  const inside = relative(root, path)
  if (isAbsolute(file) || inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside))
    throw new Error(`“${file}” leads out of the plugin's folder`)
  const module: unknown = await importFile(path)
  const rules = typeof module === 'object' && module !== null && 'rules' in module ? module.rules : undefined
  if (!Array.isArray(rules) || !rules.every((rule): rule is ConfigurationRule => typeof rule === 'function'))
    throw new Error(`“${file}” does not export a list of functions named “rules”`)
  return rules
}

/** The result of a rule, checked: its module may not have been type-checked. */
function asFindings(given: unknown): readonly ConfigurationFinding[] {
  if (!Array.isArray(given)) throw new Error('a rule did not return a list of findings')
  return given.map((finding: unknown) => {
    if (typeof finding === 'object' && finding !== null && 'path' in finding && 'message' in finding)
      return {
        path: String(finding.path),
        message: String(finding.message),
        severity: 'severity' in finding && finding.severity === 'warning' ? 'warning' : 'error',
        ...('overlap' in finding ? { overlap: asOverlap(finding.overlap) } : {}),
        ...('catalogueDefault' in finding ? { catalogueDefault: asDefault(finding.catalogueDefault) } : {}),
      }
    throw new Error('a rule returned a finding without path or message')
  })
}

function asOverlap(given: unknown): SettingOverlap {
  if (typeof given === 'object' && given !== null && 'typed' in given && 'custom' in given)
    return { typed: String(given.typed), custom: String(given.custom) }
  throw new Error('a rule returned an overlap without the names of its two sides')
}

function asDefault(given: unknown): { readonly value: JsonValue } {
  if (typeof given === 'object' && given !== null && 'value' in given && given.value !== undefined)
    return { value: JSON.parse(JSON.stringify(given.value)) as JsonValue }
  throw new Error('a rule returned a default of the catalogue without its value')
}
