import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { credentialMissingError } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { isOtherApi, probeFailureOf } from './probe-failure.js'

const failed = (failure: 'authentication' | 'invalid_response' | 'bad_request', more: { readonly httpStatus?: number } = {}) =>
  providerError.create({ failure, retryable: false, connection: 'house', model: 'm', reason: 'The key k-1 is wrong.', ...more })

describe('the failure of a test', () => {
  it('is that of the provider, without the key', () => {
    expect(probeFailureOf(failed('authentication'), 'k-1')).to.deep.equal({
      kind: 'authentication',
      message: 'The key [redacted] is wrong.',
    })
    expect(probeFailureOf(failed('authentication'), '').message).to.equal('The key k-1 is wrong.')
  })

  it('is that of the connection before any call', () => {
    expect(probeFailureOf(credentialMissingError.create({ connection: 'house' }), undefined).kind).to.equal('key_missing')
  })

  it('says nothing of an unexpected error', () => {
    expect(probeFailureOf(new Error('secret path'), undefined)).to.deep.include({ kind: 'internal' })
    expect(probeFailureOf(new Error('secret path'), undefined).message).not.to.include('secret path')
  })

  it('is another API where a list of models should be', () => {
    expect(isOtherApi(failed('invalid_response'))).to.equal(true)
    expect(isOtherApi(failed('bad_request', { httpStatus: 404 }))).to.equal(true)
    expect(isOtherApi(failed('bad_request', { httpStatus: 302 }))).to.equal(true)
    expect(isOtherApi(failed('bad_request', { httpStatus: 400 }))).to.equal(false)
    expect(isOtherApi(failed('authentication', { httpStatus: 401 }))).to.equal(false)
  })
})
