import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Resources } from '@agent-service/sdk/services/resources'
import { mayNameUsers } from './decision-key.js'
import type { PolicyEngine } from './engine/create-policy-engine.js'
import type { LoadAnswer, PolicyText, ShippedPolicy } from './engine/engine-jobs.js'
import { policiesUnavailableError, policyEngineFailedError } from './errors.js'
import { readShippedFiles, type ShippedFiles } from './shipped-files.js'
import type { StoredPolicies } from './stored-policies.js'

/** A load that failed is not tried again for so long. */
const retryMs = 5_000

/** What is known of the policies in force once they have been loaded. */
export interface LoadedPolicies {
  readonly shipped: readonly ShippedPolicy[]
  readonly nameUsers: boolean
}

/** Brings the policies that count now into the engine. */
export interface PolicySource {
  /** The version of the policies in force; another one after each change. */
  version(): number
  /** To be called in the moment in which a change takes effect. */
  changed(): void
  /** What is known of the present version; `undefined` before it has been loaded once. */
  known(): LoadedPolicies | undefined
  /** Loads the present version, again if the engine was started anew. Callers at the same time share one load. @throws `policies_unavailable`. */
  load(options?: { readonly again?: boolean }): Promise<LoadedPolicies>
  /** The files that ship, as they are used. */
  shippedFiles(): Promise<ShippedFiles>
  /** Why nothing can be decided, if that is so; `undefined` otherwise. */
  failure(): string | undefined
  /** To be called before the engine is closed: what fails from now on is no failure of the policies. */
  close(): void
}

/** Makes it. `onFailureChange` is called when {@link PolicySource.failure} changes. */
export function createPolicySource(dependencies: {
  readonly engine: PolicyEngine
  readonly stored: Pick<StoredPolicies, 'snapshot'>
  readonly resources: Resources
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Logger
  readonly onFailureChange: () => void
}): PolicySource {
  const { engine, stored, resources, clock, log, onFailureChange } = dependencies
  let version = 0
  let known: { readonly version: number; readonly policies: LoadedPolicies } | undefined
  let loading: { readonly version: number; readonly ended: Promise<LoadedPolicies> } | undefined
  let refusedUntil: { readonly version: number; readonly until: number; readonly error: unknown } | undefined
  let failure: string | undefined
  let provenFiles: ShippedFiles | undefined
  let closed = false

  const setFailure = (next: string | undefined): void => {
    if (next === failure || closed) return
    failure = next
    if (next !== undefined) log.error('The policies cannot be used, so nothing is allowed.', { reason: next })
    else log.info('The policies can be used again.')
    onFailureChange()
  }

  const shippedFiles = async (): Promise<ShippedFiles> => provenFiles ?? readShippedFiles(resources)

  const bring = async (wanted: number): Promise<LoadedPolicies> => {
    try {
      const files = await shippedFiles()
      const { policies } = await stored.snapshot()
      const texts: readonly PolicyText[] = policies.filter(({ enabled }) => enabled).map(({ id, text }) => ({ id, text }))
      const answer = await engine.run('load', { version: wanted, sources: { ...files, stored: texts } })
      if (answer.outcome === 'refused') throw policiesUnavailableError.create({ reason: reasonOf(answer) }, { retryAfterSeconds: 5 })
      provenFiles = files
      const loaded = { shipped: answer.shipped, nameUsers: mayNameUsers([...answer.shipped, ...texts]) }
      known = { version: wanted, policies: loaded }
      setFailure(undefined)
      return loaded
    } catch (error) {
      const told = policiesUnavailableError.isInstance(error) ? error : unavailable(error)
      refusedUntil = { version: wanted, until: clock.monotonic() + retryMs, error: told }
      if (wanted === version) setFailure(String(told.details['reason']))
      throw told
    }
  }

  const load = (): Promise<LoadedPolicies> => {
    if (refusedUntil?.version === version && clock.monotonic() < refusedUntil.until) return Promise.reject(refusedUntil.error)
    if (loading?.version === version) return loading.ended
    const begun = { version, ended: bring(version) }
    loading = begun
    const end = (): void => {
      if (loading === begun) loading = undefined
    }
    begun.ended.then(end, end)
    return begun.ended
  }

  return {
    version: () => version,
    changed() {
      version++
    },
    known: () => (known?.version === version ? known.policies : undefined),
    load: ({ again = false } = {}) => (known?.version === version && !again ? Promise.resolve(known.policies) : load()),
    shippedFiles,
    failure: () => failure,
    close() {
      closed = true
    },
  }
}

function unavailable(error: unknown): ReturnType<typeof policiesUnavailableError.create> {
  const told = policyEngineFailedError.isInstance(error) ? error.details['reason'] : error instanceof Error ? error.message : error
  const reason = String(told)
  return policiesUnavailableError.create({ reason }, { cause: error, retryAfterSeconds: 5 })
}

const reasonOf = (answer: LoadAnswer & { readonly outcome: 'refused' }): string =>
  answer.problems.map(({ where, line, column, message }) => `${where}:${line}:${column}: ${message}`).join('\n')
