import type { Plugin } from '@agent-service/sdk'
import { type PolicyEngine, policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { createTestContext } from '@agent-service/sdk/testing'

/** The engine of the shipped plugin, found in its folder like the service finds it. */
export async function openShippedEngine(): Promise<{ readonly engine: PolicyEngine; close(): Promise<void> }> {
  const { href } = new URL('../../../../../plugins/policy-cedar/dist/index.js', import.meta.url)
  const { default: plugin } = (await import(href)) as { readonly default: Plugin }
  const test = createTestContext(plugin)
  await test.setup()
  const [engine] = test.contributed(policyEngines)
  if (!engine) throw new Error('The plugin “policy-cedar” has no engine.')
  return { engine, close: async () => void (await test.dispose()) }
}
