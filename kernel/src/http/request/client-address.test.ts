import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { createClientResolver, normalizeAddress } from './client-address.js'

const request = (remoteAddress: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { host: 'localhost:3001', ...headers } }) as unknown as IncomingMessage

describe('client address', () => {
  it('reads addresses in their plain form', () => {
    expect(normalizeAddress('::ffff:192.0.2.1')).to.equal('192.0.2.1')
    expect(normalizeAddress('::ffff:c000:201')).to.equal('192.0.2.1')
    expect(normalizeAddress('0:0:0:0:0:ffff:192.0.2.1')).to.equal('192.0.2.1')
    expect(normalizeAddress(' [2001:DB8::1]:443 ')).to.equal('2001:db8::1')
    expect(normalizeAddress('192.0.2.1:8080')).to.equal('192.0.2.1')
    expect(normalizeAddress('fe80::1%eth0')).to.equal('fe80::1')
    expect(normalizeAddress('unknown')).to.equal(undefined)
  })

  it('believes forwarded addresses from trusted proxies alone, from right to left', () => {
    const direct = createClientResolver([])
    expect(direct(request('203.0.113.9', { 'x-forwarded-for': '10.0.0.1' })).address).to.equal('203.0.113.9')
    const behind = createClientResolver(['10.0.0.0/8', '2001:db8::/32', ' 192.0.2.7 '])
    expect(behind(request('10.1.2.3', { 'x-forwarded-for': '1.1.1.1, 203.0.113.9, 10.9.9.9' })).address).to.equal('203.0.113.9')
    expect(behind(request('::ffff:10.1.2.3', { 'x-forwarded-for': '203.0.113.9, 2001:db8::5' })).address).to.equal('203.0.113.9')
    expect(behind(request('192.0.2.7', { 'x-forwarded-for': '203.0.113.9, nonsense' })).address).to.equal('192.0.2.7')
    expect(behind(request('192.0.2.8', { 'x-forwarded-for': '203.0.113.9' })).address).to.equal('192.0.2.8')
    expect(behind(request('10.1.2.3', { 'x-forwarded-for': '10.0.0.5, 10.0.0.6' })).address).to.equal('10.0.0.5')
    expect(behind(request('10.1.2.3')).address).to.equal('10.1.2.3')
  })

  it('calls loopback only what is: peer, Host and no forwarding header', () => {
    const resolve = createClientResolver(['127.0.0.1'])
    expect(resolve(request('127.0.0.1')).loopback).to.equal(true)
    expect(resolve(request('::1', { host: '[::1]:3001' })).loopback).to.equal(true)
    expect(resolve(request('::ffff:127.0.0.1', { host: '127.0.0.2' })).loopback).to.equal(true)
    expect(resolve(request('127.0.0.1', { host: 'service.example' })).loopback).to.equal(false)
    expect(resolve(request('127.0.0.1', { host: 'localhost.evil.example' })).loopback).to.equal(false)
    expect(resolve(request('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).loopback).to.equal(false)
    expect(resolve(request('127.0.0.1', { forwarded: 'for=1.2.3.4' })).loopback).to.equal(false)
    expect(resolve(request('192.0.2.1')).loopback).to.equal(false)
  })
})
