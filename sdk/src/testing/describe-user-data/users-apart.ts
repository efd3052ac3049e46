import { strict as assert } from 'node:assert'
import { exported, still, storedOf } from './records.js'
import type { UserDataSuite } from './suite-options.js'

/** Rules for users beside each other. */
export function describeUsersApart({ it: test }: UserDataSuite): void {
  test('keeps users apart whose ids begin alike', async (subject) => {
    const { data, fill } = subject
    await fill('user-1')
    const alone = [await exported(data, 'user-1'), await data.size('user-1', still)]
    await fill('user-10')
    assert.deepEqual([await exported(data, 'user-1'), await data.size('user-1', still)], alone, 'user-1 has something of user-10')
    const [others, foreign] = [await exported(data, 'user-10'), await storedOf(subject, 'user-10')]
    await data.erase('user-1', still)
    assert.deepEqual(await exported(data, 'user-10'), others, 'the erasure of user-1 changed the data of user-10')
    assert.deepEqual(await storedOf(subject, 'user-10'), foreign, 'the erasure of user-1 changed the stored data of user-10')
  })
  test('answers for several users at once as for each alone', async ({ data, fill }) => {
    const users = ['user-1', 'user-2']
    for (const userId of users) await fill(userId)
    const alone = []
    for (const userId of users) alone.push(await exported(data, userId))
    assert.deepEqual(await Promise.all(users.map((userId) => exported(data, userId))), alone, 'exports at once differ from those alone')
    const erasures = await Promise.allSettled(users.map((userId) => data.erase(userId, still)))
    for (const [index, userId] of users.entries())
      if (erasures[index]?.status === 'fulfilled')
        assert.deepEqual(await exported(data, userId), [], `the erasure of ${userId} beside another one left something`)
  })
}
