import { expect } from 'chai'
import { browserAddress } from './browser-address.js'

describe('the address for a browser', () => {
  it('is localhost where the service listens on every interface', () => {
    expect(browserAddress('http://0.0.0.0:3001')).to.equal('http://localhost:3001')
    expect(browserAddress('http://[::]:3001')).to.equal('http://localhost:3001')
    expect(browserAddress('http://127.0.0.1:3001')).to.equal('http://127.0.0.1:3001')
    expect(browserAddress('http://10.0.0.5:80')).to.equal('http://10.0.0.5')
  })
})
