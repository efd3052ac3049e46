import type { Logger } from '@agent-service/sdk'
import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { pngOf, sizeOfPng } from '../test-support/pictures.js'
import { createPictureReducer, picturesInWork } from './picture-reducer.js'

const log = { warn: () => undefined } as unknown as Logger
const { signal } = new AbortController()
const taskOf = (width: number, height: number, maxSide: number) => ({
  ...{ data: pngOf(width, height).toString('base64'), mediaType: 'image/png', width, height, orientation: 1, maxSide },
})

describe('pictures that are made smaller', function () {
  this.timeout(30_000)

  it('are one at a time, and users take turns for it', async () => {
    const quotas = createFakeQuotas()
    const holders: string[] = []
    const watched: typeof quotas = {
      ...quotas,
      limit(definition) {
        const limit = quotas.limit(definition)
        return {
          ...limit,
          acquire(holder, ...rest) {
            holders.push(holder)
            return limit.acquire(holder, ...rest)
          },
        }
      },
    }
    const reducer = createPictureReducer({ log, quotas: watched })
    for (const userId of ['ada', 'eve', undefined]) await reducer.reduce(taskOf(20, 10 + holders.length, 5), { userId, signal })
    expect(holders).to.deep.equal(['user:ada', 'user:eve', 'service'])
    expect(quotas.declared.get(picturesInWork.name)).to.include({ maxPerHolder: 1, maxTotal: 1 })
  })

  it('give up their turn when they are done, and are left out where too many wait', async () => {
    const reducer = createPictureReducer({ log, quotas: createFakeQuotas() })
    const turn = { userId: 'ada', signal }
    const [first, second] = await Promise.all([10, 11].map((height) => reducer.reduce(taskOf(20, height, 5), turn)))
    expect(first).to.include({ mediaType: 'image/png' })
    expect(second).to.equal(undefined)
    expect(await reducer.reduce(taskOf(20, 11, 5), turn)).to.include({ mediaType: 'image/png' })
  })

  it('have no more pixels than vendors keep, so that making them takes little memory', async () => {
    const reducer = createPictureReducer({ log, quotas: createFakeQuotas() })
    const made = await reducer.reduce(taskOf(3_000, 2_000, 2_900), { userId: 'ada', signal })
    const [width, height] = sizeOfPng(Buffer.from(made?.data ?? '', 'base64'))
    expect(width * height).to.be.within(3_900_000, 4_010_000)
  })
})
