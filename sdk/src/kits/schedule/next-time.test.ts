import { expect } from 'chai'
import type { CalendarSchedule } from './calendar-schedule.js'
import { checkSchedule, nextTime } from './next-time.js'

const timesOf = (schedule: CalendarSchedule, after: string, count: number): readonly string[] => {
  const times: string[] = []
  let moment = Date.parse(after)
  for (let index = 0; index < count; index += 1) {
    moment = nextTime(schedule, moment) ?? Number.NaN
    times.push(new Date(moment).toISOString().slice(0, 16))
  }
  return times
}

describe('nextTime', () => {
  it('is behind the moment, never at it', () => {
    expect(timesOf({ cron: '0 3 * * *' }, '2026-01-01T03:00:00.000Z', 1)).to.deep.equal(['2026-01-02T03:00'])
    expect(timesOf({ cron: '0 3 * * *' }, '2026-01-01T02:59:59.999Z', 1)).to.deep.equal(['2026-01-01T03:00'])
  })

  it('reads values, ranges, steps, lists, names, and the last and certain days', () => {
    expect(timesOf({ cron: '0-59/15 8-9 * * MON' }, '2026-01-05T08:40Z', 3)).to.deep.equal([
      '2026-01-05T08:45',
      '2026-01-05T09:00',
      '2026-01-05T09:15',
    ])
    expect(timesOf({ cron: '0 9 L feb *' }, '2026-02-01T00:00Z', 1)).to.deep.equal(['2026-02-28T09:00'])
    expect(timesOf({ cron: '0 9 * * FRI#2' }, '2026-02-01T00:00Z', 1)).to.deep.equal(['2026-02-13T09:00'])
    expect(timesOf({ cron: '0 9 * * 7' }, '2026-02-02T00:00Z', 1)).to.deep.equal(['2026-02-08T09:00'])
    expect(timesOf({ cron: '0 9 29 2 *' }, '2026-02-02T00:00Z', 1)).to.deep.equal(['2028-02-29T09:00'])
    expect(timesOf({ cron: '0 0 13 * FRI' }, '2026-02-07T00:00Z', 2), 'either day is enough').to.deep.equal([
      '2026-02-13T00:00',
      '2026-02-20T00:00',
    ])
    expect(timesOf({ cron: '@monthly' }, '2026-02-07T00:00Z', 1)).to.deep.equal(['2026-03-01T00:00'])
  })

  for (const [cron, same] of [
    ['0 9 * * SAT-SUN', '0 9 * * 0,6'],
    ['0 9 * * sat-sun', '0 9 * * 0,6'],
    ['0 9 * * MON-SUN', '0 9 * * *'],
    ['0 9 * * Fri-Sun', '0 9 * * 0,5,6'],
    ['0 9 * * 6-0', '0 9 * * 0,6'],
    ['0 9 * * SUN-SUN', '0 9 * * 0'],
    ['0 9 * * 7-2', '0 9 * * 0,1,2'],
    ['0 9 * * MON-SUN/2', '0 9 * * 0,1,3,5'],
    ['0 9 * * FRI-MON', '0 9 * * 0,1,5,6'],
    ['0 9 * * FRI-MON/2', '0 9 * * 0,5'],
    ['0 9 * * FRI-MON,WED', '0 9 * * 0,1,3,5,6'],
    ['0 9 * * 7#1', '0 9 * * SUN#1'],
    ['0 9 1 NOV-FEB *', '0 9 1 1,2,11,12 *'],
    ['0 9 1 11-2/2 *', '0 9 1 1,11 *'],
    ['0 9 * * MON–FRI', '0 9 * * 1-5'],
    ['0 9 * * MON\u2212FRI', '0 9 * * 1-5'],
    ['\t0\u00a09  * * 1 ', '0 9 * * 1'],
    [' @Daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@annually', '0 0 1 1 *'],
  ] as const)
    it(`reads ${JSON.stringify(cron)} as ${same}`, () => {
      expect(checkSchedule({ cron })).to.deep.equal([])
      expect(timesOf({ cron }, '2026-01-01T00:00Z', 20)).to.deep.equal(timesOf({ cron: same }, '2026-01-01T00:00Z', 20))
    })

  it('keeps the day of a written-out time that the spring leaves out', () => {
    expect(timesOf({ cron: '30 2 * * *', timezone: 'Europe/Vienna' }, '2026-03-28T12:00Z', 2)).to.deep.equal([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    expect(timesOf({ cron: '30 2 * * *', timezone: 'America/New_York' }, '2026-03-07T12:00Z', 2)).to.deep.equal([
      '2026-03-08T07:00',
      '2026-03-09T06:30',
    ])
    expect(timesOf({ cron: '15 2 * * *', timezone: 'Australia/Lord_Howe' }, '2026-10-03T00:00Z', 2)).to.deep.equal([
      '2026-10-03T15:30',
      '2026-10-04T15:15',
    ])
  })

  it('gives a written-out time that the autumn repeats once, the first time', () => {
    expect(timesOf({ cron: '30 2 * * *', timezone: 'Europe/Vienna' }, '2026-10-24T12:00Z', 2)).to.deep.equal([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    expect(timesOf({ cron: '30 1 * * *', timezone: 'America/New_York' }, '2026-10-31T12:00Z', 2)).to.deep.equal([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ])
    expect(timesOf({ cron: '45 1 * * *', timezone: 'Australia/Lord_Howe' }, '2026-04-03T20:00Z', 2)).to.deep.equal([
      '2026-04-04T14:45',
      '2026-04-05T15:15',
    ])
  })

  it('lets a step go by the clock on the wall: nothing in the gap, both times of what comes twice', () => {
    expect(timesOf({ cron: '*/30 * * * *', timezone: 'Europe/Vienna' }, '2026-03-29T00:10Z', 3)).to.deep.equal([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ])
    expect(timesOf({ cron: '30 */2 * * *', timezone: 'Europe/Vienna' }, '2026-03-28T23:40Z', 1), '2:30 is left out').to.deep.equal([
      '2026-03-29T02:30',
    ])
    expect(timesOf({ cron: '*/30 * * * *', timezone: 'Europe/Vienna' }, '2026-10-25T00:10Z', 3)).to.deep.equal([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
    ])
    const stepOfOne = { cron: '15,45 1-2/1 * 3,4,10,11 0', timezone: 'Europe/Vienna' }
    expect(timesOf(stepOfOne, '2026-03-29T00:00Z', 3), 'a step of one is a step').to.deep.equal([
      '2026-03-29T00:15',
      '2026-03-29T00:45',
      '2026-04-04T23:15',
    ])
    expect(timesOf(stepOfOne, '2026-10-25T00:00Z', 5)).to.deep.equal([
      '2026-10-25T00:15',
      '2026-10-25T00:45',
      '2026-10-25T01:15',
      '2026-10-25T01:45',
      '2026-11-01T00:15',
    ])
    expect(timesOf({ cron: '45 */1 * * *', timezone: 'Australia/Lord_Howe' }, '2026-04-04T14:00Z', 3)).to.deep.equal([
      '2026-04-04T14:45',
      '2026-04-04T15:15',
      '2026-04-04T16:15',
    ])
  })

  it('takes the zone it is given where the schedule names none', () => {
    const options = { timezone: 'Asia/Tokyo' }
    expect(nextTime({ cron: '0 3 * * *' }, Date.UTC(2026, 0, 1), options)).to.equal(Date.UTC(2026, 0, 1, 18))
    expect(nextTime({ cron: '0 3 * * *', timezone: 'UTC' }, Date.UTC(2026, 0, 1), options)).to.equal(Date.UTC(2026, 0, 1, 3))
  })

  it('refuses what it cannot read', () => {
    expect(() => nextTime({ cron: 'soon' }, 0)).to.throw(/“?soon“?.*five fields/)
  })
})

describe('checkSchedule', () => {
  for (const [cron, expected] of [
    ['', /must have five fields .* and has 0/],
    ['0 0 3 * * *', /has 6; leave the seconds out/],
    ['60 3 * * *', /^minute \(character 1\): “60” has “60”, which must be 0 to 59; write for example/],
    ['0  24 * * *', /^hour \(character 4\)/],
    ['0 3 0 * *', /^day of the month \(character 5\).*1 to 31/],
    ['0 3 * 13 *', /^month \(character 7\).*1 to 12 or JAN to DEC/],
    ['0 3 * * 1,MOO', /^day of the week \(character 11\): “MOO”.*0 to 7 or SUN to SAT/],
    ['5-1 * * * *', /runs backwards/],
    ['*/0 * * * *', /step “0”, which must be 1 to 60/],
    ['5/10 * * * *', /has a step without a range/],
    ['1,, * * * *', /is empty/],
    ['1-2-3 * * * *', /more than one hyphen/],
    ['0 22-2 * * *', /^hour \(character 3\): “22-2” runs backwards.*next day; write “22-23,0-2”$/],
    ['50-0 * * * *', /write “50-59,0”$/],
    ['0 9 28-3 * *', /write “28-31,1-3”$/],
    ['0 22-2/2 * * *', /list the values with commas between/],
    ['5/10 * * * *', /write “5-59\/10”$/],
    ['0 9 * * MON/2', /write “MON-SAT\/2”$/],
    ['0 0 9 ? * MON-FRI', /leave the seconds out.*: “0 9 \* \* MON-FRI”$/],
    ['0 0 9 ? * MON-FRI 2026', /leave the seconds and the year out: “0 9 \* \* MON-FRI”$/],
    ['0 9 * * MON 2026', /leave the year out: “0 9 \* \* MON”$/],
    ['0 9 ? * 2-6', /^day of the month \(character 5\).*Quartz.*write “\*”$/],
    ['0 9 15W * *', /nearest working day, which is not supported/],
    ['0 9 LW * *', /nearest working day/],
    ['0 9 L-3 * *', /“L” is the last day/],
    ['0 9 * * 6L', /last such day.*write “FRI#L”$/],
    ['0 9 * * FRI#6', /1 to 5 or L behind “#”/],
    ['0 9 * * Monday', /“Monday” has “Monday”; names have three letters; write “MON”$/],
    ['0 9 * * Monday-Friday', /write “MON”$/],
    ['0 9 1 Sept *', /write “SEP”$/],
    ['0 9 * * Mo-Fr', /the names are SUN, MON, TUE/],
    ['0 9 1 Okt *', /the names are JAN, FEB/],
    ['0 9 * * -5', /without its beginning or its end/],
    ['0 9 * * MON, WED', /has a blank beside a comma.*write “0 9 \* \* MON,WED”$/],
    ['0 9 * * MON – FRI', /write “0 9 \* \* MON-FRI”$/],
    ['TZ=Europe/Vienna 0 9 * * *', /leave “TZ=Europe\/Vienna” out/],
    ['CRON_TZ=UTC 0 9 * * *', /leave “CRON_TZ=UTC” out/],
    ['0 9 * * * /usr/bin/backup', /leave “\/usr\/bin\/backup” out/],
    ['0 9 * * MON-FRI # weekdays', /leave “# weekdays” out$/],
    ['0 9 * * * root', /leave “root” out$/],
    ['0 9 ? * MON-FRI *', /^must have five fields .* and has 6$/],
    ['0 9 * * MON-FRI *', /leave “\*” out$/],
    ['"0 9 * * *"', /^is in quotation marks; write “0 9 \* \* \*”$/],
    ['`0 9 * * *`', /^is in quotation marks/],
    ['„@daily“', /^is in quotation marks; write “@daily”$/],
    ['cron(0 9 ? * MON-FRI *)', /^is written for AWS.*five fields alone.*“0 3 \* \* MON-FRI”$/],
    ['0 9\u200b * * *', /invisible character \(U\+200B\) as character 4; delete it/],
    ['@every 15m', /“@every 15m” is not known/],
    ['@fortnightly', /use @hourly/],
    ['0 0 31 2 *', /never comes round/],
    ['0 0 30-31 FEB *', /never comes round/],
    ['1'.repeat(300), /200 characters/],
  ] as const) {
    it(`names what is wrong with ${JSON.stringify(cron.slice(0, 20))}`, () => {
      const problems = checkSchedule({ cron })
      expect(problems[0]).to.have.property('path', '/cron')
      expect(problems[0]?.message).to.match(expected)
    })
  }

  it('accepts only IANA zones, and reports every problem', () => {
    expect(checkSchedule({ cron: '0 3 * * *', timezone: 'Europe/Vienna' })).to.deep.equal([])
    for (const timezone of ['Mars/Base', '+02:00', '']) {
      expect(checkSchedule({ cron: '0 3 * * *', timezone })[0]?.message, timezone).to.match(/is not a known time zone/)
    }
    expect(checkSchedule({ cron: '0 3 * * *', timezone: 'europe/vienna' })).to.deep.equal([])
    for (const [timezone, advice] of [
      ['Vienna', /write “Europe\/Vienna”$/],
      [' Europe/Vienna', /write “Europe\/Vienna”$/],
      ['New York', /write “America\/New_York”$/],
      ['UTC+2', /“Etc\/GMT-2” for this offset all year$/],
      ['MEZ', /use an IANA name such as Europe\/Vienna$/],
    ] as const)
      expect(checkSchedule({ cron: '0 3 * * *', timezone })[0]?.message, timezone).to.match(advice)
    expect(checkSchedule({ cron: '61 25 * * *', timezone: 'Mars/Base' })).to.have.length(3)
  })
})
