import { expect } from 'chai'
import type { MemoryBackend } from '../../contracts/memory-backend/memory-backend.js'
import { soundTitle } from '../assert-sound.js'
import { type Change, describeTwins, failing } from './broken/break-backend.test.js'
import { aborted, abortedSweep, deleted, erases, history, passesForm, revisionsForm, sweeps, unknown } from './broken/suite-titles.test.js'

describeTwins('what a back end declares', [
  ['another generation', () => ({ specVersion: 2 as never }), [soundTitle]],
  ['support that is only claimed', () => ({ supports: { history: true, sweep: false, passes: false, revisions: false } }), [soundTitle]],
])

describe('the suite of memory back ends, optional abilities', () => {
  const sweeping: Change = () => ({ supports: { history: false, sweep: true, passes: false, revisions: false } })

  it('detects a sweep that does not end when it is aborted', async () => {
    const change: Change = (backend) => ({ ...sweeping(backend), sweep: () => new Promise(() => undefined) })
    expect(await failing(change, [abortedSweep], { sweep: true })).to.deep.equal([abortedSweep])
  })

  for (const tells of [true, false])
    it(`${tells ? 'takes' : 'detects'} a sweep that forgets and ${tells ? 'tells of it' : 'does not tell of it'}`, async () => {
      const change: Change = (backend) => {
        const waiting: Parameters<MemoryBackend['chatChanged']>[] = []
        return {
          ...sweeping(backend),
          async chatChanged(...call) {
            if (call[0].reason === 'deleted') waiting.push(call)
            else await backend.chatChanged(...call)
          },
          async sweep({ changed }) {
            for (const call of waiting.splice(0)) {
              await backend.chatChanged(...call)
              if (tells) await changed?.(call[0].userId)
            }
            return { users: 0, more: false }
          },
        }
      }
      expect(await failing(change, [deleted], { sweep: true })).to.deep.equal(tells ? [] : [deleted])
    })

  it('detects sweeps that always have more to do', async () => {
    const change: Change = (backend) => ({ ...sweeping(backend), sweep: async () => ({ users: 1, more: true }) })
    expect(await failing(change, [sweeps], { sweep: true })).to.deep.equal([sweeps])
  })

  it('detects passes and revisions in another form', async () => {
    const supports = { history: false, sweep: false, passes: true, revisions: true }
    const change: Change = () => ({
      supports,
      passes: async () => ({ items: [{ id: 'pass-1' } as never] }),
      retryPass: async () => true,
      revisions: async () => Array.from({ length: 101 }, () => ({ text: undefined }) as never),
      restore: async () => true,
    })
    const failed = [unknown, erases, passesForm, revisionsForm, aborted].sort()
    expect([...(await failing(change, failed, supports))].sort()).to.deep.equal(failed)
  })

  it('detects history that is only claimed', async () => {
    const supports = { history: true, sweep: false, passes: false, revisions: false }
    expect(await failing(() => ({ supports }), [history], supports)).to.deep.equal([history])
  })

  it('passes a back end that keeps the contract', async () => {
    expect(await failing(() => ({}))).to.deep.equal([])
  })
})
