import { createReasonText, type GermanReasons, type ReasonText } from '@agent-service/sdk/web'
import { germanSandboxReasons } from '@agent-service/sdk/web/words'

/** The titles of the checks of the product, and what they find, in German. A test compares the English side with the sources. */
export const germanTitles: GermanReasons = [
  ['Browser', 'Browser'],
  ['Configuration', 'Konfiguration'],
  ['Database', 'Datenbank'],
  ['Mail', 'E-Mail'],
  ['Ontologies', 'Ontologien'],
  ['Plugins', 'Plugins'],
  ['Policies', 'Regeln'],
  ['Sandbox', 'Sandbox'],
  ['Web search', 'Websuche'],
  ['Single sign-on', 'Anmeldedienst'],
  ['Skills', 'Fertigkeiten'],
  ['Tasks', 'Aufgaben'],
]

export const germanFindings: GermanReasons = [
  ['all defaults ({} does not exist)', 'nur Vorgaben ({} gibt es nicht)'],
  ['{} are running', '{} laufen'],
  ['{} is {}: no reason is known', '{} läuft nicht ({}); der Grund ist nicht bekannt'],
  ['{} at {}: is writable', '{} in {}: ist beschreibbar'],
  ['{} at {}: is not writable: {}', '{} in {}: ist nicht beschreibbar: {}'],
  ['are usable', 'sind nutzbar'],
  ['are not usable, everything is denied: {}', 'sind nicht nutzbar, darum ist alles verboten: {}'],
  ['could not be checked: {}', 'ließ sich nicht prüfen: {}'],
  ['and {} more', 'und {} weitere'],
  ['tasks begin in time', 'Aufgaben beginnen pünktlich'],
  [
    '{} tasks of {} are late: no run has begun {} s after their time or later. {-}',
    '{} Aufgaben ({}) sind verspätet: {} s nach ihrer Zeit hat kein Lauf begonnen. Mehr Plätze (server.max_concurrent_tasks) helfen, wenn alle belegt sind; sonst nennt das Log den Grund.',
  ],
  ['{} answers, protected by TLS', '{} antwortet, geschützt durch TLS'],
  ['{} answers, without protection', '{} antwortet, ohne Schutz'],
  ['{} answers', '{} antwortet'],
  ['{} answers {}', '{} antwortet mit {}'],
  ['{} cannot be reached', '{} ist nicht erreichbar'],
  ['{} is configured', '{} ist eingerichtet'],
  [
    'no alarm reaches these administrators, who have no confirmed e-mail address: {}',
    'diese Administratoren erreicht keine Warnung, denn ihre E-Mail-Adresse ist nicht bestätigt: {}',
  ],
  [
    'unavailable: SearXNG needs search.selfhosted_base_url, which is not set',
    'nicht verfügbar: SearXNG braucht search.selfhosted_base_url, das nicht gesetzt ist',
  ],
  ['{} skills can be used, {} cannot', '{} Fertigkeiten sind nutzbar, {} nicht'],
  [
    '{} files are in use, {} are not, and their terms are missing; mend them in {} and restart.',
    '{} Dateien sind in Gebrauch, {} nicht, und deren Begriffe fehlen; berichtige sie in {} und starte neu.',
  ],
  ['nothing confines code on this machine, so none can run', 'auf dieser Maschine schottet nichts den Code ab, darum läuft keiner'],
  ['code is confined by {}', 'Code wird abgeschottet durch {}'],
]

const fences: GermanReasons = [
  ['files outside', 'Dateien außerhalb'],
  ['processes outside', 'Prozesse außerhalb'],
  ['the network while it is off', 'das Netz, solange es aus ist'],
  ['forbidden addresses while the network is on', 'verbotene Adressen, solange das Netz an ist'],
  ['limits', 'Grenzen'],
]

/** By what the drivers of the product close fences; names stay as they are. */
const means: GermanReasons = [
  ['a network namespace', 'einen Netz-Namensraum'],
  ['a proxy', 'einen Proxy'],
  ['bubblewrap and seccomp', 'bubblewrap und seccomp'],
  ['Landlock and seccomp', 'Landlock und seccomp'],
  ['{}', '{}'],
]

const closedFences: GermanReasons = fences.flatMap(([fence, german]) =>
  means.map(([by, words]) => [`${fence}: closed by ${by}`, `${german}: verschlossen durch ${words}`] as const),
)

/** A fence that is not closed, with the sentences of the driver behind it. */
const partlyClosed: GermanReasons = fences.flatMap(([fence, german]) =>
  means.flatMap(([by, through]) =>
    germanSandboxReasons.map(
      ([reason, words]) =>
        [`${fence}: closed in part by ${by}. ${reason}`, `${german}: teils verschlossen durch ${through}. ${words}`] as const,
    ),
  ),
)
const openFences: GermanReasons = fences.flatMap(([fence, german]) =>
  germanSandboxReasons.map(([reason, words]) => [`${fence}: open. ${reason}`, `${german}: offen. ${words}`] as const),
)

export const titleText: (title: string) => ReasonText = createReasonText(germanTitles)
export const findingText: (finding: string) => ReasonText = createReasonText([
  ...closedFences,
  ...partlyClosed,
  ...openFences,
  ...germanFindings,
  ...germanSandboxReasons,
])
