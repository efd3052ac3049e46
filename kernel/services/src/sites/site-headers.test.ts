import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { siteRequestHeaders } from './site-headers.js'

const headersOf = (...rawHeaders: readonly string[]) => siteRequestHeaders({ rawHeaders } as unknown as IncomingMessage)

describe('the headers of a request to a site', () => {
  it('do not include those that Connection names, however they are written', () => {
    expect(headersOf('Connection', 'keep-alive ,  X-One,x-two ', 'X-One', '1', 'X-Two', '2', 'X-Three', '3')).to.deep.equal([
      ['x-three', '3'],
    ])
  })
})
