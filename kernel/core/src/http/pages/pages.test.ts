import { expect } from 'chai'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

describe('pages of the kernel', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer({ starting: true })
  })
  afterEach(async () => {
    expect(server.answerCheck.violations).to.deep.equal([])
    await server.close()
  })

  const json = async (pathname: string) => {
    const answer = await server.fetch(pathname)
    return [answer.status, await answer.json()]
  }

  it('report the process alive from the start, and ready once it is', async () => {
    server.server.setStep('opening the database')
    expect(await json('/healthz?probe=1')).to.deep.equal([200, { status: 'ok' }])
    expect(await json('/readyz')).to.deep.equal([503, { status: 'starting', step: 'opening the database' }])
    expect((await server.fetch('/api/chats')).status).to.equal(503)
    expect(server.log.filter(({ level }) => level === 'error')).to.deep.equal([])
    server.server.ready()
    expect(await json('/readyz')).to.deep.equal([200, { status: 'ready' }])
    expect((await server.fetch('/api/chats')).status).to.equal(404)
    server.server.setStep('storage_full')
    expect(await json('/readyz')).to.deep.equal([503, { status: 'impaired', step: 'storage_full' }])
    server.server.setStep(undefined)
    expect(await json('/readyz')).to.deep.equal([200, { status: 'ready' }])
    expect(await json('/api/version')).to.deep.equal([200, { version: '1.2.3', api: 1 }])
  })

  it('3.4.1 have HSTS if the public address is https', async () => {
    const https = await startTestServer({ settings: { base_url: 'https://service.example' } })
    expect((await https.fetch('/healthz')).headers.get('strict-transport-security')).to.contain('max-age')
    await https.close()
  })

  it('are not served if the port is in use, and the error names the setting to change', async () => {
    const second = await startTestServer({ settings: { port: server.port } }).catch((error: Error) => error)
    expect(second).to.have.property('code', 'port_in_use')
    const nowhere = await startTestServer({ settings: { host: '192.0.2.1' } }).catch((error: Error) => error)
    expect(nowhere).to.have.property('code', 'address_unavailable')
  })
})
