import { commandLine } from '@agent-service/kernel-accounts/audit'
import type { Outcome } from './command-action.js'
import type { Invocation } from './invocation.js'
import { withServiceData } from './service-data.js'

/**
 * Disables every stored policy, for when policies lock everyone out. They are kept and can be
 * enabled again one by one.
 */
export async function resetPolicies(invocation: Invocation): Promise<Outcome> {
  return withServiceData(invocation, async ({ services }) => {
    const count = await services.policies.administration.switchOff(commandLine('policies reset'))
    const done = `Disabled ${count} stored ${count === 1 ? 'policy' : 'policies'}.`
    return { json: { switched_off: count }, lines: [count === 0 ? 'No stored policy was enabled.' : done] }
  })
}
