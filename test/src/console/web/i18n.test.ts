import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'
import { webFiles, webSource } from '../support/web-sources.js'

const site = { url: 'http://console.localhost' }

describe('the texts of the console', function () {
  this.timeout(60_000)
  let page: Page
  after(() => closeBrowser())

  describe('as messages', () => {
    before(async () => {
      page = (await openPage(site)).page
      await openWebModules(
        page,
        await bundleWebModules([
          'sdk/web/i18n/message-format.ts',
          'sdk/web/i18n/messages.ts',
          'sdk/web/i18n/language.ts',
          'sdk/web/i18n/formats.ts',
          'sdk/web/i18n/zone.ts',
        ]),
      )
    })
    const format = (message: string, values: Readonly<Record<string, unknown>> = {}, locale = 'en-GB') =>
      callExport(page, 'formatMessage', message, values, locale)

    it('take values: texts as they are, numbers and times as the locale writes them', async () => {
      expect(await format('Hello, {name}!', { name: 'Ada {the first}' })).to.equal('Hello, Ada {the first}!')
      expect(await format('{n} and {n, number}', { n: 1234.5 })).to.equal('1,234.5 and 1,234.5')
      expect(await format('{n}', { n: 1234.5 }, 'de-DE')).to.equal('1.234,5')
      const day = new Date('2026-11-23T14:02:00+01:00')
      expect(await format('{day, date} at {day, time}', { day })).to.equal('23 Nov 2026 at 14:02')
      expect(await format('{day, date}', { day: 'some day' })).to.equal('some day')
      expect(await format("It’s “{missing}” and 'quoted' # 1")).to.equal("It’s “” and 'quoted' # 1")
    })

    it('choose by number with the plural rules of the locale, by an exact number first', async () => {
      const files = '{count, plural, =0 {no files} one {# file} other {# files}}'
      expect(await Promise.all([0, 1, 2, 1_000].map((count) => format(files, { count })))).to.deep.equal([
        ...['no files', '1 file', '2 files', '1,000 files'],
      ])
      const polish = '{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}'
      expect(await Promise.all([1, 2, 5, 22, 1.5].map((n) => format(polish, { n }, 'pl')))).to.deep.equal([
        ...['1 plik', '2 pliki', '5 plików', '22 pliki', '1,5 pliku'],
      ])
      expect(await format('{n, plural, other {# Zeichen}}', { n: 1 }, 'de')).to.equal('1 Zeichen')
      expect(await format('{n, plural, one {# file}}', { n: 3 })).to.equal('')
    })

    it('choose by word, and may be nested', async () => {
      const message = '{kind, select, file {{count, plural, one {a file} other {# files}}} other {something of {kind}}}'
      expect(await format(message, { kind: 'file', count: 3 })).to.equal('3 files')
      expect(await format(message, { kind: 'light' })).to.equal('something of light')
    })

    it('that have a brace open are refused by name', async () => {
      const refused = await format('{name').then(
        () => 'accepted',
        (error: unknown) => String(error),
      )
      expect(refused).to.contain('SyntaxError').and.contain('“{name”')
    })

    it('follow the chosen language; a missing text is the English one, or its key', async () => {
      const texts = await page.evaluate(`(() => {
        const t = web.defineMessages({ en: { both: 'Both {n}', one: 'Only English' }, de: { both: 'Beide {n}' } })
        const all = () => [t('both', { n: 1 }), t('one'), t('none'), web.textOf({ en: 'Title', de: 'Titel' }), document.documentElement.lang]
        web.applyLanguage()
        const before = all()
        web.chooseLanguage('de')
        return [before, all(), localStorage.getItem('console.language')]
      })()`)
      expect(texts).to.deep.equal([
        ['Both 1', 'Only English', 'none', 'Title', 'en'],
        ['Beide 1', 'Only English', 'none', 'Titel', 'de'],
        'de',
      ])
      expect(await callExport(page, 'compactText', 1_424), 'as beside it').to.equal('1.424')
      await page.evaluate("web.chooseLanguage('en')")
    })

    it('write sizes, durations and moments for people', async () => {
      const write = async (name: string, ...values: readonly unknown[]) => callExport(page, name, ...values)
      expect(await Promise.all([0, 999, 4_200_000, 52_000_000_000].map((bytes) => write('bytesText', bytes)))).to.deep.equal([
        ...['0 bytes', '999 bytes', '4.2 MB', '52 GB'],
      ])
      expect(await Promise.all([40, 400, 9_000, 240_000, 4_200_000].map((time) => write('durationText', time)))).to.deep.equal([
        ...['40 ms', '0.4 secs', '9 secs', '4 mins', '1 hr 10 mins'],
      ])
      expect(await Promise.all([1_424, 41_200, 41_200_000].map((count) => write('compactText', count)))).to.deep.equal([
        '1.4k',
        '41.2k',
        '41.2m',
      ])
      const now = new Date('2026-11-23T14:02:00+01:00')
      const ago = (days: number): Date => new Date(now.getTime() - days * 86_400_000)
      expect(await Promise.all([0, 1, 4, 40].map((days) => write('whenText', ago(days), now)))).to.deep.equal([
        ...['14:02', 'yesterday', 'Thursday', '14 Oct 2026'],
      ])
    })
  })

  describe('of times', () => {
    // The page is in Berlin.
    const zoneOf = (name: string | null) => callExport(page, 'showTimesIn', name)
    const call = (name: string, ...values: readonly unknown[]) => callExport(page, name, ...values)
    before(async () => {
      page = (await openPage(site)).page
      await openWebModules(
        page,
        await bundleWebModules(['sdk/web/i18n/message-format.ts', 'sdk/web/i18n/formats.ts', 'sdk/web/i18n/zone.ts']),
      )
    })
    afterEach(() => zoneOf(null))

    it('are in the time zone of the profile, and so are days', async () => {
      const now = '2026-11-23T11:30:00Z'
      expect(await Promise.all([call('whenText', '2026-11-23T09:00:00Z', now), call('dayNumber', now)])).to.deep.equal(['10:00', 20_780])
      await zoneOf('Pacific/Kiritimati')
      expect(await call('whenText', '2026-11-23T09:00:00Z', now), 'before midnight there').to.equal('yesterday')
      expect(await call('whenText', '2026-11-23T10:00:00Z', now)).to.equal('00:00')
      expect(await call('dayNumber', now)).to.equal(20_781)
      expect(await call('momentText', now)).to.equal('24 Nov 2026, 01:30:00')
      expect(await call('formatMessage', '{day, date} {day, time}', { day: new Date(now) }, 'en-GB')).to.equal('24 Nov 2026 01:30')
    })

    it('are entered in that zone: fields and days mean its clocks, also when these are put forward or back', async () => {
      await zoneOf('America/Los_Angeles')
      expect(await call('fieldOfMoment', '2026-11-23T02:05:00Z')).to.equal('2026-11-22T18:05')
      expect(await call('momentOfField', '2026-11-22T18:05')).to.equal('2026-11-23T02:05:00.000Z')
      expect(await Promise.all([call('startOfDay', '2026-11-01'), call('startOfDay', '2026-11-01', 1)])).to.deep.equal([
        '2026-11-01T07:00:00.000Z',
        '2026-11-02T08:00:00.000Z',
      ])
      expect(await call('momentOfField', '2026-11-01T01:30'), 'the first of two').to.equal('2026-11-01T08:30:00.000Z')
      expect(await call('momentOfField', '2026-03-08T02:30'), 'skipped: an hour later').to.equal('2026-03-08T10:30:00.000Z')
      expect(await Promise.all([call('momentOfField', ''), call('momentOfField', 'soon'), call('startOfDay', '')])).to.deep.equal([
        undefined,
        undefined,
        undefined,
      ])
    })

    it('are in the zone of the device while the profile has none, or one that the browser does not know', async () => {
      await zoneOf('Mars/Olympus_Mons')
      expect(await call('zone')).to.equal('Europe/Berlin')
      await zoneOf(null)
      expect(await call('fieldOfMoment', '2026-07-01T22:30:00Z')).to.equal('2026-07-02T00:30')
    })

    it('are formatted in one place: no screen reads the clock of the browser', () => {
      const files = webFiles.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('sdk/web/i18n/'))
      const found = files.flatMap((file) =>
        webSource(file)
          .split('\n')
          .filter(
            (line) =>
              /\.(get|set)(Hours|Minutes|Date|Day|Month|FullYear)\(|toLocale(Date|Time)?String\(/.test(line) ||
              (line.includes('Intl.DateTimeFormat(') && !/timeZone|resolvedOptions/.test(line)),
          )
          .map((line) => `${file}: ${line.trim()}`),
      )
      expect(files.length).to.be.greaterThan(200)
      expect(found).to.deep.equal([])
    })
  })
})
