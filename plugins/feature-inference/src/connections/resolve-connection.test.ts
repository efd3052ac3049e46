import type { Secrets } from '@agent-service/sdk/services/secrets'
import { expect } from 'chai'
import type { Connection } from './connections.js'
import { resolveConnection } from './resolve-connection.js'

const secrets: Secrets = { resolve: (text) => ({ value: text }), protect: () => undefined }

const connectionOf = (settings: Partial<Connection['settings']>): Connection => ({
  handle: 'cloud',
  settings: { enabled: true, ...settings },
  brand: undefined,
  brandName: 'custom-cloud',
  adapter: 'adapter_delta',
  discovered: false,
})

describe('a connection resolved for a call', () => {
  it('has the configured region and profile', () => {
    const base = { base_url: 'https://bedrock-runtime.{region}.amazonaws.com/' }
    expect(resolveConnection(connectionOf(base), secrets)).to.deep.equal({
      handle: 'cloud',
      brand: 'custom-cloud',
      baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
      quirks: {},
    })
    expect(resolveConnection(connectionOf({ ...base, aws_region: 'eu-west-1' }), secrets).aws).to.deep.equal({ region: 'eu-west-1' })
    expect(resolveConnection(connectionOf({ ...base, aws_region: 'eu-west-1', aws_profile: 'work' }), secrets).aws).to.deep.equal({
      region: 'eu-west-1',
      profile: 'work',
    })
  })
})
