import { expect } from 'chai'
import { firstTimezone, temporalFormatter, temporalPart } from './temporal-part.js'

const told = (createdAt: string, timezone: string): string => temporalPart(createdAt, timezone).text

describe('the time of a message', () => {
  it('is formatted in the zone, with weekday and offset', () => {
    expect(told('2026-11-22T13:03:59.999Z', 'Europe/Vienna')).to.equal('[Sunday 2026-11-22, 14:03, Europe/Vienna (UTC+01:00)]')
    expect(told('2026-11-22T13:03:00.000Z', 'America/New_York')).to.equal('[Sunday 2026-11-22, 08:03, America/New_York (UTC-05:00)]')
    expect(told('2026-11-22T13:03:00.000Z', 'UTC')).to.equal('[Sunday 2026-11-22, 13:03, UTC (UTC+00:00)]')
  })

  it('has the date of the zone, and midnight is 00:00', () => {
    expect(told('2026-12-31T18:30:00.000Z', 'Asia/Kolkata')).to.equal('[Friday 2027-01-01, 00:00, Asia/Kolkata (UTC+05:30)]')
    expect(told('2026-03-01T05:00:00.000Z', 'Pacific/Honolulu')).to.equal('[Saturday 2026-02-28, 19:00, Pacific/Honolulu (UTC-10:00)]')
  })

  it('follows daylight saving time, and distinguishes the repeated hour of autumn', () => {
    const tell = temporalFormatter('Europe/Vienna')
    const times = (...instants: readonly string[]): readonly string[] => instants.map((instant) => tell(instant).text.slice(1, -1))
    expect(times('2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z')).to.deep.equal([
      'Sunday 2026-03-29, 01:59, Europe/Vienna (UTC+01:00)',
      'Sunday 2026-03-29, 03:00, Europe/Vienna (UTC+02:00)',
    ])
    expect(times('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z')).to.deep.equal([
      'Sunday 2026-10-25, 02:30, Europe/Vienna (UTC+02:00)',
      'Sunday 2026-10-25, 02:30, Europe/Vienna (UTC+01:00)',
    ])
  })

  it('is formatted in UTC if the zone is unknown', () => {
    for (const name of ['Nowhere/Land', '', 'Europe/Vienna; drop', '../../etc/passwd', ':UTC'])
      expect(told('2026-11-22T13:03:00.000Z', name), name).to.equal('[Sunday 2026-11-22, 13:03, UTC (UTC+00:00)]')
  })

  it('is the same each time', () => {
    const once = told('2026-11-22T13:03:00.000Z', 'Europe/Vienna')
    expect(temporalFormatter('Europe/Vienna')('2026-11-22T13:03:00.000Z').text).to.equal(once)
  })
})

describe('the effective zone', () => {
  it('is the first known one: of the task, of the person', () => {
    expect(firstTimezone('Asia/Tokyo', 'Europe/Vienna')).to.equal('Asia/Tokyo')
    expect(firstTimezone(undefined, 'Europe/Vienna')).to.equal('Europe/Vienna')
    expect(firstTimezone(null, undefined, 'Europe/Vienna')).to.equal('Europe/Vienna')
  })

  it('skips unknown zones, and falls back to UTC', () => {
    expect(firstTimezone('Nowhere/Land', 'Europe/Vienna')).to.equal('Europe/Vienna')
    expect(firstTimezone('Nowhere/Land', '')).to.equal('UTC')
    expect(firstTimezone()).to.equal('UTC')
  })
})
