import { parsed, zoneIn } from '../../conversation/conversation.js'
import { failureOf, filled, lackOf, resultOf, type Scene } from './scene.js'

const words = {
  en: { begin: 'Let me look at the clock.', done: 'It is {time} in the zone {timezone}, on {date}.' },
  de: { begin: 'Ich sehe auf die Uhr.', done: 'Es ist {time} in der Zone {timezone}, am {date}.' },
}

/** Looks at the clock with a tool. */
export const clock: Scene = {
  fits: ({ written }) =>
    /\bwhat (time|day|date)\b|\bthe (time|date)\b|\bclock\b|\bwie spät\b|\buhrzeit\b|\bwelche(r|n|s)? (tag|datum)\b/i.test(written),
  next(stage) {
    const lack = lackOf(stage, 'get_time')
    if (lack) return lack
    const texts = words[stage.language]
    const read = resultOf(stage, 'get_time')
    const zone = zoneIn(stage.written)
    if (!read) return { say: texts.begin, call: { tool: 'get_time', input: zone === undefined ? {} : { timezone: zone } } }
    if (read.failed) return failureOf(read, stage.language)
    const { time = '', date = '', timezone = '' } = parsed(read.text) ?? {}
    return {
      say: filled(texts.done, { time: String(time).slice(0, 5), date: dateText(String(date), stage.language), timezone: String(timezone) }),
    }
  },
}

function dateText(date: string, language: 'en' | 'de'): string {
  const day = new Date(`${date}T12:00:00Z`)
  if (Number.isNaN(day.getTime())) return date
  return new Intl.DateTimeFormat(language === 'de' ? 'de' : 'en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(day)
}
