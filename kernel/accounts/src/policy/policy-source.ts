import type { Logger } from '@agent-service/sdk'
import { createSingleFlight } from '@agent-service/sdk/async'
import {
  type PolicyFile,
  type PolicySources,
  policyEngineFailedError,
  type RefusedPolicies,
  type UsablePolicies,
} from '@agent-service/sdk/contracts/policy-engine'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { EngineAccess } from './engine-access.js'
import { policiesUnavailableError } from './errors.js'
import type { PolicyRecord } from './policy-records.js'
import type { StoredPolicies } from './stored-policies.js'

const folder = 'policy'
/** The delay before a failed load is retried. */
const retryMs = 5_000

/** Loads the policies in force into the engine. */
export interface PolicySource {
  /** The version of the policies in force; another one after each change. */
  version(): number
  /** Must be called when a change takes effect. */
  changed(): void
  /** Must be called when the engine has changed or is missing. */
  engineChanged(): void
  /** The facts about the current version; `undefined` before it has been loaded once. */
  known(): UsablePolicies | undefined
  /**
   * Loads the current version, again if the engine was restarted. Concurrent callers share one
   * load.
   * @throws `policies_unavailable`.
   */
  load(options?: { readonly again?: boolean }): Promise<UsablePolicies>
  /**
   * The shipped files: once they were usable, they stay unchanged for the life of the process.
   * @throws `policy_engine_failed`.
   */
  files(): Promise<readonly PolicyFile[]>
  /**
   * The sources of these records for the engine, composed (NFC) as the paths of files are in questions: a policy whose path was
   * copied from a decomposed name would forbid nothing otherwise.
   */
  sources(records: readonly PolicyRecord[]): Promise<PolicySources>
  /** Why no question can be decided; `undefined` if one can. */
  failure(): string | undefined
  /** Errors from now on no longer count as failures of the policies. */
  close(): void
}

/** Makes it. `onFailureChange` is called when {@link PolicySource.failure} changes. */
export function createPolicySource(dependencies: {
  readonly engine: EngineAccess
  readonly stored: Pick<StoredPolicies, 'snapshot'>
  readonly resources: Resources
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Logger
  readonly onFailureChange: () => void
}): PolicySource {
  const { engine, stored, resources, clock, log, onFailureChange } = dependencies
  let version = 0
  let known: { readonly version: number; readonly policies: UsablePolicies } | undefined
  const loading = createSingleFlight<number, UsablePolicies>()
  let refusedUntil: { readonly version: number; readonly until: number; readonly error: unknown } | undefined
  let failure: string | undefined
  let provenFiles: readonly PolicyFile[] | undefined
  let closed = false

  const setFailure = (next: string | undefined): void => {
    if (next === failure || closed) return
    failure = next
    if (next !== undefined) log.error('The policies cannot be used, so nothing is allowed.', { reason: next })
    else log.info('The policies are usable again.')
    onFailureChange()
  }

  const files = async (): Promise<readonly PolicyFile[]> => provenFiles ?? readFiles(resources, engine.fileEndings())
  const sources = async (records: readonly PolicyRecord[]): Promise<PolicySources> => ({
    files: await files(),
    stored: records.filter(({ enabled }) => enabled).map(({ id, text }) => ({ id, text: text.normalize('NFC') })),
  })

  const bring = async (wanted: number): Promise<UsablePolicies> => {
    try {
      const given = await sources((await stored.snapshot()).policies)
      const answer = await engine.ask((asked, call) => asked.load({ version: wanted, sources: given }, call))
      if (answer.outcome === 'refused') throw policiesUnavailableError.create({ reason: reasonOf(answer) }, { retryAfterSeconds: 5 })
      if (wanted === version) provenFiles = given.files
      known = { version: wanted, policies: answer }
      setFailure(undefined)
      return answer
    } catch (error) {
      const unavailable = unavailableFrom(error)
      refusedUntil = { version: wanted, until: clock.monotonic() + retryMs, error: unavailable }
      if (wanted === version) setFailure(String(unavailable.details['reason']))
      throw unavailable
    }
  }

  const load = (): Promise<UsablePolicies> => {
    if (refusedUntil?.version === version && clock.monotonic() < refusedUntil.until) return Promise.reject(refusedUntil.error)
    const wanted = version
    return loading.run(wanted, () => bring(wanted))
  }

  return {
    version: () => version,
    changed() {
      version++
    },
    engineChanged() {
      version++
      provenFiles = undefined
      // The result is logged and shows in `failure`.
      load().catch(() => undefined)
    },
    known: () => (known?.version === version ? known.policies : undefined),
    load: ({ again = false } = {}) => (known?.version === version && !again ? Promise.resolve(known.policies) : load()),
    files,
    sources,
    failure: () => engine.absence() ?? failure,
    close() {
      closed = true
    },
  }
}

async function readFiles(resources: Resources, endings: readonly string[]): Promise<readonly PolicyFile[]> {
  const names = (await resources.list(folder)).filter((name) => endings.some((ending) => name.endsWith(ending)))
  return Promise.all(names.map(async (name) => ({ name, text: (await resources.read(`${folder}/${name}`)).normalize('NFC') })))
}

function unavailableFrom(error: unknown): ReturnType<typeof policiesUnavailableError.create> {
  if (policiesUnavailableError.isInstance(error)) return error
  const reason = policyEngineFailedError.isInstance(error) ? error.details['reason'] : error instanceof Error ? error.message : error
  return policiesUnavailableError.create({ reason: String(reason) }, { cause: error, retryAfterSeconds: 5 })
}

const reasonOf = ({ problems }: RefusedPolicies): string =>
  problems.map(({ where, line, column, message }) => `${where}:${line}:${column}: ${message}`).join('\n')
