import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { backUpDatabase, type KernelDatabase, restoreDatabase } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { accounts, drivers, openStore, rejection, temporaryFolder } from './open-store.js'

for (const { name, create } of drivers) {
  describe(`a backup by ${name} that is aborted halfway`, function () {
    this.timeout(60_000)
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let database: KernelDatabase

    beforeEach(async () => {
      folder = await temporaryFolder()
      database = await openStore(create(), join(folder.path, 'db'))
    })
    afterEach(async () => {
      await database.close()
      await folder.remove()
    })

    /**
     * Backs up until the given step and aborts there. Resolves to the error, or to nothing when
     * there are fewer steps.
     */
    const abortAt = async (target: string, step: number, reason: Error): Promise<Error | undefined> => {
      const abort = new AbortController()
      let steps = 0
      const backup = backUpDatabase(database, target, {
        signal: abort.signal,
        progress() {
          steps += 1
          if (steps === step) abort.abort(reason)
        },
      })
      return backup.then(
        () => undefined,
        (error: Error) => error,
      )
    }

    it('leaves nothing restorable, whatever the step; the store keeps working, and the next backup is complete', async () => {
      const collection = (await database.openFor('tests', [accounts])).collection(accounts)
      const padding = 'x'.repeat(100_000)
      await Promise.all(Array.from({ length: 50 }, (_, number) => collection.insert({ id: `n${number}`, balance: number, padding })))
      const copy = join(folder.path, 'copy')
      const restored = join(folder.path, 'restored')
      let step = 1
      for (; ; step += 1) {
        const reason = new Error(`not wanted from step ${step} on`)
        const error = await abortAt(copy, step, reason)
        if (error === undefined) break
        expect(error, `step ${step}`).to.equal(reason)
        expect(await readdir(folder.path), `step ${step}`).to.deep.equal(['db'])
        expect(await rejection(restoreDatabase({ from: copy, path: restored }))).to.include({ code: 'backup_invalid' })
        await collection.insert({ id: `after${step}`, balance: step })
      }
      expect(step).to.be.greaterThan(2)

      await restoreDatabase({ from: copy, path: restored })
      const again = await openStore(create(), restored)
      try {
        const view = (await again.openFor('tests', [accounts])).collection(accounts)
        for (let number = 1; number < step; number += 1) expect(await view.get(`after${number}`)).to.include({ balance: number })
      } finally {
        await again.close()
      }
    })
  })
}
