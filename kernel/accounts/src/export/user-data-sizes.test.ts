import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { ContributionRegistry } from '@agent-service/kernel-core/plugins/contributions'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { leftCollection } from '../raw-data/testing/index.js'
import { createUserDataSizes } from './user-data-sizes.js'

describe('the sizes of the data of an account', () => {
  it('are those of every part, without numbers for one that fails', async () => {
    const log = createRecordingLog()
    const contributions = new ContributionRegistry(createControlledClock(), log)
    const part = (id: string, size: (userId: string) => Promise<{ records: number; bytes: number }>) => ({
      ...{ point: userData.id, key: id },
      value: { specVersion: 1 as const, id, collections: [], export: async function* () {}, erase: async () => undefined, size },
    })
    contributions.admit('tool-lamp', [
      part('lamps', async (userId) => ({ records: userId === 'u' ? 3 : 0, bytes: 10.4 })),
      part('bulbs', () => Promise.reject(new Error('no bulb'))),
    ])
    const bulbs = leftCollection('tool_old.bulbs', { plugin: 'tool-old' })
    bulbs.ids.set('u', ['a', 'b']).set('other', ['c'])
    const sizes = createUserDataSizes({
      ...{ contributions, log, absent: () => ['tool-shade'] },
      rawData: { collections: async () => [bulbs, leftCollection('tool_old.empty', { plugin: 'tool-old' })] },
      files: async ({ handle }) => ({ bytes: handle.length, max_bytes: null }),
    })
    expect(await sizes.of({ id: 'u', handle: 'ada' }, new AbortController().signal)).to.deep.equal({
      parts: [
        { id: 'bulbs', plugin: 'tool-lamp', state: 'active', raw: false, records: null, bytes: null },
        { id: 'lamps', plugin: 'tool-lamp', state: 'active', raw: false, records: 3, bytes: 10 },
        { id: 'raw:tool_old.bulbs', plugin: 'tool-old', state: 'gone', raw: true, records: 2, bytes: 48 },
      ],
      files: { bytes: 3, max_bytes: null },
      absent_plugins: ['tool-shade', 'tool-old'],
    })
  })
})
