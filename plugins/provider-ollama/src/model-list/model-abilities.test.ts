import type { OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { withAbilities } from './model-abilities.js'

const models: readonly OfferedModel[] = Array.from({ length: 60 }, (_, index) => ({ id: `m${index}` }))
const open = new AbortController().signal

describe('what the models of a list can do', () => {
  it('is asked of each model that the list says nothing about, of 48 at most', async () => {
    const asked: string[] = []
    const known = await withAbilities(
      [{ id: 'known', tools: true }, ...models],
      async (model) => {
        asked.push(model.id)
        return { ...model, tools: false }
      },
      open,
    )
    expect(asked).to.deep.equal(models.slice(0, 48).map(({ id }) => id))
    expect(known.map(({ id }) => id)).to.deep.equal(['known', ...models.map(({ id }) => id)])
    expect(known.filter(({ tools }) => tools === false)).to.have.length(48)
    expect(known[0]).to.deep.equal({ id: 'known', tools: true })
  })

  it('stays unknown where the server does not answer, which ends the questions', async () => {
    let asked = 0
    const known = await withAbilities(
      models,
      () => {
        asked += 1
        return Promise.reject(new Error('Not found.'))
      },
      open,
    )
    expect(known).to.deep.equal(models)
    expect(asked).to.equal(6)
  })

  it('is not asked any more when the caller has left', async () => {
    const caller = new AbortController()
    const asking = withAbilities(
      models,
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
          caller.abort(new Error('gone'))
        }),
      caller.signal,
    )
    const error = await asking.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).to.have.property('message', 'gone')
  })
})
