import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createApiClient } from './api-client.js'

describe('an address that answers with a redirect', () => {
  let server: Server
  let url: string
  let leads: (path: string) => string

  before(async () => {
    server = createServer((request, response) => {
      response.writeHead(308, { location: leads(request.url ?? '') }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => new Promise((resolve) => server.close(resolve)))

  const targetFor = async (given: string, path: string): Promise<unknown> => {
    const error = await createApiClient(given)
      .request('POST', path, { password: 'secret' })
      .catch((caught: unknown) => caught)
    return (error as { readonly details?: { readonly target?: unknown } }).details?.target
  }

  it('is named as the address to give instead, with the path below which the service is', async () => {
    const cases: readonly (readonly [location: (path: string) => string, named: string])[] = [
      [(path) => `https://agents.test${path}`, 'https://agents.test'],
      [(path) => `https://agents.test/service${path}`, 'https://agents.test/service'],
      [(path) => `/service${path}`, `${url}/service`],
      [() => '/service/', `${url}/service`],
      [() => 'https://a:b@login.test/sign-in?next=%2Fapi#top', 'https://login.test/sign-in'],
      [(path) => path.replace('?', '/?'), url],
    ]
    for (const [location, named] of cases) {
      leads = location
      expect(await targetFor(`${url}/`, '/api/auth/login?x=1'), named).to.equal(named)
    }
    leads = (path) => `https://agents.test${path}`
    expect(await targetFor(`${url}/service`, '/api/version')).to.equal('https://agents.test/service')
    leads = () => 'sign-in'
    expect(await targetFor(`${url}/service`, '/api/version')).to.equal(`${url}/service/api/sign-in`)
  })
})
