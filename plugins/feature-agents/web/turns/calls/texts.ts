import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    arguments: 'Arguments',
    done: 'Done',
    failed: 'Failed',
    not_run: 'Not run',
    outcome_unknown: 'Outcome unknown',
    output: 'Output',
    result: 'Result',
    running: 'Running',
    tool: 'Tool',
    waits: 'Waits for you',
  },
  de: {
    arguments: 'Argumente',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    not_run: 'Nicht ausgeführt',
    outcome_unknown: 'Ergebnis unbekannt',
    output: 'Ausgabe',
    result: 'Ergebnis',
    running: 'Läuft',
    tool: 'Werkzeug',
    waits: 'Wartet auf dich',
  },
})
