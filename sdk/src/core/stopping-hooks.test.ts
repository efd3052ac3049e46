import { expect } from 'chai'
import { createTestContext } from '../testing/create-test-context.js'
import { createDisposableScope, disposeTimeoutError, scopeClosedError } from './disposable-scope.js'
import { createStoppingHooks } from './stopping-hooks.js'

describe('hooks for a stop', () => {
  it('run once, the newest first, while the scope is open; those that throw or hang keep no other from it', async () => {
    const scope = createDisposableScope({ name: 'scope', disposerLimitMs: 10 })
    const hooks = createStoppingHooks(scope)
    const log: string[] = []
    scope.add('opened', () => void log.push('undone'))
    hooks.add(() => void log.push(`first, ${scope.signal.aborted}`))
    hooks.add(() => new Promise(() => undefined))
    hooks.add(() => {
      throw new Error('broken')
    })
    hooks.add(async () => void log.push('last'))
    const running = hooks.run()
    expect(hooks.run()).to.equal(running)
    const errors = await running
    expect(errors[0]?.message).to.equal('broken')
    expect(disposeTimeoutError.isInstance(errors[1])).to.equal(true)
    expect(errors).to.have.length(2)
    expect(log).to.deep.equal(['last', 'first, false'])
    expect(scope.holdings()).to.deep.equal(['opened'])
    expect(await scope.dispose()).to.deep.equal([])
    expect(log).to.deep.equal(['last', 'first, false', 'undone'])
  })

  it('run in their place where the scope ends before, and at once where it has ended', async () => {
    const scope = createDisposableScope({ name: 'scope' })
    const hooks = createStoppingHooks(scope)
    const log: string[] = []
    scope.add('older', () => void log.push('older'))
    hooks.add(() => void log.push('hook'))
    scope.add('newer', () => void log.push('newer'))
    expect(scope.holdings()).to.deep.equal(['older', 'onStopping/hook', 'newer'])
    await scope.dispose()
    expect(await hooks.run()).to.deep.equal([])
    expect(log).to.deep.equal(['newer', 'hook', 'older'])
    expect(() => hooks.add(() => void log.push('late')))
      .to.throw()
      .that.satisfies((error: unknown) => scopeClosedError.isInstance(error))
    await Promise.resolve()
    expect(log.at(-1)).to.equal('late')
  })

  it('run in a test context when it is told of the stop, or else before it ends', async () => {
    const log: string[] = []
    const begin = () => {
      const test = createTestContext({ config: {} })
      test.context.onDispose(() => void log.push('disposed'))
      test.context.onStopping(() => void log.push(`told, ${test.context.signal.aborted}`))
      return test
    }
    const told = begin()
    await told.announceStop()
    await told.announceStop()
    expect(log.splice(0)).to.deep.equal(['told, false'])
    await told.dispose()
    expect(log.splice(0)).to.deep.equal(['disposed'])
    await begin().dispose()
    expect(log).to.deep.equal(['told, false', 'disposed'])
  })

  it('that fail in a test context fail the test, once', async () => {
    const begin = () => {
      const test = createTestContext({ config: {}, pluginId: 'messy' })
      test.context.onStopping(() => Promise.reject(new Error('stuck')))
      return test
    }
    const messageOf = (work: Promise<void>): Promise<string | undefined> =>
      work.then(
        () => undefined,
        (error: AggregateError) => `${error.message} ${error.errors.map(({ message }) => message).join()}`,
      )
    const test = begin()
    expect(await messageOf(test.announceStop())).to.equal('Plugin “messy” stopped with 1 error(s). stuck')
    expect(await messageOf(test.dispose())).to.equal(undefined)
    expect(await messageOf(begin().dispose())).to.equal('Plugin “messy” stopped with 1 error(s). stuck')
  })
})
