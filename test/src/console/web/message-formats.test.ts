import { expect } from 'chai'
import { IntlMessageFormat } from 'intl-messageformat'
import { runWebModules } from '../support/run-web-modules.js'
import { catalogues } from '../support/web-sources.js'

type Value = string | number | Date
type Values = Readonly<Record<string, Value>>
type Elements = ReturnType<IntlMessageFormat['getAst']>

interface Formatter {
  readonly formatMessage: (message: string, values: Values, locale: string) => string
  readonly languages: Readonly<Record<string, string>>
  readonly zone: () => string
}

const counts = [0, 1, 2, 12, 1_234.5]
const moment = new Date('2026-11-23T13:02:00Z')
const words = ['Ada', `“{x}” # it’s '1'`]

/** Values that each argument of a message can have, by the way in which it is used. */
function samplesIn(elements: Elements, found = new Map<string, Set<Value>>()): ReadonlyMap<string, ReadonlySet<Value>> {
  for (const element of elements) {
    if (!('value' in element) || element.type === 0) continue
    const samples = found.get(element.value) ?? new Set<Value>()
    found.set(element.value, samples)
    if (element.type === 2 || element.type === 6) for (const each of counts) samples.add(each)
    if (element.type === 3 || element.type === 4) samples.add(moment)
    if (element.type === 5) for (const each of [...Object.keys(element.options), 'another']) samples.add(each)
    if ('options' in element) for (const { value } of Object.values(element.options)) samplesIn(value, found)
  }
  return found
}

/** Sets of values in which each sample of each argument comes up. */
function valueSets(samples: ReadonlyMap<string, ReadonlySet<Value>>): readonly Values[] {
  const choices = [...samples].map(([name, values]) => [name, values.size === 0 ? words : [...values]] as const)
  const most = Math.max(1, ...choices.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(choices.map(([name, values]) => [name, values[index % values.length] as Value])),
  )
}

describe('the messages of the console, as its own formatter writes them', () => {
  let web: Formatter
  before(async () => {
    web = await runWebModules<Formatter>(['sdk/web/i18n/message-format.ts', 'sdk/web/i18n/language.ts', 'sdk/web/i18n/zone.ts'])
  })

  /** What the library for ICU messages makes of it, with the styles of numbers and times that the console has. */
  const byLibrary = (message: string, locale: string): IntlMessageFormat => {
    const styles = { date: { dateStyle: 'medium' }, time: { timeStyle: 'short' } } as const
    return new IntlMessageFormat(message, locale, { time: { medium: styles.time } } as never, {
      ignoreTag: true,
      formatters: {
        getNumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
        getPluralRules: (locales, options) => new Intl.PluralRules(locales, options),
        getDateTimeFormat: (locales, options) =>
          new Intl.DateTimeFormat(locales, { ...((options ?? styles.date) as Intl.DateTimeFormatOptions), timeZone: web.zone() }),
      },
    })
  }

  it('are in every language of the console', () => {
    const kinds = catalogues.map(({ folder: _, ...languages }) => Object.keys(languages))
    for (const languages of kinds) expect(languages).to.deep.equal(Object.keys(web.languages))
  })

  it('read as a library for ICU messages writes them', () => {
    let compared = 0
    const wrong = catalogues.flatMap(({ folder, en, de }) =>
      [['en-GB', en] as const, ['de-DE', de] as const].flatMap(([locale, catalogue]) =>
        Object.entries(catalogue).flatMap(([group, texts]) =>
          Object.entries(texts).flatMap(([key, text]) => {
            const library = byLibrary(text, locale)
            return valueSets(samplesIn(library.getAst())).flatMap((values) => {
              compared += 1
              const [own, other] = [web.formatMessage(text, values, locale), library.format(values as never)]
              return own === other ? [] : [`${folder}, ${locale}, ${group}.${key}: ${own} – ${String(other)}`]
            })
          }),
        ),
      ),
    )
    expect(wrong).to.deep.equal([])
    expect(compared).to.be.greaterThan(6_000)
  })
})
