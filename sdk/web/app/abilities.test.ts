import { expect } from 'chai'
import { answer, fakeApi, problem } from '../testing.js'
import { abilities, readAbilities } from './abilities.js'

const memory = (available: boolean) => () => answer({ available })
const sandbox =
  (driver: string | null, disabled = false) =>
  () =>
    answer({ driver, disabled })
const absent = () => problem(404, 'not_found')

describe('what agents can have', () => {
  it('is everything until it is known, and then what the service has', async () => {
    const service = fakeApi({ 'get /api/memory/status': memory(false), 'get /api/sandbox': sandbox(null) })
    expect(abilities()).to.deep.equal({ memory: true, sandbox: true })
    await readAbilities()
    expect(abilities()).to.deep.equal({ memory: false, sandbox: false })
    service.answer({ 'get /api/memory/status': memory(true), 'get /api/sandbox': sandbox('linux') })
    await readAbilities()
    expect(abilities()).to.deep.equal({ memory: true, sandbox: true })
  })

  it('is not what has no routes, since its plugin does not run', async () => {
    const service = fakeApi({ 'get /api/memory/status': absent, 'get /api/sandbox': sandbox('linux') })
    await readAbilities()
    expect(abilities()).to.deep.equal({ memory: false, sandbox: true })
    service.answer({ 'get /api/memory/status': memory(true), 'get /api/sandbox': absent })
    await readAbilities()
    expect(abilities()).to.deep.equal({ memory: true, sandbox: false })
  })

  it('is programs too where the sandbox is switched off: they run unconfined', async () => {
    fakeApi({ 'get /api/memory/status': memory(true), 'get /api/sandbox': sandbox(null, true) })
    await readAbilities()
    expect(abilities()).to.deep.equal({ memory: true, sandbox: true })
  })

  it('stays what it was when it cannot be read', async () => {
    const service = fakeApi({ 'get /api/memory/status': memory(false), 'get /api/sandbox': sandbox(null) })
    await readAbilities()
    service.answer({ 'get /api/memory/status': () => problem(503, 'unavailable') })
    await readAbilities()
    expect(abilities()).to.deep.equal({ memory: false, sandbox: false })
  })
})
