import type { Scene, Stage, Words } from './scene.js'

interface Ability {
  readonly tools: readonly string[]
  readonly text: Words
}

/** What can be asked for, in the words of the start page, where the tools are there. */
const abilities: readonly Ability[] = [
  {
    tools: ['ask_user', 'update_profile'],
    text: {
      en: 'Ask me what you should call me, then put it into my profile.',
      de: 'Frag mich, wie du mich nennen sollst, und trag es dann in mein Profil ein.',
    },
  },
  {
    tools: ['python'],
    text: { en: 'Draw a chart of the population of the world.', de: 'Zeichne ein Diagramm der Weltbevölkerung.' },
  },
  {
    tools: ['write_file'],
    text: { en: 'Write a checklist for moving house.', de: 'Schreib eine Checkliste für einen Umzug.' },
  },
  {
    tools: [],
    text: { en: 'Compare in a table how to back up photos.', de: 'Vergleiche in einer Tabelle, wie man Fotos sichert.' },
  },
  {
    tools: ['create_task'],
    text: { en: 'Ask me every Friday what I got done, as a task.', de: 'Frag mich jeden Freitag, was ich geschafft habe, als Aufgabe.' },
  },
  {
    tools: ['remind_me'],
    text: { en: 'Remind me in 10 minutes to stretch.', de: 'Erinnere mich in 10 Minuten daran, mich zu strecken.' },
  },
  { tools: ['get_time'], text: { en: 'What time is it in Europe/Vienna?', de: 'Wie spät ist es in Europe/Vienna?' } },
]

/** The list of what can be asked for. */
const listed = ({ language, offers }: Stage): string =>
  abilities
    .filter(({ tools }) => tools.every(offers))
    .map(({ text }) => `- ${text[language]}`)
    .join('\n')

const plain = (pattern: RegExp, say: Words): Scene => ({
  fits: ({ written }) => pattern.test(written.trim()),
  next: ({ language }) => ({ say: say[language] }),
})

export const greeting = plain(
  /^(hello|hi|hey|good (morning|afternoon|evening)|hallo|moin|servus|guten (morgen|tag|abend)|grüß (dich|gott))\b.{0,20}$/is,
  {
    en: 'Hello! Ask me what time it is, or what I can do.',
    de: 'Hallo! Frag mich, wie spät es ist oder was ich kann.',
  },
)

export const wellBeing = plain(/\bhow are you\b|\bwie geht('s|s| es)\b/i, {
  en: 'Very well, thank you: every word is in its place. What can I do for you?',
  de: 'Sehr gut, danke: Jedes Wort sitzt. Was kann ich für dich tun?',
})

export const thanks = plain(/^(thanks|thank you|great|nice|perfect|cool|danke|super|toll|prima|klasse|perfekt)\b.{0,60}$/is, {
  en: 'You are welcome!',
  de: 'Gern geschehen!',
})

export const farewell = plain(/^(bye|goodbye|see you|tschüss|ciao|bis (bald|dann|morgen)|auf wiedersehen)(?![\p{L}]).{0,20}$/isu, {
  en: 'See you soon!',
  de: 'Bis bald!',
})

const able: Words = {
  en: 'Without a model I know a few things by heart, and I do them with the real tools of this service. Try one of these:',
  de: 'Ohne Modell kann ich einiges auswendig, und ich tue es mit den echten Werkzeugen dieses Dienstes. Versuch eines davon:',
}

/** What it can do, by the tools of the agent. */
export const whatItCanDo: Scene = {
  title: { en: 'What the demo can do', de: 'Was die Demo kann' },
  fits: ({ written }) =>
    /\bwhat (can|do) you\b|\bhelp\b|\bwho are you\b|\bwas (kannst|machst) du\b|\bwas du (alles )?kannst\b|\bhilfe\b|\bwer bist du\b/i.test(
      written,
    ),
  next: (stage) => ({ say: `${able[stage.language]}\n\n${listed(stage)}` }),
}

const beyond: Words = {
  en: 'My script has no answer to that: this is the demo, and no model is connected. For real answers, stop it and start the service with `npm start`; the set-up in the browser asks for a provider and a model.\n\nUntil then I can show you:',
  de: 'Darauf hat mein Drehbuch keine Antwort: Das ist die Demo, und kein Modell ist verbunden. Für echte Antworten beende sie und starte den Dienst mit `npm start`; die Einrichtung im Browser fragt nach einem Anbieter und einem Modell.\n\nBis dahin kann ich dir zeigen:',
}

/** The truth about everything else. */
export const anythingElse: Scene = {
  fits: () => true,
  next: (stage) => ({ say: `${beyond[stage.language]}\n\n${listed(stage)}` }),
}
