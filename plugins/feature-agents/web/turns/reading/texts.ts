import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    code: 'Code, {lines, plural, one {# line} other {# lines}}.',
    formula: 'formula',
    go_on: 'Go on reading',
    nothing: 'There are no words to read here',
    pause: 'Pause reading',
    read: 'Read aloud',
    read_denied: 'The browser does not let this page read aloud. Press the button again.',
    read_failed: 'The browser could not read this aloud.',
    read_network: 'The voice comes from the network, which did not answer. Choose another voice in your profile.',
    read_voice: 'The browser has no voice for this language. Choose another one in your profile.',
    stop_reading: 'Stop reading',
  },
  de: {
    code: 'Code, {lines, plural, one {# Zeile} other {# Zeilen}}.',
    formula: 'Formel',
    go_on: 'Weiter vorlesen',
    nothing: 'Hier gibt es keine Wörter zum Vorlesen',
    pause: 'Vorlesen unterbrechen',
    read: 'Vorlesen',
    read_denied: 'Der Browser lässt diese Seite nicht vorlesen. Drück den Knopf noch einmal.',
    read_failed: 'Der Browser konnte das nicht vorlesen.',
    read_network: 'Die Stimme kommt aus dem Netz, das nicht geantwortet hat. Wähle eine andere Stimme in deinem Profil.',
    read_voice: 'Der Browser hat keine Stimme für diese Sprache. Wähle eine andere in deinem Profil.',
    stop_reading: 'Vorlesen beenden',
  },
})
