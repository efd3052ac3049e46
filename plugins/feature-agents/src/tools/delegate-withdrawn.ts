import { tools } from '@agent-service/sdk/contracts/tool'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { delegateName } from './delegate.js'

/**
 * Acts once, as soon as this plugin is about to stop: its tools are withdrawn first, then the calls of them that go on are waited for. A delegated task ends
 * only with its run, so the runs have to be parked before that, not after it.
 */
export function onceWithdrawn(contributions: Pick<Contributions, 'list' | 'onChange'>, act: () => void): void {
  let state: 'not yet there' | 'there' | 'withdrawn' = 'not yet there'
  contributions.onChange(tools, () => {
    const isThere = contributions.list(tools).some(({ key }) => key === delegateName)
    if (state === 'not yet there' && isThere) state = 'there'
    if (state !== 'there' || isThere) return
    state = 'withdrawn'
    act()
  })
}
