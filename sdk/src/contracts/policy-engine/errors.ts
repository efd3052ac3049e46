import { defineError } from '../../core/errors.js'

/**
 * There is no engine, or it failed, took too long or cannot be loaded. The reason is for operators.
 */
export const policyEngineFailedError = defineError<{ readonly reason: string }>({
  code: 'policy_engine_failed',
  status: 503,
  title: 'Policy engine failed',
  message: () => 'The policy engine failed. The log of the service has the reason.',
})
