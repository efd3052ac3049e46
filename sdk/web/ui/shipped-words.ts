import { createReasonText, type GermanReasons, type ReasonText } from '../i18n/reason-text.js'

/**
 * What shipped agents and skills are for, in German. A person who writes another description reads that one. A test
 * compares the English side with `resources`.
 */
export const germanShipped: GermanReasons = [
  [
    'A general assistant: answers, explains, writes, calculates and plans.',
    'Ein Assistent für alles: antwortet, erklärt, schreibt, rechnet und plant.',
  ],
  [
    'Writes programs, runs them in the sandbox, and works with data and files.',
    'Schreibt Programme, führt sie in der Sandbox aus, und arbeitet mit Daten und Dateien.',
  ],
  [
    'Improves texts: corrects, shortens, translates, and says what it changed.',
    'Verbessert Texte: korrigiert, kürzt, übersetzt, und sagt, was sich geändert hat.',
  ],
  [
    'Looks into a question in the material at hand, and says what is known, from where, and what is not.',
    'Geht einer Frage im vorhandenen Material nach, und sagt, was bekannt ist, woher, und was nicht.',
  ],
  [
    'Examines CSV, TSV and XLSX tables - structure, quality, sums, groups, outliers - with a script and computes answers instead of estimating them. Use it for any question about a spreadsheet or exported data.',
    'Untersucht Tabellen (CSV, TSV, XLSX) mit einem Skript: Aufbau, Qualität, Summen, Gruppen, Ausreißer. Rechnet Antworten aus, statt sie zu schätzen. Für jede Frage zu einer Tabelle oder exportierten Daten.',
  ],
  [
    'Turns a transcript, recording text or rough notes of a meeting into minutes with decisions, tasks with owners and dates, and open questions. Use it for meetings, calls, interviews and stand-ups.',
    'Macht aus einer Mitschrift oder Notizen ein Protokoll mit Beschlüssen, Aufgaben mit Zuständigen und Terminen, und offenen Fragen. Für Besprechungen, Anrufe, Interviews und Stand-ups.',
  ],
  [
    'Plans a trip day by day with travel times, costs and alternatives. Use it when the person wants to travel, asks for an itinerary, or compares ways to get somewhere.',
    'Plant eine Reise Tag für Tag mit Fahrzeiten, Kosten und Alternativen. Für Reisen, Reiserouten und den Vergleich von Wegen.',
  ],
  [
    'Summarises a long document, article, contract or thread so that every statement can be traced to its place. Use it when the person asks for a summary, the key points, or what a text means for them.',
    'Fasst ein langes Dokument, einen Artikel, Vertrag oder Verlauf so zusammen, dass jede Aussage auf ihre Stelle zurückgeht. Für Zusammenfassungen, Kernpunkte, und was ein Text für dich bedeutet.',
  ],
  [
    'Writes a new skill, or improves one - a folder with SKILL.md, scripts and material in the Agent Skills format. Use it when the person wants an agent to repeat a way of working.',
    'Schreibt eine neue Fertigkeit oder verbessert eine: ein Ordner mit SKILL.md, Skripten und Material im Format Agent Skills. Für eine Arbeitsweise, die ein Agent wiederholen soll.',
  ],
]

/** The description of an agent or a skill in the language of the page, if it is the one that it was shipped with. */
export const shippedText: (description: string) => ReasonText = createReasonText(germanShipped)
