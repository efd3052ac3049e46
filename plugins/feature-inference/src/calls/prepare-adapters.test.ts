import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { createFakeContributions } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { Connection } from '../connections/connections.js'
import { prepareAdapters } from './prepare-adapters.js'

const connection = (adapter: string, enabled = true): Connection =>
  ({ handle: adapter, adapter, settings: { enabled } }) as unknown as Connection

describe('the adapters of a deployment', () => {
  const prepared = async (signal: AbortSignal): Promise<readonly string[]> => {
    const keys: string[] = []
    const fake = createFakeContributions()
    for (const id of ['alpha', 'beta', 'gamma', 'delta']) fake.add(providerAdapters, { specVersion: 1, id, name: id } as never)
    const contributions: Contributions = { ...fake, prepare: (point, key) => void keys.push(`${point.id} ${key}`) }
    await prepareAdapters({
      connections: { configured: [connection('alpha'), connection('beta', false), connection('none')], discovered: [connection('gamma')] },
      ...{ contributions, signal },
    })
    return keys
  }

  it('are started for the connections that it has, once it is known which there are', async () => {
    expect(await prepared(new AbortController().signal)).to.deep.equal(['provider.adapter alpha', 'provider.adapter gamma'])
    expect(await prepared(AbortSignal.abort())).to.deep.equal([])
  })
})
