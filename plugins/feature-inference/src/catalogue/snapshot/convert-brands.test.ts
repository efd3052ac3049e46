import type { JsonObject } from '@agent-service/sdk'
import { validate } from '@agent-service/sdk'
import { expect } from 'chai'
import { sourceProvider } from '../../test-support/source-list.js'
import { compatibleBrandsFileSchema } from '../catalogue-schema.js'
import { convertBrands } from './convert-brands.js'
import { printBrands } from './print-snapshot.js'

const convert = (source: JsonObject, builtIn: readonly string[] = []) => convertBrands(source, '2026-07-02', new Set(builtIn)).brands
const only = (changes: JsonObject) => convert({ house: sourceProvider({}, changes) })[0]

describe('the snapshot of compatible brands', () => {
  it('has address, documentation, protocol and the variable of the key', () => {
    expect(only({ api: 'https://x.example/v1/' })).to.deep.equal({
      id: 'house',
      name: 'X',
      documentation: 'https://x.example/docs',
      base_url: 'https://x.example/v1',
      protocols: ['completions'],
      authentication: ['api_key'],
      key_variable: 'X_API_KEY',
    })
  })

  it('takes the protocol from the client package, or the name of an unknown package', () => {
    const protocolsOf = (npm: string) => only({ npm })?.protocols
    expect(protocolsOf('@ai-sdk/openai')).to.deep.equal(['responses', 'completions'])
    expect(protocolsOf('@ai-sdk/anthropic')).to.deep.equal(['anthropic-messages'])
    expect(protocolsOf('@ai-sdk/google')).to.deep.equal(['google-generate-content'])
    expect(protocolsOf('@ai-sdk/cerebras')).to.deep.equal(['@ai-sdk/cerebras'])
    expect(protocolsOf('toString')).to.deep.equal(['toString'])
  })

  it('keeps the pattern of an address that differs by customer', () => {
    const env = ['ACME_ACCOUNT_ID', 'ACME_TOKEN']
    expect(only({ api: 'https://${ACME_ACCOUNT_ID}.example/v1', env })).to.include({
      requires_base_url: true,
      base_url_pattern: 'https://${ACME_ACCOUNT_ID}.example/v1',
      key_variable: 'ACME_TOKEN',
    })
    const { api: _api, ...without } = sourceProvider()
    expect(convert({ house: without })[0]).to.include({ requires_base_url: true })
    expect(only({ api: 'ftp://x.example' })).to.include({ requires_base_url: true })
  })

  it('derives how a call is authenticated', () => {
    expect(only({ api: 'http://127.0.0.1:1234/v1' })?.authentication).to.deep.equal(['none', 'api_key'])
    expect(only({ env: ['GOOGLE_VERTEX_PROJECT'], npm: '@ai-sdk/google-vertex' })?.authentication).to.deep.equal(['google_credentials'])
    expect(only({ env: [] })?.authentication).to.deep.equal(['other'])
  })

  it('has no built-in brand and no invalid id, in a fixed order', () => {
    const source = { zeta: sourceProvider(), openai: sourceProvider(), alpha: sourceProvider(), 'A b': sourceProvider(), broken: null }
    expect(convert(source, ['openai']).map(({ id }) => id)).to.deep.equal(['alpha', 'zeta'])
    const file = convertBrands(source, '2026-07-02', new Set())
    expect(validate(compatibleBrandsFileSchema, file)).to.deep.equal([])
    expect(JSON.parse(printBrands(file))).to.deep.equal(file)
  })
})
