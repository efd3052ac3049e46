import { failureOf, filled, hasAll, lackOf, resultOf, type Scene } from './scene.js'

const words = {
  en: {
    begin: 'With pleasure.',
    question: 'What should I call you?',
    note: 'Nice to meet you, {name}. I note it in your profile. That changes your account, so you are asked first.',
    done: 'Done: your profile now says **{name}**. Every agent of yours will call you that; you can change it at any time under Settings.',
    denied: 'All right, your profile stays as it is. I asked because nothing of your account changes without you.',
    silent: 'No problem, then we leave it. Your profile stays as it is.',
  },
  de: {
    begin: 'Gern.',
    question: 'Wie soll ich dich nennen?',
    note: 'Freut mich, {name}. Ich trage es in dein Profil ein. Das ändert dein Konto, deshalb wirst du vorher gefragt.',
    done: 'Erledigt: In deinem Profil steht jetzt **{name}**. Alle deine Agenten nennen dich so; unter Einstellungen kannst du es jederzeit ändern.',
    denied: 'Gut, dein Profil bleibt, wie es ist. Ich habe gefragt, weil sich ohne dich nichts an deinem Konto ändert.',
    silent: 'Kein Problem, dann lassen wir es. Dein Profil bleibt, wie es ist.',
  },
}

/** “My name is Ada.” becomes “Ada”. */
const nameIn = (answer: string): string =>
  answer
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(call me|my name is|i am|i'm|nenn mich|ich heiße|ich bin|mein name ist)\s+/i, '')
    .replace(/[.!]+$/, '')
    .slice(0, 200)

/** Asks for a name and notes it in the profile, which a person has to approve. */
export const introduction: Scene = {
  title: { en: 'What you are called', de: 'Wie du heißt' },
  fits: ({ written }) => hasAll(written, /\bcall me\b|\bmich nennen\b/i, /\bprofile?\b/i),
  next(stage) {
    const lack = lackOf(stage, 'ask_user', 'update_profile')
    if (lack) return lack
    const texts = words[stage.language]
    const answer = resultOf(stage, 'ask_user')
    if (!answer) return { say: texts.begin, call: { tool: 'ask_user', input: { question: texts.question } } }
    const name = nameIn(answer.text)
    if (answer.failed || name === '') return { say: texts.silent }
    const noted = resultOf(stage, 'update_profile')
    if (!noted) return { say: filled(texts.note, { name }), call: { tool: 'update_profile', input: { name } } }
    if (noted.refused) return { say: texts.denied }
    return noted.failed ? failureOf(noted, stage.language) : { say: filled(texts.done, { name }) }
  },
}
