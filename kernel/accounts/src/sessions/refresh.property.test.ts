import { checkRefreshInterleavings } from '../testing/refresh-model.js'

describe('refresh tokens under random interleavings', () => {
  it('never leave two live heads', async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    await checkRefreshInterleavings({ runs: 100, seed })
  })
})
