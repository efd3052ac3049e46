import { failureOf, filled, hasAll, lackOf, resultOf, type Scene } from './scene.js'

const words = {
  en: {
    file: 'moving.md',
    begin: 'I write the list and save it.',
    done: 'The checklist is saved as **{file}**, in the workspace of this agent. It goes from two months before to the day itself; tick off what is done, or tell me what is missing.',
    denied: 'All right, nothing was saved.',
    list: `# Moving house

## Two months before
- [ ] Give notice for the old flat
- [ ] Compare movers, or ask friends for the day
- [ ] Sort out what does not come along

## One month before
- [ ] Collect boxes, and pack what is rarely used
- [ ] Tell the bank, insurers and employer the new address
- [ ] Order the internet for the new flat

## One week before
- [ ] Label the boxes by room
- [ ] Empty the freezer
- [ ] Keep documents and keys in one bag

## The day itself
- [ ] Read the meters, and take photos of empty rooms
- [ ] Hand over the keys against a record
- [ ] Put up the beds first
`,
  },
  de: {
    file: 'umzug.md',
    begin: 'Ich schreibe die Liste und speichere sie.',
    done: 'Die Checkliste ist als **{file}** gespeichert, im Arbeitsbereich dieses Agenten. Sie reicht von zwei Monaten vorher bis zum Tag selbst; hake ab, was erledigt ist, oder sag mir, was fehlt.',
    denied: 'Gut, nichts wurde gespeichert.',
    list: `# Umzug

## Zwei Monate vorher
- [ ] Alte Wohnung kündigen
- [ ] Umzugsfirmen vergleichen oder Freunde für den Tag fragen
- [ ] Aussortieren, was nicht mitkommt

## Einen Monat vorher
- [ ] Kartons sammeln und Seltenes einpacken
- [ ] Bank, Versicherungen und Arbeitgeber die neue Adresse mitteilen
- [ ] Internet für die neue Wohnung bestellen

## Eine Woche vorher
- [ ] Kartons nach Zimmern beschriften
- [ ] Gefrierfach leeren
- [ ] Papiere und Schlüssel in einer Tasche sammeln

## Am Tag selbst
- [ ] Zähler ablesen und leere Räume fotografieren
- [ ] Schlüssel gegen Protokoll übergeben
- [ ] Zuerst die Betten aufbauen
`,
  },
}

/** Writes a list into a file. */
export const checklist: Scene = {
  title: { en: 'A checklist for moving house', de: 'Checkliste für den Umzug' },
  fits: ({ written }) => hasAll(written, /\bcheckliste?\b/i, /\b(moving|umzug)/i),
  next(stage) {
    const lack = lackOf(stage, 'write_file')
    if (lack) return lack
    const texts = words[stage.language]
    const saved = resultOf(stage, 'write_file')
    if (!saved) return { say: texts.begin, call: { tool: 'write_file', input: { path: texts.file, content: texts.list } } }
    if (saved.refused) return { say: texts.denied }
    return saved.failed ? failureOf(saved, stage.language) : { say: filled(texts.done, texts) }
  },
}
