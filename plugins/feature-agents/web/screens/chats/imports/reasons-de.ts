import { createReasonText, type GermanReasons, type ReasonText } from '@agent-service/sdk/web'

/** Why an export, or a chat in it, was not imported, in German. What is not listed is shown as the service says it. */
export const germanReasons: GermanReasons = [
  [
    'No chat of ChatGPT, Claude, Open WebUI or LibreChat was imported: none of its chats could be read.',
    'Kein Chat von ChatGPT, Claude, Open WebUI oder LibreChat wurde importiert: Keiner der Chats in der Datei war lesbar.',
  ],
  [
    'No chat of ChatGPT, Claude, Open WebUI or LibreChat was imported: it has no chats.',
    'Kein Chat von ChatGPT, Claude, Open WebUI oder LibreChat wurde importiert: In der Datei sind keine Chats.',
  ],
  [
    'The export cannot be read: the archive cannot be read: it is no ZIP file, or was not downloaded whole.',
    'Der Export ist nicht lesbar: Das Archiv ist keine ZIP-Datei oder wurde nicht ganz heruntergeladen.',
  ],
  [
    'The export cannot be read: the archive ends too early. It was not downloaded whole.',
    'Der Export ist nicht lesbar: Das Archiv endet zu früh. Es wurde nicht ganz heruntergeladen.',
  ],
  [
    'The export cannot be read: {}, line {}: the file ends {-}. It was not downloaded or unpacked whole.',
    'Der Export ist nicht lesbar: {} endet in Zeile {} zu früh. Die Datei wurde nicht ganz heruntergeladen oder entpackt.',
  ],
  ['The export cannot be read: {}, line {}: it is not JSON.', 'Der Export ist nicht lesbar: {}, Zeile {}: Das ist kein JSON.'],
  ['The export cannot be read: {}, line {}: the file is empty.', 'Der Export ist nicht lesbar: {}, Zeile {}: Die Datei ist leer.'],
  ['The export cannot be read: {} in the archive is encrypted.', 'Der Export ist nicht lesbar: {} im Archiv ist verschlüsselt.'],
  ['The export cannot be read: {}', 'Der Export ist nicht lesbar: {}'],
  ['it is no chat of ChatGPT, Claude, Open WebUI or LibreChat', 'kein Chat von ChatGPT, Claude, Open WebUI oder LibreChat'],
  ['it is not an object', 'kein Objekt'],
  ['it has no id{-}', 'ohne Kennung'],
  ['it has no id', 'ohne Kennung'],
  ['it has no messages{-}', 'ohne Nachrichten'],
  ['it has no messages', 'ohne Nachrichten'],
  ['message {} has no author{-}', 'Nachricht {} hat keinen Absender'],
  ['message {} has no author', 'Nachricht {} hat keinen Absender'],
  ['message {} has no content', 'Nachricht {} hat keinen Inhalt'],
  ['message {} has no text', 'Nachricht {} hat keinen Text'],
  ['two of its messages have the same id', 'zwei Nachrichten haben dieselbe Kennung'],
  ['some of its messages follow each other in a circle', 'Nachrichten folgen im Kreis aufeinander'],
]

export const reasonText: (reason: string) => ReasonText = createReasonText(germanReasons)
