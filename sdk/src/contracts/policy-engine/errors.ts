import { defineError } from '../../core/errors.js'

/** No engine is there, or it broke, took too long or cannot be loaded. The reason is for operators. */
export const policyEngineFailedError = defineError<{ readonly reason: string }>({
  code: 'policy_engine_failed',
  status: 503,
  title: 'Policy engine failed',
  message: () => 'The policy engine could not work on this. The log of the service has the reason.',
})
