import type { SetupRecord } from '../../admission/setup-lines.js'
import type { Contribution, ContributionPoint } from '../../core/contribution-point.js'
import { defineError } from '../../core/errors.js'
import {
  duplicateContributionError,
  pluginSetupOverError,
  pluginUndeclaredError,
  serviceProvidedTwiceError,
} from '../../core/plugin-errors.js'
import type { ServiceReference } from '../../core/service-reference.js'
import type { PluginManifest } from '../../manifest/plugin-manifest.js'
import { checkContribution } from './check-contribution.js'

/** A contribution that the host would refuse; `problems` has each path. */
export const contributionRefusedError = defineError<{ readonly point: string; readonly key: string; readonly summary: string }>({
  code: 'contribution_invalid',
  status: 500,
  title: 'Contribution invalid',
  message: ({ point, key, summary }) => `The host would refuse “${key}” of ${point}: ${summary}`,
})

/** A service that the manifest lists in `provides` was not provided. */
export const notProvidedError = defineError<{ readonly plugin: string; readonly services: readonly string[] }>({
  code: 'service_not_provided',
  status: 500,
  title: 'Service not provided',
  message: ({ plugin, services }) =>
    `Plugin “${plugin}” lists ${services.join(', ')} in “provides”, but setup did not provide it. Call context.provide, or take it off the list.`,
})

/** Checks what `setup` does against the manifest, as the host does. */
export interface DeclaredSetup {
  /**
   * @throws `plugin_undeclared`, `duplicate_contribution`, `contribution_invalid`,
   * `plugin_setup_over`.
   */
  contribute(point: ContributionPoint<Contribution>, contribution: Contribution): void
  /** @throws `plugin_undeclared`, `plugin_setup_over`. */
  provide(reference: ServiceReference<unknown>): void
  /** Whether an absent service is an error. @throws `plugin_undeclared`, `plugin_setup_over`. */
  use(reference: ServiceReference<unknown>, options?: { readonly optional: true }): { readonly mayBeAbsent: boolean }
  /** Remembers an error of a call, so that {@link finish} throws it also if the plugin caught it. */
  noteViolation(error: Error): void
  /**
   * Ends the setup phase. @throws the first undeclared call, caught or not, and
   * `service_not_provided`.
   */
  finish(): void
}

/** A setup that is recorded and judged when it has ended, as the host does. */
export interface RecordedSetup extends DeclaredSetup {
  /** What `setup` did so far. */
  readonly record: SetupRecord
  /** Its calls that were refused, also if it caught the errors. */
  readonly violations: readonly Error[]
}

/** Makes the record of one setup. Only what the manifest does not list is refused at once. */
export function createRecordedSetup(manifest: PluginManifest): RecordedSetup {
  const { id: plugin, contributes = [], provides = [], requires = [], optional = [] } = manifest
  const contributions: { readonly point: ContributionPoint<Contribution>; readonly contribution: Contribution }[] = []
  const services = new Map<string, unknown>()
  const violations: Error[] = []
  let open = true
  const demandOpen = (action: string): void => {
    if (!open) throw pluginSetupOverError.create({ plugin, action })
  }
  const refuse = (error: Error): never => {
    violations.push(error)
    throw error
  }
  return {
    record: { contributions, services },
    violations,
    noteViolation: (error) => void violations.push(error),
    contribute(point, contribution) {
      demandOpen('contribute')
      if (!contributes.includes(point.id))
        refuse(pluginUndeclaredError.create({ plugin, action: 'contribute', id: point.id, list: 'contributes' }))
      contributions.push({ point, contribution })
    },
    provide({ id }) {
      demandOpen('provide')
      if (!provides.includes(id)) refuse(pluginUndeclaredError.create({ plugin, action: 'provide', id, list: 'provides' }))
      if (services.has(id)) refuse(serviceProvidedTwiceError.create({ plugin, service: id }))
      services.set(id, true)
    },
    use({ id }, options) {
      demandOpen('use')
      const isOptional = optional.includes(id)
      if (!id.startsWith('kernel.') && !requires.includes(id) && !isOptional) {
        refuse(pluginUndeclaredError.create({ plugin, action: 'use', id, list: options?.optional === true ? 'optional' : 'requires' }))
      }
      return { mayBeAbsent: options?.optional === true || isOptional }
    },
    finish() {
      open = false
    },
  }
}

/** Makes the check of one setup against a manifest. Contributions are checked at once, so that a test shows the line. */
export function createDeclaredSetup(manifest: PluginManifest): DeclaredSetup {
  const { id: plugin, provides = [] } = manifest
  const setup = createRecordedSetup(manifest)
  const keys = new Set<string>()
  let refused: Error | undefined
  const refuse = (error: Error): never => {
    refused ??= error
    throw error
  }
  return {
    ...setup,
    contribute(point, contribution) {
      setup.contribute(point, contribution)
      const problems = checkContribution(point.id, contribution)
      const key = String(point.keyOf(contribution))
      if (problems.length > 0) {
        const summary = problems.map(({ path, message }) => `${path} ${message}`).join('; ')
        refuse(contributionRefusedError.create({ point: point.id, key, summary }, { problems }))
      }
      const place = JSON.stringify([point.id, key])
      if (keys.has(place)) refuse(duplicateContributionError.create({ point: point.id, key, plugin, owner: plugin }))
      keys.add(place)
    },
    finish() {
      setup.finish()
      const violation = setup.violations[0] ?? refused
      if (violation) throw violation
      const services = provides.filter((id) => !setup.record.services.has(id))
      if (services.length > 0) throw notProvidedError.create({ plugin, services })
    },
  }
}
