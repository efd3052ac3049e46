import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'

type Reasons = readonly (readonly [english: string, german: string])[]

describe('why an import failed, in German', () => {
  it('says what the service reports, with the file and the place', async () => {
    const { germanReasons, germanOf } = await runWebModules<{
      readonly germanReasons: Reasons
      readonly germanOf: (reasons: Reasons, said: string) => string | undefined
    }>(['plugins/feature-agents/web/screens/chats/imports/reasons-de.ts', 'sdk/web/i18n/german-of.ts'])
    for (const [said, german] of [
      [
        'The export cannot be read: the archive cannot be read: it is no ZIP file, or was not downloaded whole.',
        'Der Export ist nicht lesbar: Das Archiv ist keine ZIP-Datei oder wurde nicht ganz heruntergeladen.',
      ],
      ['The export cannot be read: a.json, line 1: it is not JSON.', 'Der Export ist nicht lesbar: a.json, Zeile 1: Das ist kein JSON.'],
      ['message 3 has no author', 'Nachricht 3 hat keinen Absender'],
      ['it has no id (“uuid”)', 'ohne Kennung'],
    ] as const)
      expect(germanOf(germanReasons, said)).to.equal(german)
  })
})
