import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

/** Expressions with their words in English and in German; empty: none. */
const schedules = {
  '* * * * *': ['Every minute', 'Jede Minute'],
  '@daily': ['Every day at 00:00', 'Jeden Tag um 00:00'],
  '0 9,18 * * *': ['Every day at 09:00 and 18:00', 'Jeden Tag um 09:00 und 18:00'],
  '0 9 * * MON-FRI': ['Monday to Friday at 09:00', 'Montag bis Freitag um 09:00'],
  '0 9 * * sat-sun': ['Saturday to Sunday at 09:00', 'Samstag bis Sonntag um 09:00'],
  '0 9 * * FRI–MON': ['Friday to Monday at 09:00', 'Freitag bis Montag um 09:00'],
  '0 9 * * MON-TUE,SAT-SUN': [
    'Every Monday to Tuesday and Saturday to Sunday at 09:00',
    'Jeden Montag bis Dienstag und Samstag bis Sonntag um 09:00',
  ],
  '0 9 * NOV-FEB MON': ['Every Monday at 09:00 in November to February', 'Jeden Montag um 09:00 im November bis Februar'],
  '0 9 1-7 * MON': ['On day 1 to 7 of the month or every Monday at 09:00', 'Am 1. bis 7. des Monats oder jeden Montag um 09:00'],
  '@Midnight': ['Every day at 00:00', 'Jeden Tag um 00:00'],
  '5 8 * * 1,4': ['Every Monday and Thursday at 08:05', 'Jeden Montag und Donnerstag um 08:05'],
  '0 9 * * 7': ['Every Sunday at 09:00', 'Jeden Sonntag um 09:00'],
  '0 9 1,15 * *': ['On day 1 and 15 of the month at 09:00', 'Am 1. und 15. des Monats um 09:00'],
  '0 9 L * *': ['On the last day of the month at 09:00', 'Am letzten Tag des Monats um 09:00'],
  '0 9 * * FRI#2': ['On the second Friday of the month at 09:00', 'Am zweiten Freitag des Monats um 09:00'],
  '0 9 13 * FRI': ['On day 13 of the month or every Friday at 09:00', 'Am 13. des Monats oder jeden Freitag um 09:00'],
  '0 0 1 JAN *': ['On day 1 of the month at 00:00 in January', 'Am 1. des Monats um 00:00 im Januar'],
  '*/15 8-17 * * MON-FRI': [
    'Every 15 minutes from 08:00 to 17:45, Monday to Friday',
    'Alle 15 Minuten von 08:00 bis 17:45, Montag bis Freitag',
  ],
  '0 */6 * * *': ['Every 6 hours', 'Alle 6 Stunden'],
  '20 * * * *': ['Every hour at minute 20', 'Jede Stunde zur Minute 20'],
  '0 8-18 * * *': ['Every hour from 08:00 to 18:00', 'Jede Stunde von 08:00 bis 18:00'],
  // Not every 7 minutes: the last step of each hour is shorter.
  '*/7 * * * *': ['', ''],
  '0 1,2,3,4,5 * * *': ['', ''],
  '0 9 * * SOON': ['', ''],
  '0 9 * *': ['', ''],
} as const

describe('schedules in the words of the console', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(
      page,
      await bundleWebModules(['plugins/feature-tasks/web/screens/tasks/common/cron-summary.ts', 'sdk/web/i18n/language.ts']),
    )
  })
  after(() => closeBrowser())

  for (const [index, language] of (['en', 'de'] as const).entries())
    it(`are read out in ${language}`, async () => {
      await callExport(page, 'chooseLanguage', language)
      const said = await Promise.all(Object.keys(schedules).map((cron) => callExport(page, 'cronSummary', cron)))
      expect(said).to.deep.equal(Object.values(schedules).map((words) => words[index]))
    })
})
