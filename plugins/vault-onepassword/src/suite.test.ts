import { describeVaultConnector } from '@agent-service/sdk/testing'
import { openOnePasswordBench } from './test-support/one-password-bench.js'

describeVaultConnector({
  name: '1Password',
  create: openOnePasswordBench,
  supports: { write: true, renew: false },
  faults: ['down', 'failing', 'silent', 'untrusted', 'busy', 'forbidding', 'revoked', 'expired', 'damaged', 'huge'],
  restores: true,
  invalid: true,
  inward: true,
})
