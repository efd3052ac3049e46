import { expect } from 'chai'
import { readTime } from './read-time.js'

const shown = (text: string, zone = 'UTC'): string | undefined => {
  const moment = readTime(text, zone)
  return moment === undefined ? undefined : new Date(moment).toISOString()
}

describe('a time that someone wrote', () => {
  it('is read with its offset, or on the clock of the zone', () => {
    expect(shown('2026-07-01T09:00:00Z', 'Asia/Tokyo')).to.equal('2026-07-01T09:00:00.000Z')
    expect(shown('2026-07-01T09:00+02:00')).to.equal('2026-07-01T07:00:00.000Z')
    expect(shown('2026-07-01T09:00', 'Asia/Tokyo')).to.equal('2026-07-01T00:00:00.000Z')
    expect(shown('2026-01-01 00:30', 'Pacific/Auckland')).to.equal('2025-12-31T11:30:00.000Z')
  })

  it('that the spring leaves out is the end of the gap, one that comes twice is the first', () => {
    expect(shown('2026-03-29T02:30', 'Europe/Vienna')).to.equal('2026-03-29T01:00:00.000Z')
    expect(shown('2026-10-25T02:30', 'Europe/Vienna')).to.equal('2026-10-25T00:30:00.000Z')
  })

  it('is refused if it is none', () => {
    for (const text of ['tomorrow', '2026-02-30T09:00', '2026-01-01T24:00', '2026-01-01', '', '2026-13-01T09:00Z'])
      expect(shown(text), text).to.equal(undefined)
  })
})
