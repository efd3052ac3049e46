import type { Plugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { clockService } from '@agent-service/sdk/services/clock'
import { createTestContext, requestTo } from '@agent-service/sdk/testing'

const plugins: Readonly<Record<string, string>> = { completions: 'provider-openai', 'anthropic-messages': 'provider-anthropic' }

/** One streamed call through our adapter; resolves with the text of the answer. */
export async function createSubject(url: string, protocol: string): Promise<() => Promise<string>> {
  const entry = new URL(`../../../plugins/${plugins[protocol] ?? ''}/dist/index.js`, import.meta.url)
  const { default: plugin } = (await import(entry.href)) as { readonly default: Plugin }
  const clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined, wait: () => Promise.resolve() }
  const test = createTestContext<unknown>({ config: {}, services: [[clockService, clock]] })
  await plugin.setup(test.context)
  const [adapter] = test.contributed(providerAdapters)
  if (!adapter) throw new Error(`The plugin of ${protocol} contributed no adapter.`)
  const request = requestTo(protocol === 'completions' ? `${url}/v1` : url, { protocol })
  const { signal } = new AbortController()
  return async () => {
    let text = ''
    for await (const event of adapter.call(request, { signal })) if (event.type === 'text.delta') text += event.text
    return text
  }
}
