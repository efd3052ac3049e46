import { expect } from 'chai'
import { type KeptBackup, outdated } from './outdated.js'

const now = Date.parse('2026-11-23T12:00:00Z')
const backup = (day: number, sound = true, unreadable = 0): KeptBackup => ({
  id: `day ${day}`,
  createdAt: `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`,
  sound,
  unreadable,
})

describe('the retention of backups', () => {
  it('deletes those beyond the newest few', () => {
    const found = outdated([backup(23), backup(22), backup(21), backup(20)], { keep: 2, keepDays: undefined, now })
    expect(found).to.deep.equal(['day 21', 'day 20'])
  })

  it('deletes those that are too old, also among the newest few', () => {
    expect(outdated([backup(23), backup(10)], { keep: 7, keepDays: 7, now })).to.deep.equal(['day 10'])
  })

  it('keeps the newest verified one, however old, and deletes nothing without one', () => {
    expect(outdated([backup(23, false), backup(22, false), backup(1)], { keep: 1, keepDays: 7, now })).to.deep.equal(['day 22'])
    expect(outdated([backup(1, false), backup(2, false)], { keep: 1, keepDays: 1, now })).to.deep.equal([])
  })

  it('keeps the last ones that could read more than the newest, until they are too old', () => {
    const some = (day: number, unreadable: number, sound = true): KeptBackup => backup(day, sound, unreadable)
    // All folders of users became unreadable on the 21st, and one user had taken the rights of a file since the 19th.
    const since = [some(23, 9), some(22, 9), some(21, 9), some(20, 1), some(19, 1), some(18, 0), some(17, 0)]
    expect(outdated(since, { keep: 2, keepDays: undefined, now })).to.deep.equal(['day 21', 'day 19', 'day 17'])
    expect(outdated(since, { keep: 2, keepDays: 4, now })).to.deep.equal(['day 21', 'day 19', 'day 18', 'day 17'])
    // What is damaged is worth nothing.
    expect(outdated([some(23, 9), some(22, 0, false), some(21, 0)], { keep: 1, keepDays: undefined, now })).to.deep.equal(['day 22'])
    // Once everything can be read again, they go.
    expect(outdated([some(23, 0), some(22, 9), some(18, 0)], { keep: 1, keepDays: undefined, now })).to.deep.equal(['day 22', 'day 18'])
  })
})
