import { timeLimitError, withTimeLimit } from '@agent-service/sdk/async'
import {
  type PolicyEngine,
  type PolicyEngineCall,
  policyEngineFailedError,
  policyEngines,
} from '@agent-service/sdk/contracts/policy-engine'
import { messageOf } from '@agent-service/sdk/host'
import type { Contributed, Contributions } from '@agent-service/sdk/services/contributions'

/** The time limit for an answer. An engine has shorter limits of its own. */
const answerLimitMs = 60_000

/** The policy engine of the deployment, by whichever plugin currently provides it. */
export interface EngineAccess {
  /** Asks the engine. @throws only `policy_engine_failed`, with the reason in its details. */
  ask<Answer>(call: (engine: PolicyEngine, options: PolicyEngineCall) => Promise<Answer>): Promise<Answer>
  /** The extensions of its files. @throws `policy_engine_failed` if there is no engine. */
  fileEndings(): readonly string[]
  /** Why no engine is available; `undefined` if one is. */
  absence(): string | undefined
}

/** Makes it. `missingEngineReason` states why no plugin has an engine. */
export function createEngineAccess(dependencies: {
  readonly contributions: Pick<Contributions, 'list' | 'acquire'>
  readonly missingEngineReason: () => string
}): EngineAccess {
  const { contributions, missingEngineReason } = dependencies
  const absence = (): string | undefined => {
    const plugins = contributions.list(policyEngines).map(({ pluginId }) => `“${pluginId}”`)
    if (plugins.length === 1) return undefined
    return plugins.length === 0
      ? missingEngineReason()
      : `the plugins ${plugins.join(' and ')} are all policy engines, but only one may decide; list the others in plugins.disabled`
  }
  /** The engine, if there is exactly one. */
  const find = (): Contributed<PolicyEngine> | undefined => {
    const engines = contributions.list(policyEngines)
    return engines.length === 1 ? engines[0] : undefined
  }
  const absent = (): Error => policyEngineFailedError.create({ reason: absence() ?? 'its plugin is stopping' })

  return {
    async ask(call) {
      const only = find()
      const lease = only && contributions.acquire(policyEngines, only.key)
      if (!lease) throw absent()
      try {
        return await withTimeLimit((signal) => call(lease.value, { signal }), { limitMs: answerLimitMs, signal: lease.signal })
      } catch (error) {
        throw failureOf(error)
      } finally {
        lease.release()
      }
    },
    fileEndings() {
      const only = find()
      if (!only) throw absent()
      return only.value.fileEndings
    },
    absence,
  }
}

function failureOf(error: unknown): Error {
  if (policyEngineFailedError.isInstance(error)) return error
  const reason = timeLimitError.isInstance(error) ? `it did not answer within ${answerLimitMs / 1_000} s` : messageOf(error)
  return policyEngineFailedError.create({ reason }, { cause: error })
}
