import { type Act, failureOf, filled, hasAll, lackOf, resultOf, type Scene, type Stage } from './scene.js'

/** The people on earth in billions, by year (United Nations, World Population Prospects 2024, rounded). */
const billions: readonly (readonly [year: number, billions: number])[] = [
  [1950, 2.49],
  [1960, 3.02],
  [1970, 3.69],
  [1980, 4.44],
  [1990, 5.33],
  [2000, 6.17],
  [2010, 7.02],
  [2020, 7.89],
]

const program = `from pathlib import Path

# {source}
people = {{data}}

width, height, base = 720, 420, 360
step = (width - 80) / len(people)
marks = []
for index, (year, billions) in enumerate(people.items()):
    left, tall = 40 + index * step + 8, billions * 34
    middle = left + (step - 16) / 2
    marks.append(f'<rect x="{left:.0f}" y="{base - tall:.0f}" width="{step - 16:.0f}" height="{tall:.0f}" rx="5" fill="#4f6bed"/>')
    marks.append(f'<text x="{middle:.0f}" y="{base - tall - 8:.0f}">{billions:.1f}</text>')
    marks.append(f'<text x="{middle:.0f}" y="{base + 22}" fill="#555">{year}</text>')

Path("{file}").write_text(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="15" text-anchor="middle">'
    f'<rect width="{width}" height="{height}" fill="#fff"/>'
    '<text x="40" y="36" font-size="20" font-weight="bold" text-anchor="start">{heading}</text>'
    + "".join(marks) + "</svg>",
    encoding="utf-8",
)
print("{file}:", len(people), "bars")
`

const words = {
  en: {
    file: 'population.svg',
    program: 'population.py',
    table: 'population.csv',
    columns: 'year,billions',
    source: 'Billions of people: United Nations, World Population Prospects 2024, rounded',
    heading: 'World population, in billions',
    begin: 'I write a small Python program that draws the bars.',
    run: 'Now I run it in the sandbox: there it reaches the workspace of this agent and nothing else of the machine.',
    done: 'The chart is drawn: **{file}**, beside {program} in the workspace of this agent.\n\nFrom 2.5 billion in 1950 to 7.9 billion in 2020 the number of people has more than tripled. Since 1970 each decade has added between 0.7 and 0.9 billion: in numbers that is much the same, in per cent less and less.',
    denied:
      'All right, I did not run it, and nothing was drawn. You were asked because a program can do more than one sees at a glance; its code is in the cards above.',
    instead: 'Python cannot run here, so I save the numbers as a table, which every spreadsheet draws:',
    doneInstead: 'The numbers are in **{table}**, in the workspace of this agent.',
  },
  de: {
    file: 'bevoelkerung.svg',
    program: 'bevoelkerung.py',
    table: 'bevoelkerung.csv',
    columns: 'Jahr,Milliarden',
    source: 'Milliarden Menschen: Vereinte Nationen, World Population Prospects 2024, gerundet',
    heading: 'Weltbevölkerung in Milliarden',
    begin: 'Ich schreibe ein kleines Python-Programm, das die Balken zeichnet.',
    run: 'Jetzt führe ich es in der Sandbox aus: Dort erreicht es den Arbeitsbereich dieses Agenten und sonst nichts auf dem Rechner.',
    done: 'Das Diagramm ist gezeichnet: **{file}**, neben {program} im Arbeitsbereich dieses Agenten.\n\nVon 2,5 Milliarden im Jahr 1950 auf 7,9 Milliarden im Jahr 2020 hat sich die Zahl der Menschen mehr als verdreifacht. Seit 1970 brachte jedes Jahrzehnt zwischen 0,7 und 0,9 Milliarden mehr: in Zahlen etwa gleich viel, in Prozent immer weniger.',
    denied:
      'Gut, ich habe es nicht ausgeführt, und nichts wurde gezeichnet. Du wurdest gefragt, weil ein Programm mehr kann, als man auf den ersten Blick sieht; der Code steht oben in den Karten.',
    instead: 'Python läuft hier nicht, deshalb speichere ich die Zahlen als Tabelle, die jede Tabellenkalkulation zeichnet:',
    doneInstead: 'Die Zahlen stehen in **{table}**, im Arbeitsbereich dieses Agenten.',
  },
}

/** Draws a chart with a program in the sandbox; without Python the numbers become a table. */
export const chart: Scene = {
  title: { en: 'World population since 1950', de: 'Weltbevölkerung seit 1950' },
  fits: ({ written }) => hasAll(written, /\b(chart|diagramm)\b/i, /\bpopulation\b|bevölkerung/i),
  next(stage) {
    const texts = words[stage.language]
    const lack = lackOf(stage, 'write_file')
    if (lack) return lack
    if (!stage.offers('python')) return asTable(stage)
    const [saved] = stage.results
    if (!saved) {
      const data = billions.map(([year, count]) => `${year}: ${count}`).join(', ')
      const content = filled(program, { ...texts, data })
      return { say: texts.begin, call: { tool: 'write_file', input: { path: texts.program, content } } }
    }
    if (saved.failed) return saved.refused ? { say: texts.denied } : failureOf(saved, stage.language)
    const ran = resultOf(stage, 'python')
    if (!ran) return { say: texts.run, call: { tool: 'python', input: { file: texts.program } } }
    if (ran.refused) return { say: texts.denied }
    return ran.failed ? asTable(stage) : { say: filled(texts.done, texts) }
  },
}

/** The numbers as a file of their own. */
function asTable(stage: Stage): Act {
  const texts = words[stage.language]
  const last = stage.results.at(-1)
  if (last?.tool !== 'write_file') {
    const content = `${[texts.columns, ...billions.map((row) => row.join(','))].join('\n')}\n`
    return { say: texts.instead, call: { tool: 'write_file', input: { path: texts.table, content } } }
  }
  return last.failed ? failureOf(last, stage.language) : { say: filled(texts.doneInstead, texts) }
}
