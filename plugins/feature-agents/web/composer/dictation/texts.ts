import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    dictate: 'Dictate',
    dictate_denied: 'The browser does not let this page use the microphone. Allow it in the address bar, then try again.',
    dictate_failed: 'The browser could not recognise speech: {reason}.',
    dictate_insecure: 'Browsers give the microphone only to pages with https. Open the console at its https address.',
    dictate_language: 'The browser does not recognise this language. Choose another one in your profile.',
    dictate_network: 'The browser did not reach what recognises speech. Check the connection.',
    dictate_no_microphone: 'No microphone was found. Connect one, or choose one in the settings of the system.',
    dictate_silence: 'Nothing was heard.',
    dictating: 'Listening. Esc ends it.',
    note_cancel: 'Do not dictate',
    note_start: 'Dictate',
    note_text:
      'Your browser turns speech into words, and not this service: most browsers, such as Chrome, Edge and Safari, send the sound to their makers for that. The microphone is on only while you dictate.',
    note_title: 'Where the sound goes',
    stop_dictating: 'Stop dictating',
  },
  de: {
    dictate: 'Diktieren',
    dictate_denied: 'Der Browser gibt dieser Seite das Mikrofon nicht. Erlaube es in der Adressleiste, und versuch es noch einmal.',
    dictate_failed: 'Der Browser konnte die Sprache nicht erkennen: {reason}.',
    dictate_insecure: 'Browser geben das Mikrofon nur Seiten mit https. Öffne die Konsole unter ihrer Adresse mit https.',
    dictate_language: 'Der Browser erkennt diese Sprache nicht. Wähle eine andere in deinem Profil.',
    dictate_network: 'Der Browser hat die Spracherkennung nicht erreicht. Prüfe die Verbindung.',
    dictate_no_microphone: 'Es wurde kein Mikrofon gefunden. Schließ eines an, oder wähle eines in den Einstellungen des Systems.',
    dictate_silence: 'Es war nichts zu hören.',
    dictating: 'Ich höre zu. Esc beendet es.',
    note_cancel: 'Nicht diktieren',
    note_start: 'Diktieren',
    note_text:
      'Dein Browser macht aus Sprache Wörter, nicht dieser Dienst: Die meisten Browser, etwa Chrome, Edge und Safari, schicken den Ton dafür an ihre Hersteller. Das Mikrofon ist nur an, während du diktierst.',
    note_title: 'Wohin der Ton geht',
    stop_dictating: 'Diktat beenden',
  },
})
