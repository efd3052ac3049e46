import { failureOf, filled, hasAll, lackOf, resultOf, type Scene } from './scene.js'

const words = {
  en: {
    title: 'Weekly review',
    instruction: 'Weekly review: ask the person what they got done this week, and save their answer in the folder weekly-review.',
    begin: 'I plan that as a task that repeats.',
    done: 'Planned: **Weekly review**, every Friday at 16:00 in your time zone. You find it under Tasks, where you can start it right now, change it or pause it. Each Friday I ask you what you got done and save your answer as a file.',
    denied: 'All right, nothing was planned.',
    question: 'What did you get done this week?',
    ask: 'It is time for the weekly review.',
    save: 'I save that.',
    saved: 'Saved as **{file}**. Until next Friday!',
    skipped: 'Then we skip this week. Until next Friday!',
  },
  de: {
    title: 'Wochenrückblick',
    instruction:
      'Wochenrückblick: Frag die Person, was sie in dieser Woche geschafft hat, und speichere ihre Antwort im Ordner wochenrueckblick.',
    begin: 'Ich plane das als Aufgabe, die sich wiederholt.',
    done: 'Geplant: **Wochenrückblick**, jeden Freitag um 16:00 Uhr in deiner Zeitzone. Du findest ihn unter Aufgaben; dort kannst du ihn gleich starten, ändern oder anhalten. Jeden Freitag frage ich dich, was du geschafft hast, und speichere deine Antwort als Datei.',
    denied: 'Gut, nichts wurde geplant.',
    question: 'Was hast du diese Woche geschafft?',
    ask: 'Es ist Zeit für den Wochenrückblick.',
    save: 'Ich speichere das.',
    saved: 'Gespeichert als **{file}**. Bis nächsten Freitag!',
    skipped: 'Dann lassen wir diese Woche aus. Bis nächsten Freitag!',
  },
}

/** Plans a task for every Friday. */
export const weeklyReview: Scene = {
  title: { en: words.en.title, de: words.de.title },
  fits: ({ written }) => hasAll(written, /\b(every friday|jeden freitag)\b/i, /\b(task|aufgabe)\b/i),
  next(stage) {
    const lack = lackOf(stage, 'create_task')
    if (lack) return lack
    const texts = words[stage.language]
    const planned = resultOf(stage, 'create_task')
    if (!planned) {
      const input = { title: texts.title, instruction: texts.instruction, cron: '0 16 * * FRI' }
      return { say: texts.begin, call: { tool: 'create_task', input } }
    }
    if (planned.refused) return { say: texts.denied }
    return planned.failed ? failureOf(planned, stage.language) : { say: texts.done }
  },
}

/** What that task does each Friday, or when it is started by hand. */
export const dueReview: Scene = {
  title: { en: words.en.title, de: words.de.title },
  fits: ({ written }) => [words.en, words.de].some(({ instruction }) => written.includes(instruction)),
  next(stage) {
    const texts = words[stage.language]
    if (!stage.offers('ask_user')) return { say: texts.question }
    const answer = resultOf(stage, 'ask_user')
    if (!answer) return { say: texts.ask, call: { tool: 'ask_user', input: { question: texts.question } } }
    if (answer.failed) return { say: texts.skipped }
    const lack = lackOf(stage, 'write_file')
    if (lack) return lack
    const file = `${stage.language === 'de' ? 'wochenrueckblick' : 'weekly-review'}/${stage.day ?? 'latest'}.md`
    const saved = resultOf(stage, 'write_file')
    if (!saved) return { say: texts.save, call: { tool: 'write_file', input: { path: file, content: `${answer.text}\n` } } }
    return saved.failed ? failureOf(saved, stage.language) : { say: filled(texts.saved, { file }) }
  },
}
