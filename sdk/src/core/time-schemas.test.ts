import { expect } from 'chai'
import { calendarDate, instant, periodProblems } from './time-schemas.js'
import { Type } from './type.js'
import { validate } from './validate.js'

const dateWords = 'must be a date of the years 1970 to 2999, such as 2026-01-31'
const instantWords = 'must be a time by RFC 3339 of the years 1970 to 2999, such as 2026-01-31T10:00:00Z'

describe('schemas of time', () => {
  for (const text of ['1970-01-01', '2024-02-29', '2026-12-31', '2999-12-31'])
    it(`accept the date ${text}`, () => {
      expect(validate(calendarDate(), text)).to.deep.equal([])
      expect(Number.isFinite(Date.parse(text))).to.equal(true)
    })

  for (const text of ['2026-13-45', '2026-02-30', '2026-02-29', '2026-00-01', '1969-12-31', '3000-01-01', '26-01-01', 'today', ''])
    it(`refuse the date “${text}” with one problem`, () => {
      expect(validate(Type.Object({ day: calendarDate() }), { day: text })).to.deep.equal([{ path: '/day', message: dateWords }])
    })

  for (const text of ['2026-11-21T10:00:00Z', '2024-02-29T23:59:59.123456789+23:59', '2026-01-01T00:00:00-11:30'])
    it(`accept the instant ${text}`, () => {
      expect(validate(instant(), text)).to.deep.equal([])
      expect(new Date(text).toISOString()).to.match(/^\d{4}-/)
    })

  const wrong = ['2026-02-30T10:00:00Z', '2026-01-01T24:00:00Z', '2026-12-31T23:59:60Z', '2026-01-01T10:00:00', '2026-01-01']
  for (const text of [...wrong, '2026-01-01T10:00:00+24:00', '2026-01-01T10:00:00Z[Europe/Vienna]', '9999-01-01T00:00:00Z', 'now'])
    it(`refuse the instant “${text}” with one problem`, () => {
      expect(validate(instant(), text)).to.deep.equal([{ path: '/', message: instantWords }])
    })

  it('are as strict after a round trip through JSON, and keep their description', () => {
    const schema = JSON.parse(JSON.stringify(calendarDate({ description: 'The day.' })))
    expect(schema).to.include({ type: 'string', format: 'date', description: 'The day.' })
    expect(validate(schema, '2026-02-30')).to.deep.equal([{ path: '/', message: dateWords }])
  })
})

describe('problems of a period', () => {
  it('are none for a period that is open, of one day, or of the longest length', () => {
    expect(periodProblems({ from: '2026-02-01' }, { maxDays: 2 })).to.deep.equal([])
    expect(periodProblems({ from: '2026-02-01', to: '2026-02-01' }, { maxDays: 1 })).to.deep.equal([])
    expect(periodProblems({ from: '2026-02-01', to: '2026-02-02' }, { maxDays: 2 })).to.deep.equal([])
  })

  it('name a period that ends before it begins, and one that is too long', () => {
    expect(periodProblems({ from: '2026-02-02', to: '2026-02-01' })).to.deep.equal([
      { path: '/from', message: 'must not be after the end of the period (2026-02-01)' },
    ])
    expect(periodProblems({ from: '2026-02-01', to: '2026-02-03' }, { maxDays: 2 })).to.deep.equal([
      { path: '/from', message: 'must not be earlier than 2 days before the end of the period (2026-02-03)' },
    ])
  })
})
