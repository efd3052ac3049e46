import { rawRequest, startTestServer, testPrincipal } from '@agent-service/kernel-core/http/testing'
import { expect } from 'chai'
import { createHttpMetrics } from './http-metrics.js'

describe('the metrics of HTTP', () => {
  it('count requests by operation and status, and problems by code', async () => {
    const server = await startTestServer({ metrics: createHttpMetrics })
    await server.fetch('/healthz')
    await server.fetch('/api/missing')
    const text = await (await server.fetch('/metrics')).text()
    expect(text).to.match(/http_requests_total\{operation="getLiveness",method="GET",status="200"\} 1/)
    expect(text).to.match(/http_problems_total\{code="not_found",status="404"\} 1/)
    expect(text).to.match(/http_requests_open 1/)
    await server.close()
  })

  it('13.4.5 are for callers on this machine and for administrators', async () => {
    const server = await startTestServer({ metrics: createHttpMetrics })
    server.authenticator.grant('admin', testPrincipal({ role: 'admin', scopes: ['read', 'write', 'admin'] }))
    server.authenticator.grant('user', testPrincipal())
    const ask = (headers: string) =>
      rawRequest(server.port, `GET /metrics HTTP/1.1\r\nHost: service.example\r\nConnection: close\r\n${headers}\r\n`)
    expect((await server.fetch('/metrics')).status).to.equal(200)
    expect((await ask('')).status).to.equal(401)
    expect((await ask('Authorization: Bearer user\r\n')).status).to.equal(403)
    expect((await ask('Authorization: Bearer admin\r\n')).status).to.equal(200)
    await server.close()
  })

  it('end with those of other parts', async () => {
    const things = { name: 'things_total', help: 'Things.', kind: 'counter', samples: () => [{ labels: {}, value: 3 }] } as const
    const server = await startTestServer({ metrics: (http) => createHttpMetrics(http, () => [things]) })
    expect(await (await server.fetch('/metrics')).text()).to.match(/things_total 3\n$/)
    await server.close()
  })
})
