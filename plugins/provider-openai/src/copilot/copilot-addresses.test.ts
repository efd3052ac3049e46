import { expect } from 'chai'
import { apiAddress, exchangeAddress, isGitHubToken } from './copilot-addresses.js'

describe('addresses of GitHub Copilot', () => {
  const base = 'https://api.githubcopilot.com'

  it('GitHub tokens are exchanged, Copilot tokens are not', () => {
    for (const key of ['gho_abc', 'ghu_abc', 'ghp_abc', 'ghs_abc', 'github_pat_abc']) expect(isGitHubToken(key), key).to.equal(true)
    for (const key of ['tid=abc;exp=1;sku=free', 'eyJhbGciOi', 'ghost_abc']) expect(isGitHubToken(key), key).to.equal(false)
  })

  it('the exchange is at GitHub, or at the configured company', () => {
    expect(exchangeAddress(base)).to.equal('https://api.github.com/copilot_internal/v2/token')
    expect(exchangeAddress('https://api.individual.githubcopilot.com')).to.equal('https://api.github.com/copilot_internal/v2/token')
    expect(exchangeAddress('https://copilot-api.company.ghe.com')).to.equal('https://api.company.ghe.com/copilot_internal/v2/token')
  })

  it('calls go to the address in the token, if that is https under the right domain', () => {
    const named = (api: string, configured = base): string => apiAddress({ token: 't', endpoints: { api } }, configured)
    expect(named('https://api.business.githubcopilot.com/')).to.equal('https://api.business.githubcopilot.com')
    expect(named('https://api.company.ghe.com', 'https://copilot-api.company.ghe.com')).to.equal('https://api.company.ghe.com')
    for (const evil of [
      'http://api.githubcopilot.com',
      'https://githubcopilot.com.evil.example',
      'https://evil-githubcopilot.com',
      'https://api.githubcopilot.com@evil.example',
      'https://somebody@api.githubcopilot.com',
      'https://api.githubcopilot.com?x=1',
      'no address',
    ]) {
      expect(named(evil), evil).to.equal(base)
    }
    expect(apiAddress({ token: 'tid=1;exp=2;proxy-ep=proxy.individual.githubcopilot.com;x=y' }, base)).to.equal(
      'https://api.individual.githubcopilot.com',
    )
    expect(apiAddress({ token: 'tid=1;proxy-ep=proxy.evil.example' }, base)).to.equal(base)
    expect(apiAddress({ token: 'tid=1' }, base)).to.equal(base)
  })
})
