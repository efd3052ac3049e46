import { expect } from 'chai'
import { createUrlService } from './url-service.js'

describe('URL service', () => {
  const base = 'https://base.example'
  const backend = 'https://api.example/back/'
  const frontend = 'https://www.example'
  const external = 'https://tunnel.example'

  it('takes the most specific address that is set', () => {
    const all = createUrlService({ port: 3001, base_url: base, backend_url: backend, frontend_url: frontend, external_url: external })
    expect(all.api('/api/x')).to.equal('https://api.example/back/api/x')
    expect(all.page('/chats')).to.equal('https://www.example/chats')
    expect(all.external('/s/1')).to.equal('https://tunnel.example/s/1')
    const some = createUrlService({ port: 3001, base_url: base, backend_url: backend })
    expect(some.external('/s/1')).to.equal('https://api.example/back/s/1')
    expect(some.page('/chats')).to.equal('https://base.example/chats')
    const one = createUrlService({ port: 3001, base_url: `${base}/under` })
    expect([one.api('/a'), one.page('/a'), one.external('/a')]).to.deep.equal(Array(3).fill('https://base.example/under/a'))
  })

  it('falls back to localhost with the port that the listener got', () => {
    const urls = createUrlService({ port: 0 })
    urls.listensOn(4711)
    expect([urls.api('/a'), urls.page('/a'), urls.external('/a')]).to.deep.equal(Array(3).fill('http://localhost:4711/a'))
  })

  it('refuses a path that could change the host', () => {
    const urls = createUrlService({ port: 1, base_url: 'https://base.example' })
    expect(() => urls.api('.evil.example/')).to.throw('begins with')
  })
})
