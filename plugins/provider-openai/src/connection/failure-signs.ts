import type { FailureSign } from '@agent-service/sdk/provider-kit'

/** Signs of this family's failures, beyond those that all vendors share. */
export const failureSigns: readonly FailureSign[] = [
  { failure: 'quota_exceeded', codes: ['credit_balance_exhausted', 'usage_limit_reached', 'usage_not_included'] },
  { failure: 'model_not_found', codes: ['model_not_supported', 'unsupported_api_for_model', 'deployment_not_found'] },
  { failure: 'content_filtered', codes: ['invalid_prompt', 'responsibleaipolicyviolation', 'cyber_policy_violation'] },
]
