import { expect } from 'chai'
import { cookiePathOf } from './cookie-path.js'
import { ConfiguredUrls } from './url-service.js'

describe('URL service', () => {
  const forPrograms = { host: '127.0.0.1', port: 4712 }
  const base = 'https://base.example'
  const backend = 'https://api.example/back/'
  const frontend = 'https://www.example'
  const external = 'https://tunnel.example'

  it('uses the most specific address that is set', () => {
    const all = new ConfiguredUrls({
      server: { port: 3001, base_url: base, backend_url: backend, frontend_url: frontend, external_url: external },
    })
    expect(all.api('/api/x')).to.equal('https://api.example/back/api/x')
    expect(all.page('/chats')).to.equal('https://www.example/chats')
    expect(all.external('/s/1')).to.equal('https://tunnel.example/s/1')
    const some = new ConfiguredUrls({ server: { port: 3001, base_url: base, backend_url: backend } })
    expect(some.external('/s/1')).to.equal('https://api.example/back/s/1')
    expect(some.page('/chats')).to.equal('https://base.example/chats')
    const one = new ConfiguredUrls({ server: { port: 3001, base_url: `${base}/under` } })
    expect([one.api('/a'), one.page('/a'), one.external('/a')]).to.deep.equal(Array(3).fill('https://base.example/under/a'))
  })

  it('falls back to localhost with the port that the listener got', () => {
    const urls = new ConfiguredUrls({ server: { port: 0 } })
    urls.listensOn({ host: '127.0.0.1', port: 4711, forPrograms })
    expect([urls.api('/a'), urls.page('/a'), urls.external('/a')]).to.deep.equal(Array(3).fill('http://localhost:4711/a'))
  })

  it('gives the listener for programs, once there is one, and never that for everyone', () => {
    const urls = new ConfiguredUrls({ server: { port: 3001, base_url: base } })
    expect(() => urls.listener()).to.throw('does not listen yet')
    urls.listensOn({ host: '0.0.0.0', port: 4711, forPrograms })
    expect(urls.listener()).to.deep.equal(forPrograms)
  })

  it('refuses a path that could change the host', () => {
    const urls = new ConfiguredUrls({ server: { port: 1, base_url: 'https://base.example' } })
    expect(() => urls.api('.evil.example/')).to.throw('begins with')
  })
})

describe('the path of the cookie', () => {
  it('is the part that the addresses of pages and API have in common', () => {
    const of = (base?: string, backend?: string, frontend?: string) =>
      cookiePathOf({
        ...(base !== undefined && { base_url: base }),
        ...(backend !== undefined && { backend_url: backend }),
        ...(frontend !== undefined && { frontend_url: frontend }),
      })
    expect(of()).to.equal('/')
    expect(of('https://example.org/')).to.equal('/')
    expect(of('https://example.org/agents/')).to.equal('/agents')
    expect(of('https://example.org/agents', 'https://example.org/agents/back')).to.equal('/agents')
    expect(of(undefined, 'https://example.org/agents/back', 'https://example.org/agents/ui')).to.equal('/agents')
    expect(of('https://example.org/agents', undefined, 'https://example.org')).to.equal('/')
    expect(of('https://example.org/agents', undefined, 'https://example.org/agents2')).to.equal('/')
    expect(of(undefined, 'https://example.org/agents')).to.equal('/')
    expect(of('https://example.org/a/b;c/d')).to.equal('/a')
  })
})
