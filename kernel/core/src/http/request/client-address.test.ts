import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { type ClientSettings, createClientResolver, normalizeAddress } from './client-address.js'

const request = (remoteAddress: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: { host: 'localhost:3001', ...headers },
    headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  }) as unknown as IncomingMessage

describe('client address', () => {
  it('reads addresses in their plain form', () => {
    expect(normalizeAddress('::ffff:192.0.2.1')).to.equal('192.0.2.1')
    expect(normalizeAddress('::ffff:c000:201')).to.equal('192.0.2.1')
    expect(normalizeAddress('0:0:0:0:0:ffff:192.0.2.1')).to.equal('192.0.2.1')
    expect(normalizeAddress(' [2001:DB8::1]:443 ')).to.equal('2001:db8::1')
    expect(normalizeAddress('192.0.2.1:8080')).to.equal('192.0.2.1')
    expect(normalizeAddress('fe80::1%eth0')).to.equal('fe80::1')
    for (const text of ['unknown', '0x7f.1', '2130706433', '127.1', '0177.0.0.1', ''])
      expect(normalizeAddress(text), text).to.equal(undefined)
  })

  it('accepts forwarded addresses only from trusted proxies, from right to left', () => {
    const direct = createClientResolver({})
    expect(direct(request('203.0.113.9', { 'x-forwarded-for': '10.0.0.1' })).address).to.equal('203.0.113.9')
    const behind = createClientResolver({ trusted_proxies: '10.0.0.0/8,2001:db8::/32, 192.0.2.7 ' })
    expect(behind(request('10.1.2.3', { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.9.9.9' })).address).to.equal('203.0.113.9')
    expect(behind(request('::ffff:10.1.2.3', { 'x-forwarded-for': '203.0.113.9, 2001:db8::5' })).address).to.equal('203.0.113.9')
    expect(behind(request('192.0.2.7', { 'x-forwarded-for': '203.0.113.9, nonsense' })).address).to.equal('192.0.2.7')
    expect(behind(request('192.0.2.8', { 'x-forwarded-for': '203.0.113.9' })).address).to.equal('192.0.2.8')
    expect(behind(request('10.1.2.3', { 'x-forwarded-for': '10.0.0.5, 10.0.0.6' })).address).to.equal('10.0.0.5')
    expect(behind(request('10.1.2.3')).address).to.equal('10.1.2.3')
  })

  it('requires a loopback peer, a loopback Host and no forwarding header for a loopback request', () => {
    const resolve = createClientResolver({})
    expect(resolve(request('127.0.0.1')).loopback).to.equal(true)
    expect(resolve(request('::1', { host: '[::1]:3001' })).loopback).to.equal(true)
    expect(resolve(request('::ffff:127.0.0.1', { host: '127.0.0.2' })).loopback).to.equal(true)
    expect(resolve(request('127.0.0.1', { host: 'service.example' })).loopback).to.equal(false)
    expect(resolve(request('127.0.0.1', { host: 'localhost.evil.example' })).loopback).to.equal(false)
    expect(resolve(request('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).loopback).to.equal(false)
    expect(resolve(request('127.0.0.1', { forwarded: 'for=1.2.3.4' })).loopback).to.equal(false)
    expect(resolve(request('192.0.2.1')).loopback).to.equal(false)
  })

  it('never counts a request with a known header of a proxy as loopback', () => {
    const resolve = createClientResolver({})
    const names = [
      'X-Forwarded-Server',
      'X-Forwarded',
      'X-Forwarded-Port',
      'X-Real-IP',
      'Via',
      'Forwarded',
      'CF-Connecting-IP',
      'X-Client-IP',
      'Fly-Client-IP',
      'CDN-Loop',
    ]
    for (const name of names) expect(resolve(request('127.0.0.1', { [name.toLowerCase()]: '' })).loopback, name).to.equal(false)
    expect(resolve(request('127.0.0.1', { 'x-request-id': '1', 'user-agent': 'curl' })).loopback).to.equal(true)
  })

  it('never counts a request of a page from elsewhere, or of HTTP/1.0, as loopback', () => {
    const resolve = createClientResolver({})
    for (const origin of ['https://agents.example', 'http://localhost.evil.example', 'null', ''])
      expect(resolve(request('127.0.0.1', { origin })).loopback, origin).to.equal(false)
    for (const origin of ['http://localhost:3000', 'http://[::1]:3001', 'https://127.0.0.1'])
      expect(resolve(request('127.0.0.1', { origin })).loopback, origin).to.equal(true)
    const old = (httpVersion: string) => resolve({ ...request('127.0.0.1'), httpVersion } as IncomingMessage).loopback
    expect([old('1.0'), old('1.1')]).to.deep.equal([false, true])
  })

  it('never counts a request with a credential for something in front as loopback', () => {
    const resolve = createClientResolver({})
    const given = (authorization: string) => resolve(request('127.0.0.1', { authorization }))
    for (const header of ['Basic YWRhOnB3', 'Digest username="ada"', 'Negotiate YII=', 'svc_pat_x'])
      expect(given(header).loopback, header).to.equal(false)
    expect(given('Bearer svc_pat_x').loopback).to.equal(true)
    for (const header of ['Basic YWRhOnB3, Bearer svc_pat_x', 'Bearer svc_pat_x, Basic YWRhOnB3', 'Digest uri="/,bearer,"'])
      expect(given(header).loopback, header).to.equal(false)
    expect(resolve(request('127.0.0.1', { 'proxy-authorization': 'Basic YWRhOnB3' })).loopback).to.equal(false)
  })

  it('counts no request as loopback if a proxy or a public address is configured', () => {
    const isLoopback = (settings: ClientSettings) => createClientResolver(settings)(request('127.0.0.1')).loopback
    expect(isLoopback({ trusted_proxies: '127.0.0.1' })).to.equal(false)
    expect(isLoopback({ trusted_proxies: '10.0.0.0/8' })).to.equal(false)
    expect(isLoopback({ trusted_proxies: ' , ' })).to.equal(true)
    for (const name of ['base_url', 'backend_url', 'frontend_url', 'external_url']) {
      for (const url of ['https://agents.example', 'http://192.0.2.1:3001', 'https://localhost.example', 'not an address'])
        expect(isLoopback({ [name]: url }), url).to.equal(false)
      for (const url of ['http://localhost:3001', 'https://LOCALHOST', 'http://127.0.0.1:3001/agents', 'http://[::1]'])
        expect(isLoopback({ [name]: url }), url).to.equal(true)
    }
    expect(isLoopback({ base_url: 'http://localhost:3001', external_url: 'https://agents.example' })).to.equal(false)
  })
})
