import { expect } from 'chai'
import { createDisposableScope, disposeTimeoutError, scopeClosedError } from './disposable-scope.js'

describe('a disposable scope', () => {
  it('undoes strictly one after the other, in reverse order', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    const log: string[] = []
    for (const name of ['first', 'second', 'third']) {
      scope.add(name, async () => {
        log.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        log.push(`${name} ends`)
      })
    }
    expect(await scope.dispose()).to.deep.equal([])
    expect(log).to.deep.equal(['third begins', 'third ends', 'second begins', 'second ends', 'first begins', 'first ends'])
  })

  it('aborts its signal, with the reason, before the first disposer runs', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    let seen: unknown
    scope.add('watcher', () => {
      seen = scope.signal.reason
    })
    const reason = new Error('enough')
    await scope.dispose(reason)
    expect(seen).to.equal(reason)
  })

  it('continues after a disposer that throws and one that hangs, and reports both', async () => {
    const scope = createDisposableScope({ name: 'scope', disposerLimitMs: 10 })
    const log: string[] = []
    scope.add('last', () => void log.push('last'))
    scope.add('hangs', () => new Promise(() => undefined))
    scope.add('throws', () => {
      throw new Error('broken')
    })
    const errors = await scope.dispose()
    expect(log).to.deep.equal(['last'])
    expect(errors.map((error) => error.message)).to.have.length(2)
    expect(errors[0]?.message).to.equal('broken')
    expect(disposeTimeoutError.isInstance(errors[1])).to.equal(true)
    expect(errors[1]?.message).to.include('“hangs”')
  })

  it('disposes once, for repeated calls, even from inside a disposer', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    let runs = 0
    let inner: unknown
    scope.add('once', () => {
      runs += 1
      inner = scope.dispose()
    })
    const first = scope.dispose()
    expect(scope.dispose()).to.equal(first)
    await first
    expect(inner).to.equal(first)
    expect(runs).to.equal(1)
  })

  it('disposes at once, and reports, what is added when it is closed', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    await scope.dispose()
    let undone: () => void = () => undefined
    const late = new Promise<void>((resolve) => {
      undone = resolve
    })
    expect(() => scope.add('late', undone))
      .to.throw()
      .that.satisfies(scopeClosedError.isInstance)
    await late
    expect(() => scope.child('late'))
      .to.throw()
      .that.satisfies(scopeClosedError.isInstance)
  })

  it('disposes children in their order, and forgets a child that was disposed separately', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    const log: string[] = []
    scope.add('before', () => void log.push('before'))
    const child = scope.child('child')
    child.add('inside', () => void log.push('inside'))
    scope.add('after', () => void log.push('after'))
    const gone = scope.child('gone')
    gone.add('early', () => void log.push('early'))
    expect(scope.holdings()).to.deep.equal(['before', 'child/inside', 'after', 'gone/early'])
    await gone.dispose()
    expect(scope.holdings()).to.deep.equal(['before', 'child/inside', 'after'])
    await scope.dispose()
    expect(log).to.deep.equal(['early', 'after', 'inside', 'before'])
    expect(child.signal.aborted).to.equal(true)
  })

  it('can be used with a using declaration, and then throws what its disposers threw', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    scope.add('throws', () => {
      throw new Error('broken')
    })
    let thrown: unknown
    try {
      await scope[Symbol.asyncDispose]()
    } catch (error) {
      thrown = error
    }
    expect(thrown).to.be.instanceOf(AggregateError)
  })
})
