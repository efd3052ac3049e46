import { commandLine } from '../audit/audit-records.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { withOfflineService } from './offline.js'

/** Switches every stored policy off: the way back when policies keep everybody out. They stay, and can be switched on again one by one. */
export async function policiesResetCommand(input: Invocation & { readonly options: { readonly json?: boolean } }): Promise<number> {
  const { terminal, options } = input
  return withOfflineService(input, async ({ services }) => {
    const count = await services.policies.administration.switchOff(commandLine('policies reset'))
    const told = count === 0 ? 'No stored policy was on.' : `Switched off: ${count} stored ${count === 1 ? 'policy' : 'policies'}.`
    terminal.line(options.json === true ? JSON.stringify({ switched_off: count }) : told)
    return exitStatus.done
  })
}
