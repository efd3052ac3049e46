import { failureOf, filled, lackOf, resultOf, type Scene } from './scene.js'

const words = {
  en: {
    begin: 'I set the reminder.',
    done: 'Done: in {minutes} minutes you are reminded: {text}. It is listed under Tasks.',
    denied: 'All right, no reminder was set.',
  },
  de: {
    begin: 'Ich stelle die Erinnerung.',
    done: 'Erledigt: In {minutes} Minuten wirst du erinnert: {text}. Sie steht unter Aufgaben.',
    denied: 'Gut, keine Erinnerung wurde gestellt.',
  },
}

/** “Remind me in 10 minutes to call Ada”. */
const wanted = [
  /\bremind me in (\d{1,4}) min\w*,? (?:to|of|about|that) (.+)/is,
  /\berinner[en]* mich in (\d{1,4}) min\w*,? (?:daran,? |an )?(.+)/is,
]

const wish = (written: string): { readonly minutes: string; readonly text: string } | undefined => {
  const [, minutes = '', text = ''] = wanted.map((pattern) => pattern.exec(written)).find((found) => found !== null) ?? []
  const what = text
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '')
    .slice(0, 500)
  return Number(minutes) < 1 || what === '' ? undefined : { minutes: String(Number(minutes)), text: what }
}

/** Reminds of something in some minutes. */
export const reminder: Scene = {
  fits: ({ written }) => wish(written) !== undefined,
  next(stage) {
    const { minutes = '', text = '' } = wish(stage.written) ?? {}
    const lack = lackOf(stage, 'remind_me')
    if (lack) return lack
    const texts = words[stage.language]
    const set = resultOf(stage, 'remind_me')
    if (!set) return { say: texts.begin, call: { tool: 'remind_me', input: { text, in_minutes: Number(minutes) } } }
    if (set.refused) return { say: texts.denied }
    return set.failed ? failureOf(set, stage.language) : { say: filled(texts.done, { minutes, text }) }
  },
}
