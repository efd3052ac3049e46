import { httpAddressRefusedError } from '@agent-service/sdk/services/http-client'
import { expect } from 'chai'
import { createAddressGuard, type RequestScope } from './address-guard.js'
import { readNetworkPermission } from './network-permission.js'

const open: RequestScope = { hosts: undefined, ports: undefined, allowHttp: true, allowPrivate: false }

function refusalOf(targets: readonly string[], url: string, scope: Partial<RequestScope> = {}, ownOrigins: readonly string[] = []): string {
  const permission = readNetworkPermission({ permissions: [{ kind: 'network', targets, reason: 'A test.' }] }, {})
  const guard = createAddressGuard({ permission, ownOrigins: () => ownOrigins })
  try {
    guard.checkUrl(new URL(url), { ...open, ...scope })
    return ''
  } catch (error) {
    if (!httpAddressRefusedError.isInstance(error)) throw error
    return error.message
  }
}

describe('the guard of addresses', () => {
  const forms = [
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://[fe80::1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00:ec2::254]/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[2002:7f00:1::]/',
  ]
  for (const url of forms) {
    it(`refuses ${url}, however it is written`, () => {
      expect(refusalOf(['*'], url)).to.match(/only reach public addresses|always refused/)
    })
  }

  it('reaches addresses that are not public only if both the manifest and the request permit it', () => {
    expect(refusalOf(['*'], 'http://10.1.2.3/', { allowPrivate: true })).to.contain('not among the network permissions of the plugin')
    expect(refusalOf(['*', '10.1.0.0/16'], 'http://10.1.2.3/')).to.contain('only reach public addresses')
    expect(refusalOf(['10.1.0.0/16'], 'http://10.1.2.3/', { allowPrivate: true })).to.equal('')
    expect(refusalOf(['10.1.0.0/16'], 'http://[::ffff:10.1.2.3]/', { allowPrivate: true })).to.equal('')
    expect(refusalOf(['10.1.0.0/16'], 'http://10.2.0.1/', { allowPrivate: true })).to.contain('not among the network permissions')
    expect(refusalOf(['::1'], 'http://[::1]/', { allowPrivate: true })).to.equal('')
    expect(refusalOf(['0.0.0.0/0'], 'http://169.254.169.254/', { allowPrivate: true })).to.contain('always refused')
  })

  it('reaches only hosts that the manifest names', () => {
    expect(refusalOf([], 'https://example.com/')).to.contain('not among the network permissions of the plugin')
    expect(refusalOf(['example.com'], 'https://example.com/')).to.equal('')
    expect(refusalOf(['example.com'], 'https://EXAMPLE.com:8443/')).to.equal('')
    expect(refusalOf(['example.com:8443'], 'https://example.com/')).to.contain('not among the network permissions')
    expect(refusalOf(['https://example.com/api'], 'https://example.com/')).to.equal('')
    expect(refusalOf(['example.com'], 'https://www.example.com/')).to.contain('not among the network permissions')
    expect(refusalOf(['*.example.com'], 'https://www.example.com/')).to.equal('')
    expect(refusalOf(['*.example.com'], 'https://example.com/')).to.contain('not among the network permissions')
    expect(refusalOf(['*.example.com'], 'https://notexample.com/')).to.contain('not among the network permissions')
    expect(refusalOf(['bücher.example'], 'https://xn--bcher-kva.example/')).to.equal('')
    expect(refusalOf(['example.com'], 'https://8.8.8.8/')).to.contain('the address is not among the network permissions')
    expect(refusalOf(['8.8.8.8'], 'https://8.8.8.8/')).to.equal('')
  })

  it('reads targets from the configuration', () => {
    const permissions = [
      { kind: 'network' as const, targetsFromConfiguration: ['/search/url', '/search/more', '/absent'], reason: 'A test.' },
    ]
    const permission = readNetworkPermission({ permissions }, { search: { url: 'http://find.example:8080/x', more: ['10.0.0.0/8', 7] } })
    expect(permission.hosts).to.deep.equal([{ name: 'find.example', subdomains: false, port: 8080 }])
    expect(permission.ranges).to.have.length(1)
    expect(permission.anyPublicHost).to.equal(false)
  })

  it('enforces the scheme, the hosts and the ports of a request', () => {
    expect(refusalOf(['*'], 'http://example.com/', { allowHttp: false })).to.contain('use https')
    expect(refusalOf(['*'], 'ftp://example.com/')).to.contain('use https')
    expect(refusalOf(['*'], 'https://other.example/', { hosts: ['example.com'] })).to.contain('not among the hosts')
    expect(refusalOf(['*'], 'https://a.example.com/', { hosts: ['*.example.com'] })).to.equal('')
    expect(refusalOf(['*'], 'https://example.com:22/')).to.contain('port 22')
    expect(refusalOf(['*'], 'https://example.com:6379/')).to.contain('port 6379')
    expect(refusalOf(['*'], 'https://example.com:3000/')).to.equal('')
    expect(refusalOf(['*', 'example.com:22'], 'https://example.com:22/')).to.equal('')
    expect(refusalOf(['*'], 'https://example.com:3000/', { ports: [443] })).to.contain('port 3000')
  })

  it('never reaches the service itself', () => {
    expect(refusalOf(['*'], 'https://agents.example/api', {}, ['https://agents.example'])).to.contain('the service itself')
  })
})
