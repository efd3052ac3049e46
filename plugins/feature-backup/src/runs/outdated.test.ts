import { expect } from 'chai'
import { type KeptBackup, outdated } from './outdated.js'

const now = Date.parse('2026-11-23T12:00:00Z')
const backup = (day: number, sound = true): KeptBackup => ({
  id: `day ${day}`,
  createdAt: `2026-11-${String(day).padStart(2, '0')}T03:00:00Z`,
  sound,
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
})
