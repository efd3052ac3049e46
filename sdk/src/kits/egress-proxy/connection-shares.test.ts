import { expect } from 'chai'
import { createConnectionShares } from './connection-shares.js'

describe('the shares of connections', () => {
  it('leave each owner its own, up to that of all, and take back what has ended', () => {
    const shares = createConnectionShares({ owner: 2, total: 3 })
    const [ada, bob] = [shares.of('ada'), shares.of('bob')]
    const first = ada()
    expect(first).to.be.a('function')
    expect(ada()).to.be.a('function')
    expect(ada(), 'a third of one owner').to.equal(undefined)
    expect(bob()).to.be.a('function')
    expect(bob(), 'a fourth of all').to.equal(undefined)
    first?.()
    first?.()
    expect(bob()).to.be.a('function')
    expect(ada(), 'one that was given back once').to.equal(undefined)
  })
})
